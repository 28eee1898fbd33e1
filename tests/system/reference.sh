#!/bin/sh
# The library against reference/jc.c: the same loss, gradient, training and probabilities, from two initialisations and three widths.
. "$srcdir/tests/tools/common.sh"
for model in gcn mlp; do
    for loss in ce jc; do
        for hidden in 1 6 19; do
            reference/jc "$srcdir/tests/fixtures/parity/toy" model=$model loss=$loss hidden=$hidden lr=.02 wd=.01 tau=.7 seed=$hidden fixture=1 \
                >"$tmp/$model-$loss-$hidden.txt" || fail "reference $model $loss"
        done
    done
done
tests/run_double test_parity "$tmp" || fail "the fast path differs from the reference"
[ "$(tests/run_double test_parity "$tmp" | grep -c probabilities)" = 24 ] || fail "not every fixture was compared"
sed 's/^spec tau .*/spec tau 0.7001/' "$tmp/gcn-jc-6.txt" >"$tmp/wrong.txt" # a different temperature must be detected
tests/run_double test_parity "$tmp" >"$tmp/out" 2>&1 && fail "a wrong temperature passed"
expect 0 '^gcn jc: test [0-9.]* %, validation' reference/jc "$srcdir/tests/fixtures/parity/toy" model=gcn loss=jc epochs=30
expect 2 usage reference/jc "$srcdir/tests/fixtures/parity/toy" model=gat
echo "$checks checks passed"
