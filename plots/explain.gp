# Gains of the rows over CE: the same lines in all panels.
own_lines = 1; shared_names = 1
load plots . "/rows.gp"
