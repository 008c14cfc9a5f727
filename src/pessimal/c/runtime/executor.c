/* Runs a target on inputs that it finds in shared memory.

   The first process loads the target and never runs it. It forks a child, which runs inputs one after the other. A child
   that dies takes only its current input with it: the first process notes how it died, and a new child goes on with
   the next input. The layout of the memory is described in executor.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "annealing.h"
#include "arguments.h"
#include "control.h"
#include "leaves.h"
#include "pessimal.h"

enum status { RETURNED, SIGNALLED, EXITED, OUT_OF_TIME, OUT_OF_STEPS, ABORTED, UNDEFINED };
enum mode { WITH_EVENTS = 1, WITH_ROWS = 2, NATIVE = 4, WITH_LINES = 8, ANNEALING = 16 };
enum { TICKS = 100, FURTHER = -2, SELF = 0x7fffffff };

struct result {
    int32_t status, code;
    int64_t branches, steps;
};

struct range {
    int64_t offset, size;
};

struct output {
    char returned[4096], text[512], message[512];
    int64_t text_size;
};

typedef void entry(char *arguments, void *returned);

struct library {
    entry *call;
    int has_text;
    char *base, *saved;
};

double *pess_nearest, pess_difference;
unsigned char *pess_lines;
struct pess_event *pess_next, *pess_last;
long long pess_branches, pess_steps, pess_most_steps;

static char *memory;
static struct control *control;
static struct library libraries[2];
static struct range *ranges[2];
static sigjmp_buf after_run;
static int executor_wakes, worker_wakes, copying[2];
static volatile sig_atomic_t has_ticked = 1; /* a new child looks at the clock first */
static char *arguments;
static double *scratch_row;
static unsigned char *scratch_lines;

static double to_label(long long value, const long long label[3]) {
    double gap = value < label[0] ? (double)label[0] - (double)value : (double)value - (double)label[1];
    return value >= label[0] && value <= label[1] ? 0.0 : gap < 1.0 ? 1.0 : gap;
}

/* The event of a switch is followed by one for each label, with slot FURTHER, for how far away its outcome was. */
static void note_switch(
    int slot, int taken, long long value, const long long (*labels)[3], int count, int outcomes) {
    if (pess_last - pess_next < count + 2) return;
    *pess_next++ = (struct pess_event){.slot = slot, .outcome = taken, .left = (double)value};
    for (int i = 0; i < count; i++)
        *pess_next++ = (struct pess_event){FURTHER, (int)labels[i][2], 0.0, 0.0, to_label(value, labels[i])};
    if (taken != outcomes - 1) *pess_next++ = (struct pess_event){FURTHER, outcomes - 1, 0.0, 0.0, 1.0};
    pess_next->slot = -1;
}

void pess_pick(int slot, long long value, const long long (*labels)[3], int count, int outcomes) {
    double *nearest = pess_nearest + slot;
    int taken = outcomes - 1;
    for (int i = 0; i < count; i++) {
        double gap = to_label(value, labels[i]);
        if (gap == 0.0) taken = (int)labels[i][2];
        else if (gap < nearest[labels[i][2]]) nearest[labels[i][2]] = gap;
    }
    if (taken != outcomes - 1 && nearest[outcomes - 1] > 1.0) nearest[outcomes - 1] = 1.0;
    nearest[taken] = 0.0;
    pess_branches++;
    note_switch(slot, taken, value, labels, count, outcomes);
}

/* Texts: how many characters are missing, and how far apart the others are, each by less than a missing one. */
static double apart(const unsigned char *a, const unsigned char *b, size_t most, int is_text, int folds) {
    double sum = 0.0;
    for (size_t i = 0; i < most; i++) {
        int x = a[i], y = b[i];
        if (folds) x = x >= 'A' && x <= 'Z' ? x + 32 : x, y = y >= 'A' && y <= 'Z' ? y + 32 : y;
        if (is_text && (!x || !y)) {
            const unsigned char *longer = x ? a : b;
            for (; i < most && longer[i]; i++) sum += 256.0;
            return sum;
        }
        sum += abs(x - y);
    }
    return sum;
}

#define TEXT_FUNCTION(NAME, LENGTH, IS_TEXT, FOLDS, PARAMETERS, ...)                                                  \
    int pess_##NAME PARAMETERS {                                                                                      \
        int answer = NAME(__VA_ARGS__);                                                                               \
        pess_difference = answer ? apart((const void *)a, (const void *)b, LENGTH, IS_TEXT, FOLDS) : 0.0;             \
        if (answer && pess_difference <= 0.0) pess_difference = 1.0;                                                  \
        return answer;                                                                                                \
    }
TEXT_FUNCTION(strcmp, SIZE_MAX, 1, 0, (const char *a, const char *b), a, b)
TEXT_FUNCTION(strcasecmp, SIZE_MAX, 1, 1, (const char *a, const char *b), a, b)
TEXT_FUNCTION(strncmp, n, 1, 0, (const char *a, const char *b, size_t n), a, b, n)
TEXT_FUNCTION(strncasecmp, n, 1, 1, (const char *a, const char *b, size_t n), a, b, n)
TEXT_FUNCTION(memcmp, n, 0, 0, (const void *a, const void *b, size_t n), a, b, n)

static struct output *output(void) {
    return (struct output *)(memory + control->output_at);
}

static void end_run(enum status status, int code) {
    struct result *result = (struct result *)(memory + control->results_at) + control->current;
    result->status = status;
    result->code = code;
    siglongjmp(after_run, 1);
}

void pess_out_of_steps(void) {
    end_run(OUT_OF_STEPS, 0);
}

/* These end the process in a tidy way, so the run can be left without ending the child. */
void exit(int code) {
    if (!control || !control->is_running) _exit(code);
    end_run(EXITED, code);
    __builtin_unreachable();
}

void abort(void) {
    if (!control || !control->is_running) _exit(1);
    end_run(ABORTED, SIGABRT);
    __builtin_unreachable();
}

/* What the stand-ins of functions call that nobody defines. The first of them is noted, since what follows may be due
   to it. */
void pess_undefined(const char *name) {
    if (!output()->message[0]) snprintf(output()->message, sizeof output()->message, "%s is not defined", name);
    if (!control->goes_on) end_run(UNDEFINED, 0);
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)function;
    if (!output()->message[0])
        snprintf(output()->message, sizeof output()->message, "assertion '%s' failed at %s:%u", text, file, line);
    abort();
}

/* A run that has not ended since so many ticks is too slow; that is noticed without a system call for each run. */
static void tick(int signal) {
    static int64_t run = -1;
    static int ticks;
    (void)signal;
    has_ticked = 1;
    if (!control->is_running || run != control->runs) {
        run = control->runs;
        ticks = 0;
    } else if (++ticks > control->seconds * TICKS) {
        struct result *result = (struct result *)(memory + control->results_at) + control->current;
        result->status = OUT_OF_TIME;
        _exit(OUT_OF_TIME);
    }
}

/* A text that a target returned may not be readable; writing it to a pipe fails then, and nothing else happens. */
static void copy_text(struct output *out) {
    char *text;
    out->text_size = -1;
    memcpy(&text, out->returned, sizeof text);
    if (!text) return;
    out->text_size = 0;
    while (out->text_size < (int64_t)sizeof out->text) {
        char byte;
        if (write(copying[1], text + out->text_size, 1) != 1 || read(copying[0], &byte, 1) != 1) {
            if (out->text_size == 0) out->text_size = -2;
            return;
        }
        if (!byte) return;
        out->text[out->text_size++] = byte;
    }
}

static void restore(struct library *library, const struct range *first, int64_t count) {
    char *from = library->saved;
    for (int64_t i = 0; i < count; from += first[i++].size) memcpy(library->base + first[i].offset, from, first[i].size);
}

static void run(int64_t index) {
    int is_native = (control->mode & NATIVE) != 0;
    struct library *library = &libraries[is_native];
    struct result *result = (struct result *)(memory + control->results_at) + index;
    struct output *out = output();
    const int64_t *code = (int64_t *)(memory + control->code_at);
    restore(library, ranges[is_native], control->ranges[is_native]);
    pess_nearest = scratch_row;
    if (control->mode & WITH_ROWS) {
        pess_nearest = (double *)(memory + control->rows_at) + index * control->slots;
        for (int64_t i = 0; i < control->slots; i++) pess_nearest[i] = INFINITY;
    }
    pess_lines = control->mode & WITH_LINES ? (unsigned char *)(memory + control->lines_at) : scratch_lines;
    pess_next = pess_last = (struct pess_event *)(memory + control->events_at);
    if (control->mode & WITH_EVENTS) {
        pess_last += control->events;
        pess_next->slot = -1;
    }
    out->message[0] = 0;
    used_cells = 0;
    pess_branches = pess_steps = 0;
    pess_most_steps = control->most_steps;
    result->status = RETURNED;
    memset(arguments, 0, control->arguments);
    make(code + 1, code + 1 + code[0], arguments, (union leaf *)(memory + control->leaves_at) + index * control->leaves);
    errno = 0;
    control->runs++;
    if (!sigsetjmp(after_run, 0)) {
        control->is_running = 1;
        library->call(arguments, out->returned);
    }
    control->is_running = 0;
    result->branches = pess_branches;
    result->steps = pess_steps;
    if (control->mode & (WITH_EVENTS | NATIVE) && library->has_text && result->status == RETURNED) copy_text(out);
}

static void finish(void) {
    __atomic_store_n(&control->done, control->request, __ATOMIC_SEQ_CST);
    if (control->worker_sleeps) {
        uint64_t one = 1;
        if (write(worker_wakes, &one, sizeof one) < 0) _exit(1);
    }
}

static void wait_for_request(void) {
    static int spins = MOST_SPINS;
    for (int i = 0; i < spins; i++) {
        if (control->request != control->done) {
            spins = spins < MOST_SPINS / 2 ? 2 * spins : MOST_SPINS;
            return;
        }
        __builtin_ia32_pause();
    }
    spins = spins / 2 > LEAST_SPINS ? spins / 2 : LEAST_SPINS;
    struct pollfd wait = {.fd = executor_wakes, .events = POLLIN};
    __atomic_store_n(&control->executor_sleeps, 1, __ATOMIC_SEQ_CST);
    while (control->request == control->done)
        if (poll(&wait, 1, 50) > 0) {
            uint64_t count;
            if (read(executor_wakes, &count, sizeof count) < 0 && errno != EAGAIN) _exit(RECYCLED);
        }
    control->executor_sleeps = 0;
}

static void confine(void) {
    struct sock_filter *filter = (struct sock_filter *)(memory + control->filter_at);
    struct sock_fprog program = {.len = control->filter_size / sizeof *filter};
    if (!control->filter_size) return;
    program.filter = malloc(control->filter_size);
    memcpy(program.filter, filter, control->filter_size);
    for (int i = 0; i < program.len; i++) { /* the filter names the process that it is for */
        if (program.filter[i].k == SELF) program.filter[i].k = getpid();
        else if (program.filter[i].k == (uint32_t)-SELF) program.filter[i].k = -getpid();
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) _exit(1);
}

static void limit(void) {
    struct rlimit none = {0, 0}, room = {control->memory, control->memory};
    struct itimerval ticks = {{0, 1000000 / TICKS}, {0, 1000000 / TICKS}};
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    setrlimit(RLIMIT_CORE, &none);
    if (control->memory) setrlimit(RLIMIT_AS, &room);
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &ticks, 0);
}

static int leaks(int64_t runs) {
    if (runs % 256) return 0;
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd) > (control->memory ? control->memory / 4 : 1 << 28);
}

/* Whether the time of a search is up; the clock is asked only after a tick. */
static int is_late(const struct annealing *it) {
    struct timespec now;
    if (!has_ticked) return 0;
    has_ticked = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9 >= it->ends_at;
}

static void keep_failure(struct annealing *it, const struct result *result, const union leaf *leaves) {
    if (it->failures >= KEPT_FAILURES) return;
    int64_t size = control->leaves * sizeof *leaves;
    struct failure *to = (void *)(memory + it->failures_at + it->failures++ * (sizeof *to + size));
    to->status = result->status;
    to->code = result->code;
    memcpy(to->leaves, leaves, size);
}

static struct rank judged(struct annealing *it, const struct result *result, int counts) {
    const double *row = (double *)(memory + control->rows_at);
    if (it->objective != GOAL)
        return counts ? (struct rank){0, -(double)(it->objective == MOST_STEPS ? result->steps : result->branches)}
                      : (struct rank){1, 0.0};
    const int64_t *wanted = (int64_t *)(memory + it->wanted_at);
    for (int64_t i = 0; i < it->wanted && counts && !it->is_found; i++) it->is_found = row[wanted[i]] == 0.0;
    return nearness(it, (int64_t *)(memory + it->levels_at), row, counts);
}

/* The input that was run becomes the one to go on from, if it is good enough. */
static void note_end(struct annealing *it, const struct space *space) {
    const struct result *result = (struct result *)(memory + control->results_at);
    union leaf *leaves = (union leaf *)(memory + control->leaves_at);
    union leaf *input = (union leaf *)(memory + it->input_at), *best = (union leaf *)(memory + it->best_at);
    int has_ended = result->status == RETURNED || result->status == EXITED;
    it->is_running = 0;
    if (!has_ended) keep_failure(it, result, leaves);
    struct rank rank = judged(it, result, has_ended || result->status == ABORTED);
    int is_best = !it->done++ || compare(rank, it->best) < 0;
    if (is_accepted(it, space, rank)) {
        memcpy(input, leaves, space->leaves * sizeof *input);
        it->input = rank;
        it->has_input = 1;
    }
    if (is_best) {
        memcpy(best, leaves, space->leaves * sizeof *best);
        it->best = rank;
    }
    cool(it, space, input, best);
}

static void propose(const struct annealing *it, const struct space *space) {
    union leaf *leaves = (union leaf *)(memory + control->leaves_at);
    if (!it->done) return; /* the first input is given */
    if (!it->has_input || (it->is_fresh > 0.0 && unit(space) < it->is_fresh)) return draw_all(space, leaves);
    memcpy(leaves, memory + it->input_at, space->leaves * sizeof *leaves);
    mutate(space, leaves);
}

static void anneal(struct annealing *it) {
    struct space space = {
        control->leaves, it->sequences, (struct domain *)(memory + it->domains_at),
        (union leaf *)(memory + it->suggested_at), (struct sequence *)(memory + it->sequences_at), &it->random,
    };
    if (it->is_running) note_end(it, &space); /* the process before this one died of it */
    while (!it->is_found && it->done < it->most && !is_late(it)) {
        propose(it, &space);
        control->current = 0;
        it->is_running = 1;
        run(0);
        note_end(it, &space);
        if (leaks(it->done)) _exit(RECYCLED);
    }
}

/* Ends with its parent, also if that has ended already. */
static void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
}

static void serve(pid_t parent) {
    end_with(parent);
    int nowhere = open("/dev/null", O_WRONLY); /* what the target says must not fill the pipe to the worker */
    if (nowhere >= 0) dup2(nowhere, 2);
    if (pipe(copying)) _exit(1);
    arguments = calloc(1, control->arguments + 16);
    scratch_row = calloc(control->slots + 2, sizeof *scratch_row);
    scratch_lines = calloc(1, control->statements + 1);
    limit();
    confine();
    for (int64_t runs = 1;; runs++) {
        while (control->request == control->done) wait_for_request();
        if (control->mode & ANNEALING) {
            anneal((struct annealing *)(memory + control->annealing_at));
            finish();
            continue;
        }
        while (control->current < control->count) {
            run(control->current);
            control->current++;
            if (leaks(runs++)) _exit(RECYCLED);
        }
        finish();
    }
}

static void *symbol(void *handle, const char *prefix, const char *function) {
    char name[512];
    snprintf(name, sizeof name, "%s%s", prefix, function);
    return dlsym(handle, name);
}

static void load(int number, const char *file, const char *function) {
    struct library *library = &libraries[number];
    struct link_map *map;
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    int *has_text = handle ? symbol(handle, "pess_returns_text_", function) : 0;
    library->call = handle ? (entry *)symbol(handle, "pess_call_", function) : 0;
    if (!library->call || dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
        fprintf(stderr, "%s", dlerror());
        _exit(3);
    }
    library->has_text = has_text && *has_text;
    library->base = (char *)map->l_addr;
    int64_t size = 0;
    for (int64_t i = 0; i < control->ranges[number]; i++) size += ranges[number][i].size;
    char *to = library->saved = malloc(size + 1);
    for (int64_t i = 0; i < control->ranges[number]; to += ranges[number][i++].size)
        memcpy(to, library->base + ranges[number][i].offset, ranges[number][i].size);
}

/* How the child died is the result of its current input. */
static void note_death(int status) {
    struct result *result = (struct result *)(memory + control->results_at) + control->current;
    if (!control->is_running) return;
    control->is_running = 0;
    if (WIFSIGNALED(status)) {
        result->status = SIGNALLED;
        result->code = WTERMSIG(status);
    } else if (WEXITSTATUS(status) != OUT_OF_TIME || result->status != OUT_OF_TIME) {
        result->status = EXITED;
        result->code = WEXITSTATUS(status);
    }
    result->branches = result->steps = 0;
    control->current++;
}

/* executor MEMORY EXECUTOR_WAKES WORKER_WAKES INSTRUMENTED NATIVE FUNCTION STAND_INS; the first three are file descriptors. */
int main(int count, char **given) {
    if (count != 8) return 2;
    if (!getenv("PESSIMAL_FIXED")) { /* addresses that are the same in each run */
        setenv("PESSIMAL_FIXED", "1", 1);
        if (personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE) != -1) execv("/proc/self/exe", given);
    }
    if (getenv("PESSIMAL_PARENT")) end_with(atoi(getenv("PESSIMAL_PARENT")));
    int shared = atoi(given[1]);
    off_t size = lseek(shared, 0, SEEK_END);
    executor_wakes = atoi(given[2]);
    worker_wakes = atoi(given[3]);
    memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (memory == MAP_FAILED) return 2;
    control = (struct control *)memory;
    ranges[0] = (struct range *)(memory + control->ranges_at);
    ranges[1] = ranges[0] + control->ranges[0];
    dlopen(given[7], RTLD_NOW | RTLD_GLOBAL); /* only what nobody else defines */
    load(0, given[4], given[6]);
    load(1, given[5], given[6]);
    control->done = control->request; /* the sign that everything is loaded */
    for (;;) {
        int status;
        pid_t own = getpid(), child = fork();
        if (child < 0) return 2;
        if (child == 0) serve(own);
        while (waitpid(child, &status, 0) < 0)
            if (errno != EINTR) return 2;
        note_death(status);
    }
}
