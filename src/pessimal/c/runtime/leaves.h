/* Leaves: the numbers that an input consists of, and how new inputs are drawn and changed beside the function. The
   domains are those of pessimal/inputs/domain.py, and the changes those of pessimal/search/goals/landscape.py. */
#ifndef PESSIMAL_LEAVES_H
#define PESSIMAL_LEAVES_H
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

union leaf {
    int64_t number;
    double real;
};

enum kind { WHOLE, UNSIGNED, CHARACTER, FLOAT, SPECIAL_FLOAT }; /* a special float may be infinite or NaN */

struct domain {
    int64_t kind;
    union leaf low, high, initial;
    int64_t suggestions, suggested_at; /* how many values the code suggests, and the number of the first */
};

/* A text or list of any length: the leaf of its length, its first element, and how many it may have. */
struct sequence {
    int64_t length, first, most;
};

struct space {
    int64_t leaves, sequences_count;
    const struct domain *domains;
    const union leaf *suggested;
    const struct sequence *sequences;
    uint64_t *random; /* the state of the generator */
};

static const int MAGNITUDE_BITS[] = {1, 3, 3, 7, 7, 10, 31, 63};
static const double STEPS[] = {1, 1, 2, 3, 8, 16, 100, 1000};
static const double SPECIAL[] = {INFINITY, -INFINITY, NAN, -0.0, 5e-324, -5e-324, DBL_MIN / 2, DBL_MAX, -DBL_MAX};
#define ONE_OF(SPACE, TABLE) (TABLE)[below(SPACE, sizeof(TABLE) / sizeof *(TABLE))]
enum { SMALL = 256 };

static uint64_t next_random(const struct space *space) { /* splitmix64 */
    uint64_t word = *space->random += 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

static int64_t below(const struct space *space, uint64_t bound) {
    return bound ? (int64_t)(((unsigned __int128)next_random(space) * bound) >> 64) : 0;
}

static double unit(const struct space *space) {
    return (double)(next_random(space) >> 11) * 0x1p-53;
}

static int is_float(const struct domain *domain) {
    return domain->kind == FLOAT || domain->kind == SPECIAL_FLOAT;
}

static __int128 widened(const struct domain *domain, union leaf leaf) {
    return domain->kind == UNSIGNED ? (__int128)(uint64_t)leaf.number : (__int128)leaf.number;
}

static union leaf clipped(const struct domain *domain, __int128 value) {
    __int128 low = widened(domain, domain->low), high = widened(domain, domain->high);
    return (union leaf){.number = (int64_t)(value < low ? low : value > high ? high : value)};
}

static union leaf clipped_real(const struct domain *domain, double value) {
    if (domain->kind == SPECIAL_FLOAT && !isfinite(value)) return (union leaf){.real = value};
    if (value != value) return domain->initial;
    return (union leaf){.real = fmin(fmax(value, domain->low.real), domain->high.real)};
}

static union leaf between(const struct space *space, const struct domain *domain, __int128 low, __int128 high) {
    low = widened(domain, clipped(domain, low));
    high = widened(domain, clipped(domain, high));
    uint64_t width = (uint64_t)(high - low);
    uint64_t offset = width == UINT64_MAX ? next_random(space) : (uint64_t)below(space, width + 1);
    return (union leaf){.number = (int64_t)(low + offset)};
}

static union leaf drawn_real(const struct space *space, const struct domain *domain) {
    if (domain->kind == SPECIAL_FLOAT && unit(space) < 0.15) return clipped_real(domain, ONE_OF(space, SPECIAL));
    double width = ldexp(1.0, ONE_OF(space, MAGNITUDE_BITS)), centre = domain->initial.real;
    double low = fmax(centre - width, domain->low.real), high = fmin(centre + width, domain->high.real);
    double value = low + (high - low) * unit(space);
    return clipped_real(domain, unit(space) < 0.3 ? round(value) : value);
}

/* Small numbers mostly and extreme ones sometimes; of what the code suggests often. */
static union leaf drawn(const struct space *space, int64_t at) {
    const struct domain *domain = &space->domains[at];
    if (domain->suggestions && unit(space) < 0.3)
        return space->suggested[domain->suggested_at + below(space, domain->suggestions)];
    if (is_float(domain)) return drawn_real(space, domain);
    __int128 low = widened(domain, domain->low), high = widened(domain, domain->high);
    if (high - low < SMALL && domain->kind != CHARACTER) return between(space, domain, low, high);
    if (domain->kind == CHARACTER) {
        int64_t window = below(space, 5);
        return window < 3 ? between(space, domain, 'a', 'z')
            : window == 3 ? between(space, domain, ' ', '~') : between(space, domain, low, high);
    }
    __int128 magnitude = (__int128)1 << ONE_OF(space, MAGNITUDE_BITS), centre = widened(domain, domain->initial);
    return between(space, domain, centre - magnitude, centre + magnitude);
}

static void draw_all(const struct space *space, union leaf *leaves) {
    for (int64_t i = 0; i < space->leaves; i++) leaves[i] = drawn(space, i);
}

static void move(const struct space *space, union leaf *leaves, int64_t at) {
    const struct domain *domain = &space->domains[at];
    double step = ONE_OF(space, STEPS) * (below(space, 2) ? 1 : -1);
    int is_power = below(space, 3) == 0;
    if (is_float(domain)) {
        double value = leaves[at].real, power = ldexp(1.0, (int)below(space, 100) - 60) * fmax(fabs(value), 1.0);
        leaves[at] = clipped_real(domain, value + (is_power ? (step < 0 ? -power : power) : step * unit(space)));
        return;
    }
    int bits = 64 - __builtin_clzll((uint64_t)(widened(domain, domain->high) - widened(domain, domain->low)) | 1);
    __int128 power = (__int128)1 << below(space, bits), size = is_power ? power : (__int128)fabs(step);
    leaves[at] = clipped(domain, widened(domain, leaves[at]) + (step < 0 ? -size : size));
}

static void copy_leaf(const struct space *space, union leaf *leaves, int64_t to, int64_t from) {
    const struct domain *source = &space->domains[from], *domain = &space->domains[to];
    if (is_float(source) != is_float(domain)) return;
    leaves[to] = is_float(domain) ? clipped_real(domain, leaves[from].real)
                                  : clipped(domain, widened(source, leaves[from]));
}

static void insert(const struct space *space, union leaf *leaves, const struct sequence *it, int64_t at, union leaf value) {
    union leaf *elements = leaves + it->first;
    int64_t count = leaves[it->length].number;
    if (count >= it->most) return;
    memmove(elements + at + 1, elements + at, (it->most - 1 - at) * sizeof *elements);
    elements[at] = value;
    leaves[it->length] = clipped(&space->domains[it->length], count + 1);
}

static void edit(const struct space *space, union leaf *leaves, const struct sequence *it) {
    union leaf *elements = leaves + it->first;
    int64_t count = leaves[it->length].number, at = below(space, count + 1);
    double kind = unit(space);
    if (count >= it->most) kind = 0.5 + kind / 2, count = it->most;
    if (kind < 0.5 || count == 0) {
        insert(space, leaves, it, at, drawn(space, it->first + (at < it->most ? at : it->most - 1)));
    } else if (kind < 0.8) {
        at = at < count ? at : count - 1;
        memmove(elements + at, elements + at + 1, (it->most - 1 - at) * sizeof *elements);
        leaves[it->length] = clipped(&space->domains[it->length], count - 1);
    } else { /* some elements twice */
        at = at < count ? at : count - 1;
        int64_t many = 1 + below(space, count - at);
        for (int64_t i = 0; i < many && leaves[it->length].number < it->most; i++)
            insert(space, leaves, it, at + many + i, elements[at + i]);
    }
}

/* One leaf, or a few, drawn anew, moved, or copied from another leaf; or a text edited. */
static void mutate(const struct space *space, union leaf *leaves) {
    do {
        int64_t at = below(space, space->leaves);
        double kind = unit(space);
        if (space->sequences_count && unit(space) < 0.3)
            edit(space, leaves, &space->sequences[below(space, space->sequences_count)]);
        else if (kind < 0.35) leaves[at] = drawn(space, at);
        else if (kind < 0.9) move(space, leaves, at);
        else copy_leaf(space, leaves, at, below(space, space->leaves));
    } while (unit(space) >= 0.6);
}
#endif
