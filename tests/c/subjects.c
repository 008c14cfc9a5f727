/* Functions with one difficulty each; tests/c compares them with their meaning in C. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WITHIN(x, low, high) ((x) >= (low) && (x) <= (high))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

struct point {
    int x, y;
};

struct node {
    int value;
    struct node *next;
};

struct shape {
    enum kind { CIRCLE = 3, SQUARE, OTHER = 9 } kind;
    union {
        int radius;
        struct point corner;
    } u;
    unsigned flag : 3, level : 5;
    struct point path[2];
    const char *name;
};

typedef enum { LOW, HIGH = 40 } range_t;

int guarded(struct point *p) {
    if (p && p->x > 3)
        return 1;
    return 0;
}

int fall_through(int code) {
    int total = 0;
    switch (code) {
    case 1:
    case 2:
        total += 1; /* falls through */
    case 7:
        total += 10;
        break;
    case 100 ... 120:
        total += 100;
    default:
        total += 1000;
    }
    return total;
}

int nested(int rows, int columns) {
    int found = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            if (i == j)
                continue;
            if (i * 10 + j == 34)
                found++;
        }
    return found;
}

int password(const char *text) {
    if (strcmp(text, "sesame") == 0)
        return 1;
    if (!strncmp(text, "open", 4))
        return 2;
    return 0;
}

int list_length(struct node *list) {
    int length = 0;
    for (; list; list = list->next)
        length++;
    return length > 3 ? 100 : length;
}

int describe(const struct shape *s) {
    if (s->kind == CIRCLE)
        return s->u.radius > 1000 ? 1 : 2;
    if (s->flag == 5 && s->level == 17)
        return 3;
    if (s->path[1].y == 77)
        return 4;
    return s->name[0] == 'q' ? 5 : 6;
}

int sum_points(const struct point *points, size_t count) {
    int sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += points[i].x == 12 ? points[i].y & 1023 : 1;
    return sum;
}

int in_range(range_t range) {
    switch (range) {
    case LOW: return 1;
    case HIGH: return 2;
    }
    return 3;
}

int jumps(int n) {
    int steps = 0;
again:
    if (n > 10 && steps < 20) {
        n -= 7;
        steps++;
        goto again;
    }
    if (UNLIKELY(steps == 3))
        goto out;
    steps = -steps;
out:
    return steps;
}

static int hidden(unsigned char c) {
    return WITHIN(c, 'a', 'f') || WITHIN(c, '0', '9');
}

int classify(float a, double b) {
    if (a == b)
        return 1;
    if (a < b * 0.5)
        return 2;
    return a > 1e10 ? 3 : hidden((unsigned char)(int)(a > 0 && a < 255 ? a : 0)) ? 4 : 5;
}

void halves(int value, int *low, int *high) {
    *low = value & 0xffff;
    if (high)
        *high = (value >> 16) & 0xffff;
}

int compare_signs(int a, unsigned b) {
    return a < b ? 1 : a == b ? 2 : 3; /* the compiler converts a */
}

int divide(int a, int b) {
    if (a == 1000)
        return a / (b - b);
    return 1;
}

int overrun(const char *text) {
    char copy[4];
    strcpy(copy, text);
    return copy[0] == 'x';
}

int past_the_end(const int *numbers, int count) {
    int sum = 0;
    for (int i = 0; i <= count; i++)
        sum += numbers[i] != 0;
    return sum;
}

int endless(int a) {
    while (a == 5)
        ;
    for (;;)
        if (a != 6)
            return a > 0;
}

int leaves_early(int a) {
    if (a == 3)
        exit(4);
    if (a == 4)
        abort();
    return a > 100;
}

static int calls;

int remembers(int a) {
    calls++;
    return calls > 1 || a == 3;
}

int apply(int (*f)(int), int x) {
    return f(x) > 0 ? 1 : 2;
}

const char *name_of(int number) {
    return number == 1 ? "one" : number == 2 ? "two" : NULL;
}

long count_down(long n) {
    long steps = 0;
    do
        steps++;
    while (--n > 0);
    return steps;
}

int opaque(struct __unseen *stream) {
    return sizeof stream > 3;
}

int plain_value(int a, int b) {
    int both = a > 3 && b < -5, either = a == 7 || !b;
    return (a ? b : a) + both + 2 * either;
}

int wide(unsigned long long a, long long b, unsigned char c, short d, _Bool e) {
    if (a > 18000000000000000000ull)
        return 1;
    if (b < -9000000000000000000ll)
        return 2;
    return c == 200 && d == -300 && e;
}
