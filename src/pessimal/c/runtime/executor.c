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
#include "running.h"

enum { TICKS = 100, SELF = 0x7fffffff };

static int executor_wakes, worker_wakes, worker_pipe, copying[2];
static volatile sig_atomic_t has_ticked = 1; /* a new child looks at the clock first */

static void end_run(enum status status, int code) {
    result_of(control->current)->status = status;
    result_of(control->current)->code = code;
    siglongjmp(after_run, 1);
}

/* An input that does not fit into the memory of the process ends as if the kernel had ended it. */
static void no_room(void) {
    control->is_running = 1;
    raise(SIGKILL);
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
        result_of(control->current)->status = OUT_OF_TIME;
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

static void run(int64_t index) {
    struct library *library = prepared(index);
    struct output *out = output();
    const struct result *result = result_of(index);
    control->runs++;
    if (!sigsetjmp(after_run, 0)) {
        control->is_running = 1;
        library->call(arguments, out->returned);
    }
    control->is_running = 0;
    note_counts(index);
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
    struct pollfd wait[] = {{.fd = executor_wakes, .events = POLLIN}, {.fd = worker_pipe}};
    __atomic_store_n(&control->executor_sleeps, 1, __ATOMIC_SEQ_CST);
    while (control->request == control->done)
        if (poll(wait, 2, 50) > 0) {
            uint64_t count;
            if (wait[1].revents & POLLERR) _exit(RECYCLED);
            if (wait[1].revents) wait[1].fd = -1; /* the target has closed it */
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
    worker_pipe = dup(2);
    int nowhere = open("/dev/null", O_WRONLY); /* what the target says must not fill the pipe to the worker */
    if (nowhere >= 0) dup2(nowhere, 2);
    if (pipe(copying)) _exit(1);
    make_room();
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

/* How the child died is the result of its current input. */
static void note_death(int status) {
    struct result *result = result_of(control->current);
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

/* A worker that is confined by Landlock sends no signal when it ends, not even that of end_with. */
static int has_lost_worker(void) {
    struct pollfd pipe = {.fd = 2};
    return poll(&pipe, 1, 0) > 0 && pipe.revents & POLLERR;
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
    for (int i = 0; i < 2; i++)
        if (!load(&libraries[i], given[4 + i], RTLD_NOW, given[6], ranges[i], control->ranges[i])) {
            fprintf(stderr, "%s", dlerror());
            return 3;
        }
    control->done = control->request; /* the sign that everything is loaded */
    for (;;) {
        int status;
        pid_t own = getpid(), child = fork();
        if (child < 0) return 2;
        if (child == 0) serve(own);
        while (waitpid(child, &status, 0) < 0)
            if (errno != EINTR) return 2;
        if (has_lost_worker()) return 0;
        note_death(status);
    }
}
