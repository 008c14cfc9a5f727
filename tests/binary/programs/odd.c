/* Programs that do what a searched program should not: each by the word that it is built with. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void handle(int number) { _exit(3); }

int main(int argc, char **argv) {
    char first = 0;
#ifdef FORKS
    if (fork() == 0) _exit(0);
#endif
#ifdef SLEEPS
    sleep(1000);
#endif
#ifdef HANDLES
    signal(SIGTERM, handle);
    signal(SIGINT, SIG_IGN);
#endif
#ifdef WRITES
    FILE *file = fopen(argv[1], "w");
    if (!file) return 9;
    fputs("changed", file);
    fclose(file);
#endif
    if (read(0, &first, 1) != 1) return 1;
#ifdef READS_ON
    while (1) read(0, &first, 1);
#endif
#ifdef WIDE
    if (first == 'v') __asm__ volatile("vpaddb %%ymm1, %%ymm2, %%ymm3" ::: "xmm3");
#endif
#ifdef LOADS
    if (first == 'd') {
        void *loaded = dlopen("libm.so.6", RTLD_NOW);
        double (*function)(double) = loaded ? (double (*)(double))dlsym(loaded, "cos") : 0;
        return !function ? 5 : function(0.0) == 1.0 ? 6 : 7;
    }
#endif
#ifdef GROWS
    if (first == 'm')
        while (1) memset(malloc(1 << 20), 1, 1 << 20);
#endif
#ifdef LOOPS
    while (first == 'l') {}
#endif
    return first == 'x' ? 4 : 0;
}
