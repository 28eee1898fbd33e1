/* soft: cross-entropy with targets that are mixtures of the node's label and a softer distribution q_i:
 *
 *   t_i = (1 - e) onehot(y_i) + e q_i,   p = softmax(logits),   loss = -(1/L) sum_i t_i . log p_i
 *   d loss / d logits_i = (p_i - t_i) / L
 *
 * An objective is an op_kind with these functions and a bind that says what q is. Prediction and network: as CE. */
#ifndef JCB_SOFT_H
#define JCB_SOFT_H

#include "loss.h"

/* Fills q (targets x classes), which is zero, with the distributions of the targets t. */
typedef void soft_labels(mat q, workspace *ws, const op_state *n, const targets *t);

void soft_bind(workspace *ws, op_state *n, soft_labels *labels);
void soft_forward(workspace *ws, op_state *n);
void soft_backward(workspace *ws, op_state *n);
void soft_build(model *m, const spec *s, const backbone *b, const op_kind *kind);

#endif
