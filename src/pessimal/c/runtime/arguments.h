/* The arguments of a call, made out of the leaves of an input. */
#ifndef PESSIMAL_ARGUMENTS_H
#define PESSIMAL_ARGUMENTS_H
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "leaves.h"

enum { RECYCLED = 99, PAGE = 4096, MOST_CELLS = 4096 }; /* RECYCLED: how a child ends that another one should replace */

/* The memory that pointers of an input lead to. Each cell ends at a page that cannot be read, so that running over the
   end of an array is noticed at once. Cells end at the same addresses in all processes, so that a target which looks at
   addresses does the same in each of them. */
static struct cell {
    char *start, *end;
} cells[MOST_CELLS];
static int used_cells;
#define CELL_REGION (1ul << 26)
#define CELLS_AT ((char *)0x200000000000)

static void no_room(void); /* ends the run, or the process */

static char *cell(size_t size) {
    struct cell *it = &cells[used_cells < MOST_CELLS - 1 ? used_cells++ : used_cells];
    if ((size_t)(it->end - it->start) < size || !it->start) {
        size_t room = (size + PAGE) / PAGE * PAGE;
        if (it->start) munmap(it->start, it->end - it->start + PAGE);
        it->start = it->end = 0;
        char *wanted = room < CELL_REGION ? CELLS_AT + (it - cells + 1) * CELL_REGION - room - PAGE : 0;
        char *fresh = mmap(wanted, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fresh == MAP_FAILED) no_room();
        mprotect(fresh + room, PAGE, PROT_NONE);
        it->start = fresh;
        it->end = fresh + room;
    }
    memset(it->end - size, 0, size);
    return it->end - size;
}

/* What pointers to functions lead to, by the number of what it returns, counted from -1: a number, or a pointer. */
static long minus_one(void) { return -1; }
static long zero(void) { return 0; }
static long one(void) { return 1; }
static long block(void) { return (long)cell(1 << 16); }
static long (*const callbacks[])(void) = {minus_one, zero, one, zero, block};

static void put(char *place, int64_t bytes, int64_t value) {
    memcpy(place, &value, bytes > 8 ? 8 : bytes);
    if (bytes > 8) memset(place + 8, value < 0 ? 0xff : 0, bytes - 8);
}

static void put_real(char *place, int64_t bytes, double value) {
    float single = (float)value;
    long double extended = value;
    if (bytes == sizeof single) memcpy(place, &single, sizeof single);
    else if (bytes == sizeof value) memcpy(place, &value, sizeof value);
    else memcpy(place, &extended, sizeof extended);
}

static void put_bits(char *place, int64_t bytes, int64_t shift, int64_t width, int64_t value) {
    uint64_t word = 0, mask = (width >= 64 ? ~0ull : (1ull << width) - 1) << shift;
    memcpy(&word, place, bytes);
    word = (word & ~mask) | (((uint64_t)value << shift) & mask);
    memcpy(place, &word, bytes);
}

/* The operations that make the arguments of a call out of leaves; layout.py writes them. */
enum operation { INT, REAL, CONST, TABLE, BITS, POINTER, VECTOR, REPEAT, SELECT, FUNCTION, STREAM };

static void make(const int64_t *code, const int64_t *end, char *at, const union leaf *leaf) {
    while (code < end) {
        const int64_t *w = code + 1;
        char *place = at + w[0];
        switch ((enum operation)*code) {
        case INT: put(place, w[1], leaf[w[2]].number); code += 4; break;
        case REAL: put_real(place, w[1], leaf[w[2]].real); code += 4; break;
        case CONST: put(place, w[1], w[2]); code += 4; break;
        case TABLE: put(place, w[1], w[4 + leaf[w[2]].number]); code += 5 + w[3]; break;
        case BITS: put_bits(place, w[1], w[2], w[3], leaf[w[4]].number); code += 6; break;
        case POINTER: {
            if (w[1] < 0 || leaf[w[1]].number) {
                char *object = cell(w[2]);
                memcpy(place, &object, sizeof object);
                make(w + 4, w + 4 + w[3], object, leaf);
            }
            code = w + 4 + w[3];
            break;
        }
        case VECTOR: { /* offset, leaf of NULL, element's size, most, leaf of count, terminators, stride, body */
            if (w[1] < 0 || leaf[w[1]].number) {
                int64_t count = w[4] < 0 ? w[3] : leaf[w[4]].number;
                char *object = cell((count + w[5]) * w[2]);
                memcpy(place, &object, sizeof object);
                for (int64_t i = 0; i < count; i++) make(w + 8, w + 8 + w[7], object + i * w[2], leaf + i * w[6]);
            }
            code = w + 8 + w[7];
            break;
        }
        case REPEAT: /* offset, element's size, count, stride, body */
            for (int64_t i = 0; i < w[2]; i++) make(w + 5, w + 5 + w[4], place + i * w[1], leaf + i * w[3]);
            code = w + 5 + w[4];
            break;
        case SELECT: { /* 0, leaf, number of bodies, their lengths, the bodies */
            const int64_t *body = w + 3 + w[2], *past = body;
            int64_t chosen = leaf[w[1]].number;
            for (int64_t i = 0; i < w[2]; i++) {
                if (i == chosen) make(past, past + w[3 + i], at, leaf);
                past += w[3 + i];
            }
            code = past;
            break;
        }
        case FUNCTION: /* offset, leaf of the answer, leaf of NULL */
            if (w[2] < 0 || leaf[w[2]].number) memcpy(place, &callbacks[leaf[w[1]].number + 1], sizeof *callbacks);
            code += 4;
            break;
        case STREAM: { /* offset, body, which makes the text that is read */
            char *text;
            make(w + 2, w + 2 + w[1], at, leaf);
            memcpy(&text, place, sizeof text);
            FILE *stream = text ? fmemopen(text, strlen(text), "r+") : 0;
            memcpy(place, &stream, sizeof stream);
            code = w + 2 + w[1];
            break;
        }
        default: _exit(RECYCLED);
        }
    }
}
#endif
