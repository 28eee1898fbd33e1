# A second, plain version of what judges an ordering (src/paper/cells.c, contrasts.c, src/stats/anytime.c):
#   awk -f verdicts.awk metrics.tsv splits.tsv tables.tsv RECORDS CLAIMS
# recomputes n, mean difference, e-value, adjusted e-value and verdict of each row of CLAIMS and compares. Prints the number of orderings with runs; exits 1 on a difference.
BEGIN { FS = "\t"; G = 0.5; ALPHA = 0.05 }
FNR == 1 { input++; head = 0 }
/^#/ { next }
!head || $1 == "key" { delete at; for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next }
input == 1 { column[$1] = $at["column"]; scale[$1] = $at["scale"]; chosen[$1] = $at["select"]; kind[$1] = $at["kind"]; fixed[$1] = $at["fixed"]; margin[$1] = $at["equal"]; next }
input == 2 { splits[$1] = $at["count"]; next }
input == 3 { experiments[$1] = $at["experiment"]; extra[$1] = $at["extra"]; next }
input == 4 { # the last success of each key, in the order of the rows
    if ($at["status"] != "ok" || $at["setting"] ~ /(^|,)short=/) next
    id = $at["experiment"] SUBSEP $at["key"]
    if (!(id in row)) row[id] = ++rows
    k = row[id]
    experiment[k] = $at["experiment"]; dataset[k] = $at["dataset"]; model[k] = $at["model"]; loss[k] = $at["loss"]; setting[k] = $at["setting"]
    run[k] = $at["run"]; spec[k] = $at["spec"]
    select[k] = match($at["spec"], /select=[^ ]*/) ? substr($at["spec"], RSTART + 7, RLENGTH - 7) : "acc"
    split("test_acc macro_f1 weighted_f1 ece epoch_ms infer_ms peak_bytes within_links between_links", wanted, " ")
    for (c in wanted) if (wanted[c] in at) value[k, wanted[c]] = $at[wanted[c]]
    next
}
# Values by run of one side, into v; returns the spec of the cell.
function fill(v, table, metric, d, m, l, s,    list, n, e, k, last, some, have) {
    delete v
    n = split(kind[metric] == "machine" ? "efficiency,crf" : experiments[table], list, ",")
    for (e = 1; e <= n && !some; e++) {
        have = list[e]
        for (k = 1; k <= rows; k++) if (fits(k, have, table, d, m, l, s)) { some = 1; if (select[k] == chosen[metric] || select[k] == "each") exact = have SUBSEP d SUBSEP m SUBSEP l SUBSEP s }
    }
    for (k = 1; k <= rows; k++)
        if (fits(k, have, table, d, m, l, s) && picks(k, metric, exact == have SUBSEP d SUBSEP m SUBSEP l SUBSEP s)) last = spec[k]
    for (k = 1; k <= rows; k++)
        if (fits(k, have, table, d, m, l, s) && spec[k] == last && value[k, column[metric]] ~ /^-?[0-9.]/) v[run[k]] = value[k, column[metric]] * scale[metric]
    return last
}
function fits(k, e, table, d, m, l, s) {
    return experiment[k] == e && dataset[k] == d && (m == "-" || model[k] == m) && (l == "-" || loss[k] == l) &&
        (setting[k] == s || (extra[table] != "-" && setting[k] == (s == "-" ? extra[table] : s "," extra[table])))
}
function picks(k, metric, exact_there) { return !exact_there || chosen[metric] == "-" || select[k] == chosen[metric] || select[k] == "each" }
input == 5 {
    i = ++claims
    text[i] = $0; want_n[i] = $at["n"]; want_mean[i] = $at["difference"]; want_e[i] = $at["e_value"]; want_holm[i] = $at["e_holm"]; want[i] = $at["verdict"]
    up[i] = $at["claim"] ~ / > / ? 1 : -1; metric[i] = $at["metric"]
    how = fill(a, $at["table"], $at["metric"], $at["dataset"], $at["model_a"], $at["loss_a"], $at["setting_a"])
    fill(b, $at["table"], $at["metric"], $at["dataset"], $at["model_b"], $at["loss_b"], $at["setting_b"])
    most = ($at["dataset"] in splits) && how !~ /split=/ ? splits[$at["dataset"]] : 1e9
    S = V = 0; same = 1
    for (n = 0; (n in a) && (n in b) && n < most; n++) {
        x[i, n] = a[n] - b[n]; S += x[i, n]; V += x[i, n] ^ 2; k = n + 1
        same = same && (x[i, n] - x[i, 0]) ^ 2 < 1e-18
        log_e[i, k] = k > 1 && V > 0 ? -0.5 * log(1 + k * G) - k / 2 * log(1 - G * S * S / ((1 + k * G) * V)) : 0
        sum[i, k] = S
    }
    N[i] = n; mean[i] = n ? S / n : 0; equal[i] = same; var = 0
    for (k = 0; k < n; k++) var += (x[i, k] - mean[i]) ^ 2
    sd[i] = n > 1 ? sqrt(var / (n - 1)) : 0
    if (n > rounds) rounds = n
}
function near(x, y) { return x - y < 1e-6 * (1 + (y < 0 ? -y : y)) && y - x < 1e-6 * (1 + (y < 0 ? -y : y)) }
function wrong(i, what, mine, theirs) { print what ": " mine " instead of " theirs ": " text[i]; bad = 1 }
END {
    for (r = 1; r <= rounds; r++) { # e-Holm after each round; the largest adjusted value counts
        for (i = 1; i <= claims; i++) E[i] = N[i] ? exp(log_e[i, r < N[i] ? r : N[i]]) : 1
        for (i = 1; i <= claims; i++) if (N[i]) {
            m = 0
            for (j = 1; j <= claims; j++) if (j != i) { # insertion sort of the others
                for (k = m++; k > 0 && other[k - 1] > E[j]; k--) other[k] = other[k - 1]
                other[k] = E[j]
            }
            least = total = E[i]
            for (k = 0; k < m; k++) { total += other[k]; if (total / (k + 2) < least) least = total / (k + 2) }
            if (least > holm[i]) { holm[i] = least; sign[i] = sum[i, r < N[i] ? r : N[i]] > 0 ? 1 : -1 }
        }
    }
    for (i = 1; i <= claims; i++) {
        n = N[i]; verdict = "undecided"
        ratio = n ? ((1 + n * G) / ALPHA ^ 2) ^ (1 / n) : 1e9
        half = n > 1 && ratio < 1 + n * G ? sd[i] / sqrt(n) * sqrt((n - 1) * (ratio - 1) / (1 - ratio / (1 + n * G))) : 1e9
        if (!n) verdict = "not run"
        else if (n > 1 && fixed[metric[i]] == 1 && equal[i]) verdict = (mean[i] > 0) == (up[i] > 0) ? "confirmed" : "contradicted"
        else if (holm[i] >= 1 / ALPHA) verdict = sign[i] == up[i] ? "confirmed" : "contradicted"
        else if (margin[metric[i]] > 0 && mean[i] - half >= -margin[metric[i]] && mean[i] + half <= margin[metric[i]]) verdict = "equal"
        if (n != want_n[i]) wrong(i, "n", n, want_n[i])
        if (verdict != want[i]) wrong(i, "verdict", verdict, want[i])
        if (n && !near(mean[i], want_mean[i])) wrong(i, "difference", mean[i], want_mean[i])
        if (n && !near(exp(log_e[i, n]), want_e[i])) wrong(i, "e-value", exp(log_e[i, n]), want_e[i])
        if (n && !near(holm[i], want_holm[i])) wrong(i, "adjusted e-value", holm[i], want_holm[i])
        judged += n > 0
    }
    if (bad) exit 1
    print judged + 0
}
