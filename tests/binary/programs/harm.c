/* Tries to change what does not belong to it; what it returns has a bit for each thing that it could do. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int harm(const char *path) {
    int done = 0;
    if (chmod(path, 0777) == 0) done |= 1;
    if (kill(getppid(), 0) == 0) done |= 2;
    if (kill(-1, 0) == 0) done |= 4;
    if (unlink(path) == 0) done |= 8;
    if (open(path, O_WRONLY) >= 0) done |= 16;
    if (truncate(path, 0) == 0) done |= 32;
    if (socket(AF_PACKET, SOCK_RAW, 0) >= 0) done |= 64;
    pid_t child = fork();
    if (child == 0) _exit(0);
    return child > 0 ? done | 128 : done;
}

int main(int argc, char **argv) { return harm(argv[1]); }
