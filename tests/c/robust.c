/* Functions of shapes that nobody of us had in mind at first; tests/c/test_robust.py covers them and asks gcov. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int shifted(long long x) {
    if ((x >> 40) == 3)
        return x & 1 ? 1 : 2;
    return 0;
}

int turned(unsigned x) {
    if ((x ^ 0xdeadbeef) == 0x12345678)
        return 1;
    return ~x == 77 ? 2 : 0;
}

int equal_floats(double x, double y) {
    if (x == 3.14159)
        return 1;
    if (x + y == 100.5 && x - y == 0.25)
        return 2;
    return isnan(x) ? 3 : 0;
}

int address(const char *s, unsigned char out[4]) {
    int part = 0, value = -1;
    for (;; s++) {
        if (*s >= '0' && *s <= '9') {
            value = (value < 0 ? 0 : value) * 10 + (*s - '0');
            if (value > 255)
                return -1;
        } else if (*s == '.' || *s == 0) {
            if (value < 0)
                return -2;
            if (part > 3)
                return -3;
            out[part++] = value;
            value = -1;
            if (!*s)
                break;
        } else
            return -4;
    }
    return part == 4 ? 0 : -5;
}

int computed(int x) {
    static void *places[] = {&&first, &&second};
    if (x < 0 || x > 1)
        return -1;
    goto *places[x];
first:
    return 1;
second:
    return 2;
}

int elvis(int x) {
    int y = ({ int t = x * 2; t > 10 ? t : 0; });
    return y ?: 7;
}

int fits(const char *const *names, int n, const char *key, int (*equal)(const char *, const char *)) {
    for (int i = 0; i < n; i++)
        if (names[i] && (equal ? equal(names[i], key) : strcmp(names[i], key)) == 0)
            return i;
    return -1;
}

int wide(__int128 x) {
    return x > 5 ? 1 : 0;
}

int keyed(const uint8_t key[8]) {
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += key[i];
    return sum == 77 ? 1 : 0;
}

int copied(char *dst, const char *src, int size) {
    int i;
    for (i = 0; i < size - 1 && src[i]; i++)
        dst[i] = src[i];
    dst[i] = 0;
    return i > 3 ? 1 : 0;
}

int twice(int n) {
    char *p = malloc(10);
    if (n == 99)
        free(p);
    free(p);
    return 0;
}

int checked(int x) {
    assert(x != 12345);
    return x > 5 ? 1 : 0;
}

int noisy(int x) {
    for (int i = 0; i < 100; i++)
        fprintf(stderr, "a line that goes nowhere, again and again\n");
    return x > 5 ? 1 : 0;
}

extern int elsewhere(int);

int unlinked(int x) {
    return x > 5 ? elsewhere(x) : 0;
}
