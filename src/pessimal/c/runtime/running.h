/* One run of a target: the leaves of an input become arguments, the tests that it makes are noted. The executor and the
   library in the Python process both have this code; what ends a run is theirs. */
#ifndef PESSIMAL_RUNNING_H
#define PESSIMAL_RUNNING_H
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arguments.h"
#include "control.h"
#include "leaves.h"
#include "pessimal.h"

enum status { RETURNED, SIGNALLED, EXITED, OUT_OF_TIME, OUT_OF_STEPS, ABORTED, UNDEFINED };
enum mode { WITH_EVENTS = 1, WITH_ROWS = 2, NATIVE = 4, WITH_LINES = 8, ANNEALING = 16 };
enum { FURTHER = -2 };

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

double *pess_nearest, pess_difference, pess_last_distance;
unsigned char *pess_lines;
struct pess_event *pess_next, *pess_last;
long long pess_branches, pess_steps, pess_most_steps;

static char *memory;
static struct control *control;
static struct library libraries[2];
static struct range *ranges[2];
static sigjmp_buf after_run;
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

static struct result *result_of(int64_t index) {
    return (struct result *)(memory + control->results_at) + index;
}

static void restore(struct library *library, const struct range *first, int64_t count) {
    char *from = library->saved;
    for (int64_t i = 0; i < count; from += first[i++].size) memcpy(library->base + first[i].offset, from, first[i].size);
}

/* Make everything ready for the run of one input; the library that is to be called. */
static struct library *prepared(int64_t index) {
    int is_native = (control->mode & NATIVE) != 0;
    struct library *library = &libraries[is_native];
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
    output()->message[0] = 0;
    used_cells = 0;
    pess_branches = pess_steps = 0;
    pess_most_steps = control->most_steps;
    result_of(index)->status = RETURNED;
    memset(arguments, 0, control->arguments);
    make(code + 1, code + 1 + code[0], arguments, (union leaf *)(memory + control->leaves_at) + index * control->leaves);
    errno = 0;
    return library;
}

static void note_counts(int64_t index) {
    result_of(index)->branches = pess_branches;
    result_of(index)->steps = pess_steps;
}

static void *symbol(void *handle, const char *prefix, const char *function) {
    char name[512];
    snprintf(name, sizeof name, "%s%s", prefix, function);
    return dlsym(handle, name);
}

/* Load a library and keep the first values of its variables; 0 if it cannot be loaded. */
static int load(
    struct library *library, const char *file, int binding, const char *function, const struct range *first, int64_t count) {
    struct link_map *map;
    void *handle = dlopen(file, binding | RTLD_LOCAL);
    int *has_text = handle ? symbol(handle, "pess_returns_text_", function) : 0;
    library->call = handle ? (entry *)symbol(handle, "pess_call_", function) : 0;
    if (!library->call || dlinfo(handle, RTLD_DI_LINKMAP, &map)) return 0;
    library->has_text = has_text && *has_text;
    library->base = (char *)map->l_addr;
    int64_t size = 0;
    for (int64_t i = 0; i < count; i++) size += first[i].size;
    char *to = library->saved = malloc(size + 1);
    for (int64_t i = 0; i < count; to += first[i++].size) memcpy(to, library->base + first[i].offset, first[i].size);
    return 1;
}

/* What runs of the target need beside the shared memory. */
static void make_room(void) {
    arguments = calloc(1, control->arguments + 16);
    scratch_row = calloc(control->slots + 2, sizeof *scratch_row);
    scratch_lines = calloc(1, control->statements + 1);
}
#endif
