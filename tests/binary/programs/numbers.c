/* Reads a number: the result tells its bits and where it ends. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int parse(const char *data, unsigned long length) {
    char text[64] = {0}, *end;
    memcpy(text, data, length < 63 ? length : 63);
    double value = strtod(text, &end);
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return (int)((bits ^ bits >> 32) * 31 + (end - text));
}

int is_seven(const char *data, unsigned long length) {
    char text[64] = {0};
    memcpy(text, data, length < 63 ? length : 63);
    return atof(text) == 7.0;
}

long others(const char *data, unsigned long length, long third, long fourth, long fifth, long sixth) {
    return third | fourth | fifth | sixth;
}
