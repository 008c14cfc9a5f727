"""The C front-end: instruments, builds and runs functions of C files."""
