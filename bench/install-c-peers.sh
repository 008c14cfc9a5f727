#!/bin/sh
# Installs what bench.c compares with, on Debian and its kin. KLEE is in no Debian release.
set -e
apt-get update
apt-get install -y --no-install-recommends gcc libc6-dev afl++
