/* QTIP as its paper describes it, by itself: the four functions with their distances, the environment, Double DQN.

   published train FILE EPISODES RATE SEED SECONDS      trains, and goes on with what FILE has
   published cover FILE RATE RANGE BUDGET RUNS          covers each branch of each function, RATE 0 without learning

   Where the paper is silent this does what its library, keras-rl, does: one in ten actions is random, the target network
   follows by 0.01, learning begins with the eleventh step, and an episode that is out of steps counts as ended. The
   window holds the action, counted from 1, the approach level and the distance as it is; the reward is the decrease of
   level + 1 - 1.001^-distance. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEEN = 3, WINDOW = 200, INPUTS = SEEN * WINDOW, HIDDEN = 16, ACTIONS = 4, BATCH = 32, MEMORY = 5000 };
enum { GROUP = 4, HALF = 8, RING = MEMORY + WINDOW, TRAINING_STEPS = 2000, TRAINING_RANGE = 128, WARM_UP = 10, TRIES = 200, TESTS = 13 };
static const double FAR = 1e300, EXPLORED = 0.1, DISCOUNT = 0.99, FOLLOWED = 0.01, DECAY = 1e-6;

/* The functions: each test notes how far it was from both outcomes. Slot 2 * test is true, 2 * test + 1 is false. */

static double nearest[2 * TESTS];

static int test(int number, int is_true, double to_true, double to_false) {
    double *slot = nearest + 2 * number;
    if (to_true < slot[0]) slot[0] = to_true;
    if (to_false < slot[1]) slot[1] = to_false;
    return is_true;
}

static int less(int number, int a, int b) { return test(number, a < b, a < b ? 0 : a - b + 1, a < b ? b - a : 0); }
static int more(int number, int a, int b) { return less(number, b, a); }
static int at_most(int number, int a, int b) { return test(number, a <= b, a <= b ? 0 : a - b, a <= b ? b - a + 1 : 0); }
static int at_least(int number, int a, int b) { return at_most(number, b, a); }
static int equal(int number, int a, int b) { return test(number, a == b, abs(a - b), a == b); }
static int unequal(int number, int a, int b) { return test(number, a != b, a == b, abs(a - b)); }

static void training(int a, int b) {
    equal(0, a, b), unequal(1, a, b), less(2, a, b), at_most(3, a, b), more(4, a, b);
}

static void gcd(int a, int b) {
    if (less(0, a, 0)) a = -a;
    if (less(1, b, 0)) b = -b;
    if (less(2, a, b)) {
        int t = a;
        a = b, b = t;
    }
    while (unequal(3, b, 0)) {
        int t = a % b;
        a = b, b = t;
    }
}

static void exponentiation(int x, int n) {
    (void)x;
    if (less(0, n, 0)) n = -n;
    if (equal(1, n, 0) || equal(2, n, 1)) return;
    while (more(3, n, 1)) n = equal(4, n % 2, 0) ? n / 2 : (n - 1) / 2;
}

static void remainder_of(int a, int b) {
    int r = -1, quotient = 0, done = 0;
    if (equal(0, a, 0)) {
        r = 0;
    } else if (equal(1, b, 0)) {
        r = -2;
    } else if (more(2, a, 0)) {
        if (more(3, b, 0)) {
            while (at_least(4, a - done, b)) done += b, quotient++;
            r = a - done;
        } else {
            while (at_least(5, a + done, -b)) done += b, quotient--;
            r = a + done;
        }
    } else if (more(6, b, 0)) {
        while (at_least(7, -(a + done), b)) done += b, quotient--;
        r = a + done;
        if (less(8, r, 0)) r = -r;
    } else {
        while (at_least(9, b, a - done)) done += b, quotient++;
        r = a - done;
        if (less(10, r, 0)) r = -r;
    }
    if (less(11, quotient, 0)) quotient = -quotient;
    more(12, quotient, r);
}

/* For each test the slot that it depends on, or -1. */
static const struct function {
    const char *name;
    void (*run)(int, int);
    int tests, parents[TESTS];
} FUNCTIONS[] = {
    {"training", training, 5, {-1, -1, -1, -1, -1}},
    {"remainder_of", remainder_of, 13, {-1, 1, 3, 4, 6, 7, 5, 12, 12, 13, 13, -1, -1}},
    {"gcd", gcd, 4, {-1, -1, -1, -1}},
    {"exponentiation", exponentiation, 5, {-1, -1, 3, 5, 6}},
};

/* Everything that a training is resumed from. */

typedef float vector __attribute__((vector_size(HIDDEN * sizeof(float))));
typedef float half __attribute__((vector_size(HALF * sizeof(float)), may_alias));
typedef int32_t mask __attribute__((vector_size(HIDDEN * sizeof(float))));

/* The last layer has as many outputs as the others, of which all but ACTIONS stay 0. */
struct network {
    vector weights1[INPUTS], biases1, weights2[HIDDEN], biases2, weights3[HIDDEN], biases3, weights4[HIDDEN], biases4;
};
enum { PARAMETERS = sizeof(struct network) / sizeof(float) };

struct step {
    float reward;
    int action, has_ended, age; /* no action yet: -1; age counts from the start of the episode */
};

static struct {
    struct network online, target;
    float mean[PARAMETERS], square[PARAMETERS];
    struct step steps[RING];
    float seen[2 * RING][SEEN]; /* written twice, so that each window is one piece, the oldest step first */
    uint64_t random;
    long count, updates, episodes, taken;
    int input[2], goal, level;
    double distance;
} now;

static const struct function *function;
static double rate;

static double drawn(void) {
    now.random ^= now.random << 13, now.random ^= now.random >> 7, now.random ^= now.random << 17;
    return (double)(now.random >> 11) / 9007199254740992.0;
}

/* The environment. */

static double normalised(double distance) { return 1 - pow(1.001, -distance); }
static double fitness(void) { return now.level + normalised(now.distance); }
static int is_covered(void) { return now.level == 0 && now.distance == 0; }

static void measure(void) {
    for (int slot = 0; slot < 2 * TESTS; slot++) nearest[slot] = FAR;
    function->run(now.input[0], now.input[1]);
    now.level = 0;
    for (int slot = now.goal; slot >= 0; slot = function->parents[slot / 2], now.level++) {
        if (nearest[slot] < FAR) {
            now.distance = nearest[slot];
            return;
        }
    }
    now.distance = 1;
}

static void see(int action, int age) {
    long at = now.count++ % RING;
    float seen[SEEN] = {action, now.level, now.distance};
    now.steps[at] = (struct step){0, -1, 0, age};
    memcpy(now.seen[at], seen, sizeof seen), memcpy(now.seen[at + RING], seen, sizeof seen);
}

static void reset(int goal, int range) {
    now.goal = goal;
    for (int tries = 0; tries < TRIES; tries++) {
        for (int leaf = 0; leaf < 2; leaf++) now.input[leaf] = (int)(drawn() * (2 * range + 1)) - range;
        measure();
        if (!is_covered()) break;
    }
    see(0, 0);
}

static void take(int action, int range, int most) {
    struct step *last = &now.steps[(now.count - 1) % RING];
    double before = fitness();
    int *leaf = &now.input[action / 2];
    *leaf += action % 2 ? 1 : -1;
    if (*leaf > range) *leaf = range;
    if (*leaf < -range) *leaf = -range;
    measure();
    last->action = action, last->reward = before - fitness(), last->has_ended = is_covered() || last->age + 1 >= most;
    see(action + 1, last->age + 1);
}

/* The network. */

struct layers {
    float inputs[INPUTS];
    vector first, second, third, values;
};

static void look(long at, float *inputs) {
    int known = now.steps[at % RING].age + 1, steps = known < WINDOW ? known : WINDOW;
    memset(inputs, 0, sizeof(float) * SEEN * (WINDOW - steps));
    memcpy(inputs + SEEN * (WINDOW - steps), now.seen[at % RING + RING - steps + 1], sizeof(float) * SEEN * steps);
}

static vector cut(vector values) { return (vector)((mask)values & (values > 0)); }

static vector layer(vector in, const vector *weights, vector biases) {
    for (int i = 0; i < HIDDEN; i++) biases += in[i] * weights[i];
    return biases;
}

/* The first layer, by halves that fit into registers, and several at a time, so that its weights are read once. */
static void first_layer(const struct network *net, struct layers *group) {
    for (int part = 0; part < HIDDEN / HALF; part++) {
        half sums[GROUP];
        for (int k = 0; k < GROUP; k++) sums[k] = ((const half *)&net->biases1)[part];
        for (int i = 0; i < INPUTS; i++)
            for (int k = 0; k < GROUP; k++) sums[k] += group[k].inputs[i] * ((const half *)&net->weights1[i])[part];
        for (int k = 0; k < GROUP; k++) ((half *)&group[k].first)[part] = sums[k];
    }
}

static void forward(const struct network *net, struct layers *group) {
    first_layer(net, group);
    for (int k = 0; k < GROUP; k++) {
        group[k].first = cut(group[k].first);
        group[k].second = cut(layer(group[k].first, net->weights2, net->biases2));
        group[k].third = cut(layer(group[k].second, net->weights3, net->biases3));
        group[k].values = layer(group[k].third, net->weights4, net->biases4);
    }
}

static int best(vector values) {
    int found = 0;
    for (int action = 1; action < ACTIONS; action++)
        if (values[action] > values[found]) found = action;
    return found;
}

static int chosen(double explored) {
    static struct layers group[GROUP];
    if (drawn() < explored) return (int)(drawn() * ACTIONS);
    look(now.count - 1, group[0].inputs);
    forward(&now.online, group);
    return best(group[0].values);
}

/* Adds the gradient of one layer; the error of what came in, where that was not cut off at 0. */
static vector back(vector in, vector error, const vector *weights, vector *gradient) {
    vector found = {0};
    for (int i = 0; i < HIDDEN; i++) {
        vector products = weights[i] * error;
        gradient[i] += in[i] * error;
        for (int j = 0; j < HIDDEN; j++) found[i] += products[j];
    }
    return (vector)((mask)found & (in > 0));
}

static void add_gradient(const long *at, struct network *gradient) {
    static struct layers here[GROUP], next[GROUP], judged[GROUP];
    const struct network *net = &now.online;
    vector errors[GROUP];
    for (int k = 0; k < GROUP; k++) {
        look(at[k], here[k].inputs), look(at[k] + 1, next[k].inputs);
        memcpy(judged[k].inputs, next[k].inputs, sizeof next[k].inputs);
    }
    forward(net, here), forward(net, next), forward(&now.target, judged);
    for (int k = 0; k < GROUP; k++) {
        const struct step *step = &now.steps[at[k] % RING];
        vector error = {0};
        float worth = step->has_ended ? 0 : (float)DISCOUNT * judged[k].values[best(next[k].values)];
        error[step->action] = (here[k].values[step->action] - step->reward - worth) / BATCH;
        gradient->biases4 += error, error = back(here[k].third, error, net->weights4, gradient->weights4);
        gradient->biases3 += error, error = back(here[k].second, error, net->weights3, gradient->weights3);
        gradient->biases2 += error, error = back(here[k].first, error, net->weights2, gradient->weights2);
        gradient->biases1 += error, errors[k] = error;
    }
    for (int i = 0; i < INPUTS; i++)
        for (int k = 0; k < GROUP; k++) gradient->weights1[i] += here[k].inputs[i] * errors[k];
}

/* Adam, and what the target network follows by. */
static void adapt(float *restrict weights, float *restrict follower, float *restrict mean, float *restrict square,
                  const float *restrict gradient, float size) {
    for (int i = 0; i < PARAMETERS; i++) {
        mean[i] = 0.9f * mean[i] + 0.1f * gradient[i];
        square[i] = 0.999f * square[i] + 0.001f * gradient[i] * gradient[i];
        weights[i] -= size * mean[i] / (sqrtf(square[i]) + 1e-8f);
        follower[i] += (float)FOLLOWED * (weights[i] - follower[i]);
    }
}

static void learn(void) {
    static struct network gradient;
    long known = now.count < MEMORY ? now.count : MEMORY;
    memset(&gradient, 0, sizeof gradient);
    for (int group = 0; group < BATCH; group += GROUP) {
        long at[GROUP];
        for (int k = 0; k < GROUP;) {
            at[k] = now.count - known + (long)(drawn() * (known - 1));
            k += now.steps[at[k] % RING].action >= 0; /* the last step of an episode has none */
        }
        add_gradient(at, &gradient);
    }
    double power = ++now.updates, size = rate / (1 + DECAY * (power - 1));
    size *= sqrt(1 - pow(0.999, power)) / (1 - pow(0.9, power));
    adapt((float *)&now.online, (float *)&now.target, now.mean, now.square, (float *)&gradient, (float)size);
}

static void spread(vector *weights, int inputs, int outputs) {
    for (int i = 0; i < inputs; i++)
        for (int j = 0; j < outputs; j++) weights[i][j] = (float)((2 * drawn() - 1) * sqrt(6.0 / (inputs + outputs)));
}

static void begin(uint64_t seed) {
    now.random = 88172645463325252ULL ^ (seed + 1) * 0x9E3779B97F4A7C15ULL;
    for (int i = 0; i < 20; i++) drawn();
    spread(now.online.weights1, INPUTS, HIDDEN), spread(now.online.weights2, HIDDEN, HIDDEN);
    spread(now.online.weights3, HIDDEN, HIDDEN), spread(now.online.weights4, HIDDEN, ACTIONS);
    now.target = now.online;
}

static void train(long episodes, double seconds) {
    clock_t began = clock();
    long covered = 0, first = now.episodes, steps = now.taken;
    function = &FUNCTIONS[0];
    if (!now.count) reset((int)(drawn() * 2 * function->tests), TRAINING_RANGE);
    while (now.episodes < episodes && (double)(clock() - began) / CLOCKS_PER_SEC < seconds) {
        take(chosen(EXPLORED), TRAINING_RANGE, TRAINING_STEPS);
        now.taken++;
        if (now.count > WARM_UP + BATCH) learn();
        if (now.steps[(now.count - 2) % RING].has_ended) {
            covered += is_covered();
            now.episodes++;
            reset((int)(drawn() * 2 * function->tests), TRAINING_RANGE);
        }
    }
    printf("{\"episodes\": %ld, \"steps\": %ld, \"new episodes\": %ld, \"new steps\": %ld, \"new covered\": %ld}\n",
           now.episodes, now.taken, now.episodes - first, now.taken - steps, covered);
}

static void cover(int range, int budget, int runs) {
    static __typeof__(now) trained;
    trained = now;
    for (size_t number = 0; number < sizeof FUNCTIONS / sizeof *FUNCTIONS; number++) {
        double sum = 0, squares = 0, evaluations = 0;
        now = trained, now.count = 0, now.target = now.online, function = &FUNCTIONS[number];
        int goals = 2 * function->tests;
        for (int run = 0; run < runs; run++) {
            int covered = 0;
            for (int goal = 0, used = 0; goal < goals; goal++, used = 0) {
                for (reset(goal, range); !is_covered() && used < budget; used++) {
                    take(chosen(rate > 0 ? EXPLORED : 0), range, budget);
                    if (rate > 0 && now.count > WARM_UP + BATCH) learn();
                }
                covered += is_covered(), evaluations += used + 1;
            }
            double share = 100.0 * covered / goals;
            sum += share, squares += share * share;
        }
        double mean = sum / runs;
        printf("{\"function\": \"%s\", \"range\": %d, \"covered\": %.2f, \"spread\": %.2f, \"evaluations\": %.1f}\n",
               function->name, range, mean, sqrt(fabs(squares / runs - mean * mean)), evaluations / runs / goals);
        fflush(stdout);
    }
}

int main(int count, char **words) {
    int is_training = count == 7 && !strcmp(words[1], "train");
    if (!is_training && (count != 7 || strcmp(words[1], "cover"))) return 2;
    FILE *file = fopen(words[2], "rb");
    if (file != NULL) {
        if (fread(&now, sizeof now, 1, file) != 1) return 2;
        fclose(file);
    } else if (is_training) {
        begin(strtoull(words[5], NULL, 10));
    } else {
        return 2;
    }
    if (!is_training) {
        rate = atof(words[3]);
        cover(atoi(words[4]), atoi(words[5]), atoi(words[6]));
        return 0;
    }
    rate = atof(words[4]);
    train(atol(words[3]), atof(words[6]));
    file = fopen(words[2], "wb");
    return file == NULL || fwrite(&now, sizeof now, 1, file) != 1 || fclose(file);
}
