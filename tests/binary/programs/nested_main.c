/* The parser of nested.c as a program that reads its message. */
#include <unistd.h>

#include "nested.c"

int main(void) {
    unsigned char data[64];
    return parse(data, (int)read(0, data, sizeof data));
}
