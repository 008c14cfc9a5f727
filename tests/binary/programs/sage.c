/* The example of the SAGE paper: four bytes, sixteen paths, and an abort behind the word "bad!". */
#include <stdio.h>
#include <stdlib.h>

static int top(const char *input) {
    int count = 0;
    if (input[0] == 'b') count++;
    if (input[1] == 'a') count++;
    if (input[2] == 'd') count++;
    if (input[3] == '!') count++;
    if (count >= 4) abort();
    return count;
}

int parse(const char *data, int size) { return size < 4 ? -1 : top(data); }

int main(int argc, char **argv) {
    char data[4] = {0};
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
    if (!file || fread(data, 1, 4, file) != 4) return 2;
    printf("%d\n", top(data));
    return 0;
}
