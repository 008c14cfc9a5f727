/* Watches every emulated instruction: counts it, notes where blocks begin and calls nest, and finds those that touch
   the input. What is known of each instruction was decoded once; only tainted ones are handed to Python. In runs that
   do not look for the input only the kind of an instruction matters, which is read here: decoding takes far longer. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { READS = 1, WRITES = 2 };
enum { ENDS_BLOCK = 1, CALLS = 2, RETURNS = 4, ALWAYS = 8, WATCHED = 16, REPEATS = 32, IN_BRIEF = 64 };
enum { RCX = 1 };
enum { RUNNING, AT_LIMIT, TIMED_OUT };

typedef struct {
    int64_t displacement;
    int8_t base, index;
    uint8_t scale, kind, segment;
    uint16_t size;
} access;

typedef struct {
    uint64_t reads, writes;
    access accesses[2];
    uint8_t count, flags;
    uint32_t epoch;
    uint64_t address;
} instruction;

typedef struct {
    uint64_t page;
    uint64_t bits[64];
} page;

typedef int (*callback)(uint64_t);

typedef struct {
    /* The part that Python reads and writes. */
    uint64_t registers, tracking, addresses[2];
    uint64_t instructions, blocks, watched, limit, depth, status;
    double deadline;
    uint64_t segments[3]; /* none, fs, gs */
    uint64_t visited, begins_block;
    uint64_t *visits, *stack;
    /* The part that it does not. */
    uint64_t last_page;
    page *last;
    callback decode, lift;
    int (*read_register)(void *, int, void *);
    int (*stop)(void *);
    int (*read_memory)(void *, uint64_t, void *, uint64_t);
    instruction *recent[8192];
    int ids[16];
    uint32_t epoch;
    uint64_t was_block;
    instruction **table;
    uint64_t table_size, known;
    page **pages;
    uint64_t pages_size, pages_used, visits_room;
} tracer;

#define DEEPEST 65536
#define RECENT 8192
#define LONGEST 15

static uint64_t mixed(uint64_t key) { return (key * 0x9E3779B97F4A7C15ull) >> 20; }

static instruction **slot(tracer *t, uint64_t address) {
    uint64_t at = mixed(address) & (t->table_size - 1);
    while (t->table[at] && t->table[at]->address != address) at = (at + 1) & (t->table_size - 1);
    return &t->table[at];
}

static void grow(tracer *t) {
    instruction **old = t->table;
    uint64_t size = t->table_size;
    t->table_size = size * 2;
    t->table = calloc(t->table_size, sizeof *t->table);
    for (uint64_t i = 0; i < size; i++)
        if (old[i]) *slot(t, old[i]->address) = old[i];
    free(old);
}

void add_instruction(tracer *t, const instruction *given) {
    instruction **at = slot(t, given->address);
    if (!*at) {
        *at = malloc(sizeof **at);
        if (++t->known * 2 > t->table_size) {
            instruction *made = *at;
            *made = *given;
            grow(t);
            return;
        }
    }
    **at = *given;
}

/* Where an instruction goes on, by its code: whether it jumps, calls, returns or leaves the program. */
int brief_flags(const uint8_t *code, uint64_t size) {
    const uint8_t *end = code + size;
    while (code < end && (*code == 0x66 || *code == 0x67 || *code == 0xF2 || *code == 0xF3 || *code == 0xF0 ||
                          *code == 0x2E || *code == 0x36 || *code == 0x3E || *code == 0x26 || *code == 0x64 ||
                          *code == 0x65))
        code++;
    if (code < end && (*code & 0xF0) == 0x40) code++;
    if (code >= end) return 0;
    uint8_t first = code[0], second = code + 1 < end ? code[1] : 0, way = second >> 3 & 7;
    if (first == 0xE8 || (first == 0xFF && (way == 2 || way == 3))) return CALLS | ENDS_BLOCK;
    if (first == 0xC2 || first == 0xC3 || first == 0xCA || first == 0xCB) return RETURNS | ENDS_BLOCK;
    if ((first & 0xF0) == 0x70 || (first >= 0xE0 && first <= 0xE3) || first == 0xE9 || first == 0xEB || first == 0xF4)
        return ENDS_BLOCK;
    if (first == 0x0F && ((second & 0xF0) == 0x80 || second == 0x05)) return ENDS_BLOCK;
    return first == 0xFF && (way == 4 || way == 5) ? ENDS_BLOCK : 0;
}

static instruction *find(tracer *t, uint64_t address) {
    instruction **recent = &t->recent[(address ^ address >> 13) & (RECENT - 1)];
    if (!*recent || (*recent)->address != address) {
        instruction *found = *slot(t, address);
        if (!found) return NULL;
        *recent = found;
    }
    return *recent;
}

/* What there is to know of an instruction in this run; NULL if that cannot be told. */
static instruction *meet(tracer *t, void *uc, uint64_t address, uint64_t size) {
    uint8_t code[LONGEST];
    if (t->tracking || size > LONGEST || t->read_memory(uc, address, code, size)) {
        if (t->decode(address)) return NULL;
    } else {
        instruction made = {.address = address, .flags = brief_flags(code, size) | IN_BRIEF};
        add_instruction(t, &made);
    }
    return find(t, address);
}

static page *find_page(tracer *t, uint64_t number, int create) {
    if (t->last && t->last_page == number) return t->last;
    uint64_t at = mixed(number) & (t->pages_size - 1);
    while (t->pages[at] && t->pages[at]->page != number) at = (at + 1) & (t->pages_size - 1);
    if (!t->pages[at]) {
        if (!create) return NULL;
        if (++t->pages_used * 2 > t->pages_size) {
            page **old = t->pages;
            uint64_t size = t->pages_size;
            t->pages_size *= 2;
            t->pages = calloc(t->pages_size, sizeof *t->pages);
            for (uint64_t i = 0; i < size; i++) {
                if (!old[i]) continue;
                uint64_t to = mixed(old[i]->page) & (t->pages_size - 1);
                while (t->pages[to]) to = (to + 1) & (t->pages_size - 1);
                t->pages[to] = old[i];
            }
            free(old);
            at = mixed(number) & (t->pages_size - 1);
            while (t->pages[at]) at = (at + 1) & (t->pages_size - 1);
        }
        t->pages[at] = calloc(1, sizeof **t->pages);
        t->pages[at]->page = number;
    }
    t->last_page = number;
    return t->last = t->pages[at];
}

/* Which of up to 64 bytes of memory are tainted, as a mask. */
uint64_t tainted(tracer *t, uint64_t address, uint64_t size) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < size;) {
        uint64_t at = address + i, offset = at & 4095, here = 4096 - offset;
        if (here > size - i) here = size - i;
        page *p = find_page(t, at >> 12, 0);
        if (p)
            for (uint64_t j = 0; j < here; j++)
                if (p->bits[(offset + j) >> 6] >> ((offset + j) & 63) & 1) found |= 1ull << (i + j);
        i += here;
    }
    return found;
}

void set_taint(tracer *t, uint64_t address, uint64_t size, int on) {
    for (uint64_t i = 0; i < size; i++) {
        uint64_t at = address + i, offset = at & 4095;
        page *p = find_page(t, at >> 12, on);
        if (!p) {
            i += 4095 - offset;
            continue;
        }
        uint64_t bit = 1ull << (offset & 63);
        if (on) p->bits[offset >> 6] |= bit;
        else p->bits[offset >> 6] &= ~bit;
    }
}

static uint64_t effective(tracer *t, void *uc, const access *a) {
    uint64_t address = a->displacement + t->segments[a->segment], value = 0;
    if (a->base >= 0) {
        t->read_register(uc, t->ids[a->base], &value);
        address += value;
    }
    if (a->index >= 0) {
        t->read_register(uc, t->ids[a->index], &value);
        address += value * a->scale;
    }
    return address;
}

static void note_block(tracer *t, instruction *known) {
    t->blocks++;
    if (known->epoch == t->epoch) return;
    known->epoch = t->epoch;
    if (t->visited == t->visits_room) {
        t->visits_room *= 2;
        t->visits = realloc(t->visits, t->visits_room * sizeof *t->visits);
    }
    t->visits[t->visited++] = known->address;
}

static int is_late(tracer *t) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec + now.tv_nsec * 1e-9 > t->deadline) t->status = TIMED_OUT;
    return t->status == TIMED_OUT;
}

static int is_over(tracer *t) {
    if (t->instructions >= t->limit) t->status = AT_LIMIT;
    if ((t->instructions & 0xFFFF) == 0) is_late(t);
    return t->status != RUNNING;
}

static void note_call(tracer *t, const instruction *known) {
    if (known->flags & CALLS) {
        if (t->depth < DEEPEST) t->stack[t->depth] = known->address;
        t->depth++;
    } else if (known->flags & RETURNS && t->depth) {
        t->depth--;
    }
}

/* Whether an instruction touches the input; one that does not makes what it writes untainted. */
static int touches(tracer *t, void *uc, const instruction *known) {
    uint64_t found = known->reads & t->registers;
    if (known->flags & REPEATS && !(t->registers & 1 << RCX)) {
        uint64_t left = 0;
        t->read_register(uc, t->ids[RCX], &left);
        if (!left) return 0; /* the repetition is over, and nothing is done any more */
    }
    for (int i = 0; i < known->count; i++) {
        const access *a = &known->accesses[i];
        t->addresses[i] = effective(t, uc, a);
        if (a->kind & READS) found |= tainted(t, t->addresses[i], a->size);
    }
    if (found) return 1;
    t->registers &= ~known->writes;
    for (int i = 0; i < known->count; i++)
        if (known->accesses[i].kind & WRITES) set_taint(t, t->addresses[i], known->accesses[i].size, 0);
    return 0;
}

void on_instruction(void *uc, uint64_t address, uint32_t size, void *given) {
    tracer *t = given;
    instruction *known = find(t, address);
    if (!known || (known->flags & IN_BRIEF && t->tracking)) known = meet(t, uc, address, size);
    if (!known || is_over(t)) {
        t->stop(uc);
        return;
    }
    t->was_block = t->begins_block;
    if (t->begins_block) note_block(t, known);
    t->begins_block = known->flags & ENDS_BLOCK;
    t->instructions++;
    if (known->flags & WATCHED) t->watched++;
    if ((t->tracking && touches(t, uc, known)) || known->flags & ALWAYS) {
        if (is_late(t) || t->lift(address)) { /* each of these may take long */
            t->stop(uc);
            return;
        }
    }
    note_call(t, known);
}

void reset(tracer *t) {
    t->registers = t->instructions = t->blocks = t->watched = t->depth = t->status = t->visited = 0;
    t->begins_block = 1;
    t->epoch++;
    t->last = NULL;
    for (uint64_t i = 0; i < t->pages_size; i++)
        if (t->pages[i]) memset(t->pages[i]->bits, 0, sizeof t->pages[i]->bits);
}

/* Take back the count of an instruction at which a run was stopped, because the run goes on there. */
void uncount(tracer *t) {
    t->instructions--;
    t->begins_block = t->was_block;
    if (t->was_block) t->blocks--;
}

tracer *make_tracer(callback decode, callback lift, void *read_register, void *stop, void *read_memory,
                    const int *ids) {
    tracer *t = calloc(1, sizeof *t);
    t->decode = decode;
    t->lift = lift;
    t->read_register = (int (*)(void *, int, void *))read_register;
    t->stop = (int (*)(void *))stop;
    t->read_memory = (int (*)(void *, uint64_t, void *, uint64_t))read_memory;
    memcpy(t->ids, ids, sizeof t->ids);
    t->table_size = 1 << 14;
    t->table = calloc(t->table_size, sizeof *t->table);
    t->pages_size = 1 << 8;
    t->pages = calloc(t->pages_size, sizeof *t->pages);
    t->visits_room = 1 << 12;
    t->visits = malloc(t->visits_room * sizeof *t->visits);
    t->stack = malloc(DEEPEST * sizeof *t->stack);
    t->limit = UINT64_MAX;
    t->deadline = 1e300;
    reset(t);
    return t;
}
