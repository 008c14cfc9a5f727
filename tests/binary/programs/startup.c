/* A program with much to do before it reads, and with the habits of real ones: duplicated descriptors, /dev/null, maps. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int table[4096];

static int has_reserved(void) {
    char *room = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED || mprotect(room + 4096, 8192, PROT_READ | PROT_WRITE)) return 0;
    strcpy(room + 8000, "reserved");
    char *fixed = mmap(room + 8192, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return fixed == room + 8192 && !strcmp(room + 8000, "reserved") && fixed[0] == 0;
}

static int prepared(void) {
    struct rlimit limit;
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || write(null, "x", 1) != 1 || getrlimit(RLIMIT_NOFILE, &limit)) return 0;
    if (access("/no/such/file", R_OK) == 0 || open("/no/such/file", O_WRONLY | O_CREAT, 0600) >= 0) return 0;
    for (int round = 0; round < 25; round++)
        for (int i = 0; i < 4096; i++) table[i] += i * round;
    return (fcntl(1, F_GETFL) & O_ACCMODE) != O_RDONLY && has_reserved();
}

static int kind(unsigned char c) {
    switch (c) {
    case '0': return 1;
    case '1': return 22;
    case '2': return 13;
    case '3': return 54;
    case '4': return table[1] ? 65 : 0;
    default: return 0;
    }
}

int main(int argc, char **argv) {
    struct stat found;
    if (!prepared()) return 90;
    int input = dup(argc > 1 ? open(argv[1], O_RDONLY) : 0);
    if (fstat(input, &found)) return 91;
    if (found.st_size == 0) return 92;
    unsigned char *data = mmap(NULL, found.st_size, PROT_READ, MAP_PRIVATE, input, 0);
    return data == MAP_FAILED ? 93 : kind(data[0]);
}
