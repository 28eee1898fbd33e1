# Ours against the paper's: a line a cell, panels side by side with the same lines.
own_lines = 0; shared_names = 0
load plots . "/rows.gp"
