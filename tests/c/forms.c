/* Constructs of C, each in a function whose branches can all be taken, and which ends on every input. */
#include <stdarg.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <stdbool.h>
struct item { int kind; short weight; char name[8]; };
/* void * that is a struct, by casts */
int by_cast(void *data) { struct item *it = (struct item *)data; if (it->kind == 77 && it->weight < -5) return 1; return 0; }
int by_init(const void *a, const void *b) { const struct item *x = a, *y = b; if (x->kind < y->kind) return -1; return x->weight == y->weight + 3; }
int by_arrow(void *p) { if (((struct item *)p)->weight == 1234) return 1; return 0; }
int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x == y * 3 + 1 ? 1 : 0; }
/* function pointers */
typedef int (*compare)(const void *, const void *);
int sorted(int *xs, size_t n, compare c) { for (size_t i = 1; i < n; i++) if (c(&xs[i-1], &xs[i]) > 0) return 0; return 1; }
struct ops { int (*get)(void *, int); void *ctx; };
int uses_ops(struct ops *o, int k) { if (o->get && o->get(o->ctx, k) == 1) return 1; return 0; }
union number { int i; float f; unsigned char b[4]; };
int onion(union number u, int tag) { if (tag == 1) return u.i == 4242; if (tag == 2) return u.f > 2.5f; return u.b[3] == 9; }
struct bits { unsigned a : 3, : 2, b : 5; int c : 6; _Bool d : 1; unsigned long long e : 40; };
int bitty(struct bits x) { if (x.a == 5 && x.b == 17) return 1; if (x.c == -20) return 2; if (x.d && x.e == 0x123456789) return 3; return 0; }
struct flex { unsigned n; int xs[]; };
int flexible(const struct flex *f) { if (f->n < 3) return 0; if (f->xs[2] == 99) return 2; return 1; }
int args(int argc, const char **argv) { for (int i = 1; i < argc; i++) if (!strcmp(argv[i], "--go")) return 1; return 0; }
int args_null(char *const argv[]) { int n = 0; while (argv[n]) { if (argv[n][0] == '-' && argv[n][1] == 'v') return -1; n++; } return n > 2; }
int sized(const unsigned char *buf, size_t len) { if (len > 3 && buf[0] == 0x7f && buf[3] == 'F') return 1; return 0; }
int twice_sized(const char *a, size_t alen, const char *b, size_t blen) { if (alen != blen) return 0; return memcmp(a, b, alen) == 0; }
int grid(int m[3][4]) { if (m[2][3] == 31 && m[0][1] < -2) return 1; return 0; }
int cube(double c[2][2][2]) { return c[1][0][1] > 3.25 ? 1 : 0; }
int counter(void) { static int n; return ++n > 1; }
int ld(long double x) { if (x == 2.5L) return 1; if (x > 1e30L) return 2; return 0; }
int boolean(_Bool a, bool b) { if (a && !b) return 1; if (a == b) return 2; return 0; }
#define CLAMP(x, lo, hi) ({ __typeof__(x) _x = (x); _x < (lo) ? (lo) : _x > (hi) ? (hi) : _x; })
#define FOREACH(i, n) for (int i = 0; i < (n); i++)
int macros(int x, int n) { int s = 0; FOREACH(i, n & 7) s += CLAMP(x + i, -3, 50); return s == 100; }
int labels(unsigned char op) { static void *t[] = {&&a, &&b, &&c}; goto *t[op % 3]; a: if (op > 200) return 1; return 0; b: return 2; c: return 3; }
int ranges(int c) { switch (c) { case '0' ... '9': return 1; case 'a' ... 'f': case 'A' ... 'F': return 2; } return 0; }
int old(a, s) int a; char *s; { if (a == 5 && s[0] == 'q') return 1; return 0; }
#define KIND(x) _Generic((x), int: 1, double: 2, default: 3)
int generic(int a, double b) { if (KIND(a) == 1 && a > b) return 1; return KIND(b); }
int nested_ternary(int a, int b) { return a > b ? a > 2 * b ? 3 : 2 : a == b ? 1 : 0; }
int atomics(_Atomic int *p) { if (*p == 5) return 1; return 0; }
int strs(const char *a) { if (strncmp(a, "GET ", 4) == 0) return 1; if (strstr(a, "xyz")) return 2; if (strchr(a, ';')) return 3; return 0; }
int wide(const wchar_t *s) { if (s[0] == L'é') return 1; return 0; }
enum color { RED, GREEN = 5, BLUE };
int enums(enum color c, enum color *out) { if (c == BLUE) { *out = RED; return 1; } return c > BLUE; }
int dowhile(unsigned n) { int k = 0; do { if (n % 7 == 3) break; n /= 2; k++; } while (n); return k; }
int vla(int n) { if (n < 1 || n > 100) return -1; int a[n]; for (int i = 0; i < n; i++) a[i] = i * i; return a[n - 1] == 49; }
int comma(int a, int b) { if (a++, b--, a == b) return 1; return 0; }
struct deep { struct { struct { int a[3]; struct item *it; } mid[2]; } top; };
int deeper(const struct deep *d) { if (d->top.mid[1].a[2] == 8 && d->top.mid[0].it && d->top.mid[0].it->kind == 3) return 1; return 0; }
static inline int inl(int a) { return a == 40 ? 1 : 0; }
int calls_inline(int a) { if (inl(a + 2)) return 1; return 0; }
const char *const names[] = {"a", "bb"}; 
int tabled(unsigned i) { if (i < 2 && names[i][1] == 'b') return 1; return 0; }
struct node { int v; struct node *left, *right; };
int tree(struct node *n, int d) { if (!n) return 0; if (d > 2 && n->v == 9) return 1; return tree(n->left, d + 1) | tree(n->right, d + 1); }
int stream(FILE *f) { int c = fgetc(f); if (c == 'a') return 1; if (c == EOF) return 2; return fgetc(f) == 'z' ? 3 : 0; }
int read_number(FILE *in, FILE *log) { int n; if (fscanf(in, "%d", &n) != 1) return -1; if (log && n > 3) fputc('x', log); return n > 3; }
