# Differences: each panel has lines of its own, and zero is what matters.
own_lines = 1
load plots . "/rows.gp"
