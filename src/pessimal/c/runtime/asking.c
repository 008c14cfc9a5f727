/* The worker's side of one request: loaded into the Python process, where a loop in Python would take longer than the
   run that it waits for. Of targets only those run here that write to nothing but their own variables and call nothing
   that does (harmless.py); all others run in the executor. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "running.h"

enum { PATIENCE = 20 /* milliseconds */, MOST_STEPS_HERE = 20000, MOST_STEPS_TOGETHER = 1 << 20, LONGEST_PAUSE = 64 };
enum { SIGNALS = 4, HANDLING_STACK = 1 << 16 };

/* A target that is loaded into this process. */
struct here {
    char *memory, *arguments;
    struct library library;
    double *row;
    unsigned char *lines;
    int pause, paused; /* requests that the executor gets, since a run took too many steps for this process */
    struct here *next;
};
static struct here *all;

static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction before[SIGNALS];
static __thread volatile sig_atomic_t runs_target, has_stack;

/* A signal of the target ends its run. What any other code of this process does is not for us to say. */
static void handle(int signal) {
    if (runs_target) siglongjmp(after_run, signal);
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i] == signal) sigaction(signal, &before[i], 0);
}

/* A stack to handle signals on, since that of the thread may be used up. */
static void make_stack(void) {
    stack_t stack;
    has_stack = 1;
    if (!sigaltstack(0, &stack) && !(stack.ss_flags & SS_DISABLE)) return;
    stack = (stack_t){.ss_sp = malloc(HANDLING_STACK), .ss_size = HANDLING_STACK};
    sigaltstack(&stack, 0);
}

static void no_room(void) {
    siglongjmp(after_run, -1);
}

void pess_out_of_steps(void) {
    siglongjmp(after_run, -1);
}

static void enter(const struct here *it) {
    memory = it->memory;
    control = (struct control *)memory;
    ranges[0] = (struct range *)(memory + control->ranges_at);
    libraries[0] = it->library;
    arguments = it->arguments;
    scratch_row = it->row;
    scratch_lines = it->lines;
}

/* The first values of a library that was loaded before: its variables may have others by now. */
static char *known_values(const char *base) {
    for (struct here *it = all; it; it = it->next)
        if (it->library.base == base) return it->library.saved;
    return 0;
}

/* Load a target into this process; NULL if that is not possible. */
struct here *pess_load(struct control *shared, const char *file, const char *function) {
    struct here *it = calloc(1, sizeof *it);
    it->memory = (char *)shared;
    enter(it);
    if (!load(&it->library, file, RTLD_LAZY, function, ranges[0], control->ranges[0])) {
        free(it);
        return 0;
    }
    char *values = known_values(it->library.base);
    if (values) it->library.saved = values;
    make_room();
    it->arguments = arguments;
    it->row = scratch_row;
    it->lines = scratch_lines;
    it->next = all;
    if (!all) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_NODEFER};
        for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &action, &before[i]);
    }
    return all = it;
}

/* Run one input here; 0 if the executor has to, because the run takes long. */
static int run_here(int64_t index) {
    struct result *result = result_of(index);
    int ended = sigsetjmp(after_run, 0);
    if (!ended) {
        runs_target = 1;
        struct library *library = prepared(index);
        if (pess_most_steps > MOST_STEPS_HERE) pess_most_steps = MOST_STEPS_HERE;
        library->call(arguments, output()->returned);
        runs_target = 0;
        note_counts(index);
        return 1;
    }
    runs_target = 0;
    if (ended < 0) return 0;
    *result = (struct result){SIGNALLED, ended, 0, 0};
    return 1;
}

/* Run the inputs of a request here, up to the first that takes long; how many were run. */
static int64_t run_some(struct here *it) {
    enter(it);
    if (control->mode & (NATIVE | ANNEALING)) return 0;
    if (it->paused && it->paused--) return 0;
    if (!has_stack) make_stack();
    if (libraries[0].has_text && control->mode & WITH_EVENTS) return 0; /* only the executor can look at the text */
    for (int64_t index = 0, steps = 0; index < control->count; index++) {
        if (!run_here(index)) {
            it->paused = it->pause = it->pause < LONGEST_PAUSE ? 2 * it->pause + 1 : it->pause;
            return index;
        }
        it->pause = 0;
        if ((steps += pess_steps) > MOST_STEPS_TOGETHER) return index + 1;
    }
    return control->count;
}

static int is_done(struct control *shared) {
    return __atomic_load_n(&shared->done, __ATOMIC_ACQUIRE) == shared->request;
}

/* Make the request that was prepared; 0 if it is not done soon. */
int pess_ask(struct control *shared, struct here *it) {
    static int spins = MOST_SPINS;
    shared->current = it ? run_some(it) : 0;
    if (it && shared->current == shared->count) return 1;
    __atomic_store_n(&shared->request, shared->request + 1, __ATOMIC_SEQ_CST);
    if (shared->executor_sleeps) {
        uint64_t one = 1;
        if (write((int)shared->wakes_executor, &one, sizeof one) < 0) return 0;
    }
    for (int i = 0; i < spins; i++) {
        if (is_done(shared)) {
            spins = spins < MOST_SPINS / 2 ? 2 * spins : MOST_SPINS;
            return 1;
        }
        __builtin_ia32_pause();
    }
    spins = spins / 2 > LEAST_SPINS ? spins / 2 : LEAST_SPINS;
    return 0;
}

/* Sleep until the request is done, or for a moment; whether it is done. */
int pess_wait(struct control *shared) {
    struct pollfd wakes = {.fd = (int)shared->wakes_worker, .events = POLLIN};
    __atomic_store_n(&shared->worker_sleeps, 1, __ATOMIC_SEQ_CST);
    if (!is_done(shared) && poll(&wakes, 1, PATIENCE) > 0) {
        uint64_t count;
        if (read(wakes.fd, &count, sizeof count) < 0) return is_done(shared);
    }
    shared->worker_sleeps = 0;
    return is_done(shared);
}
