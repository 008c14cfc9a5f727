/* A parser with a magic number, a length and a checksum, and an error that only a well-formed message reaches. */
#include <stdint.h>
#include <string.h>

static uint32_t number(const unsigned char *at) {
    return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

int parse(const unsigned char *data, int size) {
    char *nowhere = 0;
    unsigned char sum = 0;
    if (size < 8 || number(data) != 0x4C504D45) return 1;
    int length = data[4];
    if (length != size - 6) return 2;
    for (int i = 0; i < length; i++) sum = sum * 7 + data[5 + i];
    if (sum != data[size - 1]) return 3;
    if (memcmp(data + 5, "key", 3) == 0) *nowhere = 1;
    return 0;
}
