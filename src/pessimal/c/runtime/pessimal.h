/* What instrumented code calls. Each test of the source is one of these macros: it evaluates its operands once, with the
   types and conversions that the compiler gives them, reports outcome and distances, and has the value of the test.

   A test has one slot for each outcome; SLOT is the first of them: false, then true. */
#ifndef PESSIMAL_H
#define PESSIMAL_H

/* Calls compile three times as fast as inlined code, and batches run as fast with them. */
#define PESS_CALL static __attribute__((noinline, unused))

enum pess_operator { PESS_EQ, PESS_NE, PESS_LT, PESS_LE, PESS_GT, PESS_GE };

struct pess_event {
    int slot, outcome; /* the first slot of the test, and which of its outcomes was taken */
    double left, right; /* what was compared, as numbers; of a switch, its value */
    double distance; /* to the other outcome; of a switch, 0 */
};

extern double *pess_nearest; /* for each slot the least distance in this run */
extern unsigned char *pess_lines; /* for each statement whether it was executed */
extern struct pess_event *pess_next, *pess_last; /* where the next event goes; equal if none is wanted */
extern long long pess_branches, pess_steps, pess_most_steps;
extern void pess_out_of_steps(void);
extern void pess_pick(int slot, long long value, const long long (*labels)[3], int labels_count, int outcomes);
extern int pess_strcmp(const char *, const char *), pess_strcasecmp(const char *, const char *);
extern int pess_strncmp(const char *, const char *, unsigned long);
extern int pess_strncasecmp(const char *, const char *, unsigned long);
extern int pess_memcmp(const void *, const void *, unsigned long);
extern double pess_difference; /* how far apart the last compared texts are */
extern double pess_last_distance; /* of the last test, to its other outcome */

PESS_CALL int pess_note(int slot, int outcome, double left, double right, double distance) {
    double *nearest = pess_nearest + slot;
    nearest[outcome] = 0.0;
    if (distance < nearest[!outcome]) nearest[!outcome] = distance;
    pess_last_distance = distance;
    pess_branches++;
    if (__builtin_expect(pess_next != pess_last, 0)) {
        struct pess_event *event = pess_next++;
        event->slot = slot;
        event->outcome = outcome;
        event->left = left;
        event->right = right;
        event->distance = distance;
        pess_next->slot = -1; /* a run that dies leaves the events so far */
    }
    return outcome;
}

/* The distance of a test that has come out one way to the other way, given by how much its operands differ. An order
   that holds with room must lose all of it and one step more; that step is 1 for numbers of any kind. */
PESS_CALL double pess_distance(enum pess_operator operator, int outcome, double gap) {
    switch (operator) {
    case PESS_EQ: return outcome ? 1.0 : gap;
    case PESS_NE: return outcome ? gap : 1.0;
    case PESS_LT: case PESS_GT: return outcome ? gap : gap + 1.0;
    default: return outcome ? gap + 1.0 : gap;
    }
}

PESS_CALL int pess_signed(int slot, enum pess_operator operator, int outcome, long long a, long long b) {
    double gap = a < b ? (double)((unsigned long long)b - (unsigned long long)a)
                       : (double)((unsigned long long)a - (unsigned long long)b);
    return pess_note(slot, outcome, (double)a, (double)b, pess_distance(operator, outcome, gap));
}

PESS_CALL int pess_unsigned(
    int slot, enum pess_operator operator, int outcome, unsigned long long a, unsigned long long b) {
    double gap = a < b ? (double)(b - a) : (double)(a - b);
    return pess_note(slot, outcome, (double)a, (double)b, pess_distance(operator, outcome, gap));
}

PESS_CALL int pess_float(int slot, enum pess_operator operator, int outcome, double a, double b) {
    double gap = a < b ? b - a : a - b;
    if (!(gap <= 1e300)) gap = 1e300; /* an infinity, or not a number */
    return pess_note(slot, outcome, a, b, pess_distance(operator, outcome, gap));
}

/* Addresses differ from run to run, so only distances inside of one object mean something. */
PESS_CALL int pess_pointer(
    int slot, enum pess_operator operator, int outcome, const volatile void *a, const volatile void *b) {
    unsigned long x = (unsigned long)a, y = (unsigned long)b, apart = x < y ? y - x : x - y;
    double gap = apart == 0 ? 0.0 : operator <= PESS_NE || apart > (1ul << 20) ? 1.0 : (double)apart;
    return pess_note(slot, outcome, x != 0, y != 0, pess_distance(operator, outcome, gap));
}

PESS_CALL int pess_text(int slot, enum pess_operator operator, int outcome) {
    return pess_note(slot, outcome, pess_difference, 0.0, pess_distance(operator, outcome, pess_difference));
}

PESS_CALL int pess_tick(void) {
    if (__builtin_expect(++pess_steps > pess_most_steps, 0)) pess_out_of_steps();
    return 1;
}

#define PESS_COMPARE(SLOT, NAME, OP, A, B)                                                                            \
    __extension__({                                                                                                   \
        __typeof__(0 ? (A) : (B)) pess_a##SLOT = (A), pess_b##SLOT = (B);                                             \
        _Generic(pess_a##SLOT, float: pess_float, double: pess_float, long double: pess_float, int: pess_signed,      \
                 long: pess_signed, long long: pess_signed, __int128: pess_signed, unsigned: pess_unsigned,           \
                 unsigned long: pess_unsigned, unsigned long long: pess_unsigned, unsigned __int128: pess_unsigned,   \
                 default: pess_pointer)(SLOT, NAME, pess_a##SLOT OP pess_b##SLOT, pess_a##SLOT, pess_b##SLOT);        \
    })
#define PESS_TRUTH(SLOT, A) PESS_COMPARE(SLOT, PESS_NE, !=, A, 0)
/* A call that says yes or no is as near to the other answer as the last test inside of it. */
PESS_CALL int pess_answer(int slot, long long branches, int outcome, double a) {
    int is_plain = a == 0.0 || a == 1.0;
    double gap = a < 0.0 ? -a : a, distance = is_plain && pess_branches != branches ? pess_last_distance : gap;
    return pess_note(slot, outcome, a, 0.0, distance > 0.0 ? distance : 1.0);
}

#define PESS_ANSWER(SLOT, A)                                                                                          \
    __extension__({                                                                                                   \
        long long pess_n##SLOT = pess_branches;                                                                       \
        __typeof__(A) pess_c##SLOT = (A);                                                                             \
        _Generic(&pess_c##SLOT, int *: 1, _Bool *: 1, unsigned *: 1, default: 0)                                      \
            ? pess_answer(SLOT, pess_n##SLOT, !!pess_c##SLOT, (double)(long)pess_c##SLOT)                             \
            : PESS_TRUTH(SLOT, pess_c##SLOT);                                                                         \
    })
#define PESS_VALUE(SLOT, A)                                                                                           \
    __extension__({                                                                                                   \
        __typeof__(A) pess_w##SLOT = (A);                                                                             \
        PESS_TRUTH(SLOT, pess_w##SLOT);                                                                               \
        pess_w##SLOT;                                                                                                 \
    })
#define PESS_TEXT(SLOT, NAME, OP, A)                                                                                  \
    __extension__({                                                                                                   \
        int pess_a##SLOT = (A);                                                                                       \
        pess_text(SLOT, NAME, pess_a##SLOT OP 0);                                                                     \
    })
/* LABELS has for each label its smallest and largest value and its outcome. */
#define PESS_SWITCH(SLOT, VALUE, OUTCOMES, ...)                                                                       \
    __extension__({                                                                                                   \
        static const long long pess_l##SLOT[][3] = {__VA_ARGS__};                                                     \
        __typeof__(+(VALUE)) pess_v##SLOT = (VALUE);                                                                  \
        pess_pick(SLOT, (long long)pess_v##SLOT, pess_l##SLOT, sizeof pess_l##SLOT / sizeof *pess_l##SLOT, OUTCOMES); \
        pess_v##SLOT;                                                                                                 \
    })
#define PESS_AT(NUMBER) (void)(pess_lines[NUMBER] = 1)
#define PESS_STEP() (void)pess_tick()
#endif
