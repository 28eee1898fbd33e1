/* methods: the attacks that there are. */
#include "../data/variant/attack.h"

const attack_method attack_methods[] = {
    {"metaself", "exact meta-gradient of the loss outside the training nodes (Zuegner & Guennemann 2019)", meta_run,
     meta_memory, NULL, 0, 0},
    {"ameta", "its first-order approximation: gradients summed over the steps of training", meta_run, meta_memory, NULL,
     0, 1},
    {"metatrain", "exact meta-gradient of the training loss", meta_run, meta_memory, NULL, 1, 0},
    {"metaboth", "exact meta-gradient of the mean of both losses", meta_run, meta_memory, NULL, 0.5, 0},
    {"dice", "removes a link within a class or adds one between classes, at random", draw_dice, NULL, draw_dice_most, 0,
     0},
    {"random", "adds links at random", draw_random, NULL, draw_random_most, 0, 0},
    {"prbcd", "projected randomised block coordinate descent on a trained GCN (Geisler et al. 2021)", bcd_projected,
     bcd_projected_memory, NULL, 0, 0},
    {"grbcd", "its greedy variant", bcd_greedy, bcd_greedy_memory, NULL, 0, 0},
    {0},
};
