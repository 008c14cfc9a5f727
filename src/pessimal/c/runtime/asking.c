/* The worker's side of one request: loaded into the Python process, where a loop in Python would take longer than the
   run that it waits for. Only this code runs there, never the target. */
#include <poll.h>
#include <unistd.h>

#include "control.h"

enum { PATIENCE = 20 }; /* milliseconds */

static int is_done(struct control *control) {
    return __atomic_load_n(&control->done, __ATOMIC_ACQUIRE) == control->request;
}

/* Make the request that was prepared; 0 if it is not done soon. */
int pess_ask(struct control *control) {
    static int spins = MOST_SPINS;
    control->current = 0;
    __atomic_store_n(&control->request, control->request + 1, __ATOMIC_SEQ_CST);
    if (control->executor_sleeps) {
        uint64_t one = 1;
        if (write((int)control->wakes_executor, &one, sizeof one) < 0) return 0;
    }
    for (int i = 0; i < spins; i++) {
        if (is_done(control)) {
            spins = spins < MOST_SPINS / 2 ? 2 * spins : MOST_SPINS;
            return 1;
        }
        __builtin_ia32_pause();
    }
    spins = spins / 2 > LEAST_SPINS ? spins / 2 : LEAST_SPINS;
    return 0;
}

/* Sleep until the request is done, or for a moment; whether it is done. */
int pess_wait(struct control *control) {
    struct pollfd wakes = {.fd = (int)control->wakes_worker, .events = POLLIN};
    __atomic_store_n(&control->worker_sleeps, 1, __ATOMIC_SEQ_CST);
    if (!is_done(control) && poll(&wakes, 1, PATIENCE) > 0) {
        uint64_t count;
        if (read(wakes.fd, &count, sizeof count) < 0) return is_done(control);
    }
    control->worker_sleeps = 0;
    return is_done(control);
}
