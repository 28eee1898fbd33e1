#!/bin/sh
# Known records and curves give known numbers, captions and drawings. Missing and damaged files are reported in one line.
. "$srcdir/tests/tools/common.sh"
figures() { jcb figures --records "$tmp/records" --curves "$tmp/curves" --paper "$srcdir/paper_tables" --out "$tmp/out" >"$tmp/says" 2>&1 || fail "jcb figures: $(tail -n 1 "$tmp/says")"; }
said() { grep -q -- "$1" "$tmp/says" || fail "no message '$1'"; }
# cell NAME COLUMN CONDITION: one value of OUT/NAME.tsv
cell() { awk -F'\t' -v want="$2" '/^#/ { next } !n { for (i = 1; i <= NF; i++) at[$i] = i; n = 1; next } '"$3"' { print $at[want]; exit }' "$tmp/out/$1.tsv"; }
same() { [ "$1" = "$2" ] || fail "$3: $1 instead of $2"; }

# experiment dataset model loss setting origin accuracy runs: accuracies accuracy - 1, accuracy, accuracy + 1 %
mkdir -p "$tmp/records" "$tmp/curves/ece" "$tmp/curves/tsne" "$tmp/curves/loss_gap"
{
    for data in cora citeseer pubmed; do
        for n in 2 32; do echo "depth $data gcn ce layers=$n real 81 3"; echo "depth $data gcn jc layers=$n real 82 3"; done
        for way in metis kmeans random; do echo "clustering $data gcn jc clusters=5,partition=$way real 70 3"; done
    done
    echo 'clustering a"`echo>bad`%d\ gcn jc clusters=5,partition=metis real 70 3' # a name that gnuplot could take for commands
    for rate in 20 40; do echo "random_attack cora-lcc gcn ce ptb=$rate real 70 2"; done # one loss alone
    echo "cluster_count cora gcn jc clusters=5 real 80 3"
    echo "cluster_count cora gcn jc clusters=10 real 79 3"
    for loss in ce jc; do
        echo "balanced cora gcn $loss - real 81 3"
        echo "balanced facebook gcn $loss - twin 60 1"
        for model in sgc sage gat mlp; do echo "balanced cora $model $loss - real 80 8"; done # gains of 0, .1, ... .7
        echo "balanced pubmed gcn $loss - real 50 8" # gains of -40 and +40
        echo "balanced dblp gcn $loss - rebuilt 70 3"
        echo "balanced citeseer gcn $loss - real 70 3"
        echo "balanced citeseer sgc $loss - real 70 1" # a single pair
        echo "ece pubmed gcn $loss - real 80 2"
        echo "tsne cora gcn $loss layers=8 real 80 1"
        echo "loss_gap cora gcn $loss - substitute 80 2" # a stand-in is drawn too
    done
} | awk -v curves="$tmp/curves" 'BEGIN { OFS = "\t"; print "key", "results", "experiment", "dataset", "model", "loss", "setting", "run", "seed",
        "test_acc", "ece", "within_links", "between_links", "origin", "select", "param_hash", "status" }
    { for (run = 0; run < $8; run++) {
        key = sprintf("%016x", ++keys)
        gain = $1 != "balanced" || $4 != "jc" ? 0 : $2 == "pubmed" ? (run % 2 ? 0.4 : -0.4) : run / ($3 == "gcn" ? 100 : 1000)
        accuracy = ($7 + ($8 == 8 ? 0 : run - ($8 > 1))) / 100 + gain
        print key, 1, $1, $2, $3, $4, $5, run, run + 1, accuracy, 0.1, 90, 10, $6, "acc", 0, "ok"
        file = curves "/" $1 "/" key ".tsv"
        if ($1 == "ece") { print "lo", "hi", "count", "confidence", "accuracy" >file
            for (b = 0; b < 10; b++) if (b > 4) print b / 10, b / 10 + 0.1, 10, b / 10 + 0.05, b / 10 >file; else print b / 10, b / 10 + 0.1, 0, "", "" >file }
        if ($1 == "tsne") { print "# silhouette 0.25" >file; print "node", "class", "x", "y" >file
            for (i = 0; i < 30; i++) print i, i % 3, i % 3 + i / 100, i * i % 7 >file }
        if ($1 == "loss_gap") { print "epoch", "train_loss", "test_loss" >file
            for (e = 1; e <= 20; e++) print e, 2 / e, 2 / e + e * ($4 == "ce" ? 2 : 1) + run >file }
        close(file) } }' >"$tmp/records/all.tsv"

figures
said "^heterophilic: no records of bench_heterophilic; skipped$"
said "^dots-adv_res: no records of bench_attack; skipped$"
[ -e "$tmp/out/heterophilic.tsv" ] && fail "a figure without runs was written"
for name in gains overall ours-vs-paper over-smooth cluster_num t-sne reliability calibration clustering balanced dots-main_res; do
    [ -s "$tmp/out/$name.tsv" ] && [ -s "$tmp/out/$name.txt" ] || fail "$name is missing"
done
ce2='$at["title"] == "Cora" && $at["series"] == "CE" && $at["x"] == 2'
same "$(cell over-smooth mean "$ce2") $(cell over-smooth lo "$ce2") $(cell over-smooth hi "$ce2") $(cell over-smooth n "$ce2")" "81 78.51586229 83.48413771 3" "Cora, CE, 2 layers"
same "$(cell balanced paper '$at["series"] == "JC" && $at["title"] == "Cora" && $at["label"] == "GCN"')" 83.51 "the paper's value"
same "$(cell random_attack mean '$at["series"] == "CE" && $at["x"] == 40')" 69.5 "a figure of one series names it"
same "$(cell balanced origin '$at["title"] == "DBLP (rebuilt)" && $at["n"] == 3')" rebuilt "origin"
same "$(cell balanced origin '$at["title"] == "Facebook (twin)" && $at["n"] == 1')" twin "origin"
gain='$at["label"] == "Cora, GCN"' # 0, 1, 2: fewer than six runs
same "$(cell gains mean "$gain") $(cell gains series "$gain") $(cell gains paper "$gain") $(cell gains lo "$gain") $(cell gains hi "$gain")" "1 open 1.81 -inf inf" "gain"
# (3 * 2.5 / 3 + 4 * 7.5 / 8 + 4 / 8) / 8 of the runs; means three times 1, 4 times .35 and 0; the twin and the single pair stay out
same "$(cell overall mean '$at["label"] == "all models"')" 0.84375 "P(JC > CE)"
same "$(awk -F'\t' '$6 == "gain"' "$tmp/out/overall.tsv" | wc -l) $(grep -c Facebook "$tmp/out/overall.tsv")" "8 0" "cells of the profile"
same "$(cell overall mean '$at["series"] == "JC" && $at["x"] > 0.4') $(cell overall mean '$at["series"] == "JC" && $at["x"] > 0.1')" "0.375 0.875" "profile"
same "$(cell clustering n '$at["series"] == "Random" && $at["label"] == "Cora"')" 3 "random clusters"
same "$(cell cluster_num n '$at["title"] == "Yelp"')" 0 "a panel without runs"
same "$(cell t-sne mean '$at["series"] == "CE" && $at["panel"] == 3 && $at["x"] == 20')" 1 "the largest gap"
same "$(cell reliability mean '$at["series"] == "accuracy" && $at["row"] == 6') $(cell reliability n '$at["series"] == "accuracy"')" "0.5 2" "accuracy of a bin"
grep -q "real: Cora, CiteSeer, PubMed; rebuilt: DBLP; twin: Facebook" "$tmp/out/balanced.txt" && grep -q "Runs a point: 1 to 8" "$tmp/out/balanced.txt" || fail "caption: $(cat "$tmp/out/balanced.txt")"
grep -q "bench/bench_depth, then make figures" "$tmp/out/over-smooth.txt" || fail "caption without command"
same "$(cell calibration mean '$at["series"] == "JC"') $(cell calibration paper '$at["series"] == "JC"') $(grep -c 'fitted T' "$tmp/out/calibration.tsv")" "10 6.82 0" "ECE, of records without temperatures"
cp -r "$tmp/out" "$tmp/first"
figures
diff -r "$tmp/first" "$tmp/out" >/dev/null || fail "the same records give other bytes"

# Cells beyond the paper: a data set and a CE of ours, which are neither left out nor confused with printed ones.
cp "$tmp/records/all.tsv" "$tmp/all.tsv"
awk -F'\t' 'BEGIN { OFS = "\t" } NR > 1 && $3 == "balanced" && $4 == "cora" { $3 = "heterophilic"; $4 = "chameleon"; $1 = "1" substr($1, 2); print
    $4 = "chameleon-filtered"; $1 = "2" substr($1, 2); print; if ($6 == "ce") { $4 = "chameleon"; $7 = "tuning=none"; $10 -= 0.2; $1 = "3" substr($1, 2); print } }' \
    "$tmp/all.tsv" >>"$tmp/records/all.tsv"
figures
plain='$at["title"] == "Chameleon" && $at["label"] == "GCN"'
same "$(cell heterophilic mean "$plain"' && $at["series"] == "CE"') $(cell heterophilic paper "$plain"' && $at["series"] == "CE"')" "81 59.25" "tuned CE"
same "$(cell heterophilic mean "$plain"' && $at["series"] == "CE, untuned"') $(cell heterophilic paper "$plain"' && $at["series"] == "CE, untuned"')" "61 -" "untuned CE"
same "$(cell heterophilic n '$at["title"] == "Chameleon filtered" && $at["series"] == "JC"')" 3 "a data set of ours"
same "$(cell dots-tab_hete mean '$at["group"] == "Chameleon" && $at["label"] == "GCN, untuned, CE"')" 61 "a line of its own"
cp "$tmp/out/heterophilic.tsv" "$tmp/out/heterophilic.txt" "$tmp/first/"
mv "$tmp/all.tsv" "$tmp/records/all.tsv"
rm -r "$tmp/out"

# Damaged curves: one line, and the figure has the other runs.
set -- "$tmp"/curves/ece/*.tsv
printf '0.5\t0.6' >>"$1"
figures
said "^reliability: 1 curve file left out (.*a torn one, not the curve of a run)$"
same "$(cell reliability n '$at["series"] == "accuracy"')" 1 "runs left"
for curve; do printf 'lo\thi\tcount\tconfidence\taccuracy\n0\t0.1\tmany\t1\t1\n' >"$curve"; done
set -- "$tmp"/curves/loss_gap/*.tsv
for curve; do sed 's/^5\t[^\t]*/5\tnan/' "$curve" >"$tmp/new" && mv "$tmp/new" "$curve"; done
figures
said "^reliability: no curve can be read (.*); skipped$"
said "^t-sne: 4 curve files left out (.*row 5: train_loss is no number)$"
[ -e "$tmp/out/reliability.tsv" ] && fail "a figure of damaged curves was written"
rm "$tmp"/curves/tsne/*.tsv
figures
said "^t-sne: no curve can be read"
[ "$(wc -l <"$tmp/says")" -eq "$(grep -c ': ' "$tmp/says")" ] || fail "a message of several lines"
jcb figures --records "$tmp/none" --paper "$srcdir/paper_tables" --out "$tmp/nothing" 2>"$tmp/says" && fail "no records: exit 0"
said "none: no records"
[ -e "$tmp/nothing" ] && fail "no records, but a directory"

# Drawing.
mkdir "$tmp/bin"
ln -s "$(command -v dirname)" "$tmp/bin/dirname"
PATH="$tmp/bin" /bin/sh "$srcdir/plots/draw.sh" "$tmp/first" | grep -q "gnuplot is not installed" || fail "no message without gnuplot"
command -v gnuplot >/dev/null || { echo "numbers and captions are right; no gnuplot: drawing skipped"; exit 77; }
"$srcdir/plots/draw.sh" "$tmp/first" >"$tmp/says" 2>&1 || fail "draw.sh: $(cat "$tmp/says")"
drawn=0
for data in "$tmp"/first/*.tsv; do
    base=${data%.tsv}
    [ "$(dd if="$base.png" bs=1 skip=1 count=3 2>/dev/null)" = PNG ] || fail "$base.png"
    [ "$(dd if="$base.pdf" bs=1 count=5 2>/dev/null)" = "%PDF-" ] || fail "$base.pdf"
    grep -q "<svg" "$base.svg" && grep -q "</svg>" "$base.svg" || fail "$base.svg"
    [ "$(wc -c <"$base.png")" -gt 5000 ] || fail "$base.png is empty"
    ! command -v xmllint >/dev/null || xmllint --noout "$base.svg" || fail "$base.svg is not well-formed"
    drawn=$((drawn + 1))
done
grep -q "a''echo>bad'%d'" "$tmp/first/clustering.svg" && [ ! -e bad ] || fail "a hostile name"
# The interval of PubMed extends beyond -70 and +70, the others are below 8: it is cut, so that the axis stays readable.
far=$(cell gains hi '$at["label"] == "PubMed, GCN"')
[ "${far%.*}" -gt 70 ] || fail "an interval up to $far"
grep -q '>5</text>\|>4</text>' "$tmp/first/gains.svg" && ! grep -q '>-\{0,1\}[2-9][0-9]</text>' "$tmp/first/gains.svg" || fail "gains: the axis follows a wide interval"
grep -q "not run: .*Yelp" "$tmp/first/cluster_num.svg" || fail "Yelp is not named"
grep -q "Facebook (twin)" "$tmp/first/balanced.svg" || fail "the twin is not named"
echo "# plots/nothing.gp" >"$tmp/bin/broken.tsv"
echo "Broken" >"$tmp/bin/broken.txt"
"$srcdir/plots/draw.sh" "$tmp/bin" >"$tmp/says" 2>&1 && fail "a script that is not there was drawn"
[ "$(wc -l <"$tmp/says")" -eq 1 ] && [ ! -e "$tmp/bin/broken.png" ] || fail "a failure leaves $(cat "$tmp/says")"
echo "$drawn figures drawn"
