/* Writes behind a block of the heap if the input says so; only a sanitizer notices. */
#include <stdlib.h>
#include <unistd.h>

static void put(unsigned char *block, unsigned char at) { block[at] = 1; }

int main(void) {
    unsigned char data[2] = {0, 0};
    unsigned char *block = malloc(8);
    if (read(0, data, 2) != 2 || data[0] != 'W') return 1;
    put(block, data[1] == 'x' ? 8 : 7);
    free(block);
    return 0;
}
