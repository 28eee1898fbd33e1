/* network: a backbone with an objective, trained and tested by train/trainer.h. */
#include "method.h"

const method method_network = {
    .name = "network", .about = "a backbone with an objective", .cost = 1, .trainer = trainer_new};
