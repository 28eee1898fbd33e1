# Ours against the paper's: one line for each cell, the same lines in all panels.
own_lines = 0; shared_names = 0
load plots . "/rows.gp"
