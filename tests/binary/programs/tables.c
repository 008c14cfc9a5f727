/* What compilers make of a switch and of a table: a computed jump and a load at a computed address. */
static const unsigned char kinds[256] = {['0' ... '9'] = 1, ['a' ... 'z'] = 2, [' '] = 3};
volatile int seen[8];

int parse(const unsigned char *data, int size) {
    switch (data[0]) {
        case 'a': seen[0]++; return 10;
        case 'b': seen[1]--; return 7;
        case 'c': seen[2] = 3; return 99;
        case 'd': seen[3] ^= 1; return 1;
        case 'e': seen[4] = seen[5]; return 14;
        case 'f': seen[6] = 0; return 2;
    }
    if (kinds[data[1]] != 1) return 200;
    seen[7] = 1;
    return 100;
}

int divide(int a, int b) { return a / b; }

int loop(const unsigned char *data, int size) {
    int steps = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < data[i] % 8; j++) steps += seen[0] + 1;
    return steps;
}
