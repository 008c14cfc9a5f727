/* Search beside the function: each input is chosen by how the one before it went, without a word to the worker in
   between. All that is known is in shared memory: when an input kills its process, the next one goes on from there, and
   only that input is lost. annealing.py has the same fields in the same order. */
#ifndef PESSIMAL_ANNEALING_H
#define PESSIMAL_ANNEALING_H
#include <math.h>
#include <stdint.h>

#include "leaves.h"

enum objective { GOAL, MOST_BRANCHES, MOST_STEPS };
enum { KEPT_FAILURES = 8, FRESH_CYCLES = 4 };

struct rank { /* smaller ones are better: the level counts first */
    int64_t level;
    double distance;
};

struct annealing {
    uint64_t random;
    int64_t objective, most, done, is_running, has_input, is_found, cycles;
    double is_fresh; /* the share of inputs that depend on none before them */
    double ends_at, cooling, temperature, scale;
    struct rank input, best;
    int64_t levels, wanted, sequences, failures;
    int64_t domains_at, suggested_at, sequences_at, levels_at, wanted_at, input_at, best_at, failures_at;
};

struct failure {
    int64_t status, code;
    union leaf leaves[];
};

static int compare(struct rank one, struct rank other) {
    if (one.level != other.level) return one.level < other.level ? -1 : 1;
    return one.distance < other.distance ? -1 : one.distance > other.distance;
}

/* A number for probabilities. Distances have any scale, so that it is their order of magnitude which counts: that of the
   bits of a number that is not negative. */
static double energy(const struct annealing *it, struct rank rank) {
    int64_t bits;
    if (it->objective != GOAL) return (double)rank.level * 1e300 + rank.distance;
    memcpy(&bits, &rank.distance, sizeof bits);
    return (double)rank.level * 0x1p63 + (double)bits;
}

/* How near a run came: the first level on the way to the goal that it reached. Levels are numbers of slots, each list
   after its length, from the goal itself outwards. */
static struct rank nearness(const struct annealing *it, const int64_t *level, const double *row, int counts) {
    for (int64_t i = 0; i < it->levels; i++, level += 1 + level[0]) {
        double nearest = INFINITY;
        for (int64_t slot = 1; slot <= level[0]; slot++) {
            double distance = row[level[slot]];
            if (distance == 0.0 && !counts) distance = 1e-3; /* it comes near, and does not count */
            if (distance < nearest) nearest = distance;
        }
        if (isfinite(nearest)) return (struct rank){i, nearest};
    }
    return (struct rank){it->levels, 0.0};
}

static int is_accepted(struct annealing *it, const struct space *space, struct rank rank) {
    if (!it->has_input || compare(rank, it->input) <= 0) return 1;
    double worse = energy(it, rank) - energy(it, it->input), size = fmin(fabs(worse), 1e300);
    it->scale = 0.9 * it->scale + 0.1 * size;
    return unit(space) < exp(-fmin(worse / fmax(it->temperature * it->scale, 1e-12), 700.0));
}

/* Cool down; at the end begin again from the best input, and now and then from a random one. */
static void cool(struct annealing *it, const struct space *space, union leaf *input, const union leaf *best) {
    it->temperature *= it->cooling;
    if (it->temperature >= 0.01) return;
    it->temperature = 1.0;
    it->input = it->best;
    memcpy(input, best, space->leaves * sizeof *input);
    it->has_input = ++it->cycles % FRESH_CYCLES != 0;
}
#endif
