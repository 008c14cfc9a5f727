/* What the worker and the executor share; executor.py has the same fields in the same order. */
#ifndef PESSIMAL_CONTROL_H
#define PESSIMAL_CONTROL_H
#include <stdint.h>

/* How often each side looks whether the other one is ready before it sleeps. Where both have no processor of their own,
   looking only keeps the other one from running: so a side looks half as often each time that it was in vain. */
enum { LEAST_SPINS = 16, MOST_SPINS = 4096 };

struct control {
    volatile int64_t request, done, executor_sleeps, worker_sleeps;
    volatile int64_t count, current, is_running, runs;
    int64_t mode, leaves, most_steps, slots, statements, memory, events, filter_size, ranges[2], arguments;
    double seconds;
    int64_t wakes_executor, wakes_worker; /* file descriptors */
    int64_t code_at, filter_at, leaves_at, results_at, rows_at, lines_at, events_at, output_at, ranges_at, annealing_at;
    int64_t goes_on; /* where a function is called that nobody defines */
};
#endif
