# Gains of the rows over CE: one list of lines for all panels.
own_lines = 1; shared_names = 1
load plots . "/rows.gp"
