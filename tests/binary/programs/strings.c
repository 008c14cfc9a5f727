/* Functions of the C library on the input. */
#include <stdlib.h>
#include <string.h>

int length(const char *text) { return (int)strlen(text); }

int command(const char *text) {
    if (strcmp(text, "stop") == 0) return 1;
    if (strncmp(text, "go", 2) == 0) return 2;
    return strchr(text, '=') ? 3 : 0;
}

int copied(const unsigned char *data, int size) {
    unsigned char *other = malloc(size);
    memcpy(other, data, size);
    int found = memcmp(other, "word", 4) == 0;
    free(other);
    return found;
}

/* Copies a text to where there is room, and compares it there. */
int joined(const char *data, const char *other, char *room) {
    strcpy(room, data);
    return strcmp(room, other) == 0;
}
