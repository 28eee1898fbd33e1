# Differences: each panel has lines of its own; the reference is zero.
own_lines = 1; shared_names = 0
load plots . "/rows.gp"
