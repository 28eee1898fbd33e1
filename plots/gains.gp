# Differences: each panel has lines of its own, and zero is what matters.
own_lines = 1; shared_names = 0
load plots . "/rows.gp"
