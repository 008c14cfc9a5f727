"""System calls that Python has no function for, and the numbers of those that the filter names."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache

SUPPORTED = sys.platform == "linux" and os.uname().machine in ("x86_64", "aarch64") and sys.maxsize > 1 << 32
"""Whether the numbers below are those of this machine."""

IS_ARM = SUPPORTED and os.uname().machine == "aarch64"

NEWEST = 470
"""The first number that was free when this table was written: what comes after it is not known here."""

_BOTH = """
    pidfd_send_signal 424, io_uring_setup 425, io_uring_enter 426, io_uring_register 427, open_tree 428, move_mount 429,
    fsopen 430, fsconfig 431, fsmount 432, fspick 433, clone3 435, openat2 437, pidfd_getfd 438, process_madvise 440,
    mount_setattr 442, quotactl_fd 443, landlock_create_ruleset 444, landlock_add_rule 445, landlock_restrict_self 446,
    process_mrelease 448, fchmodat2 452, setxattrat 463, removexattrat 466, open_tree_attr 467, file_setattr 469"""
_X86 = """
    open 2, ioctl 16, shmget 29, socket 41, connect 42, sendto 44, sendmsg 46, bind 49, listen 50, clone 56, fork 57,
    vfork 58, execve 59, kill 62, semget 64, msgget 68, truncate 76, rename 82, mkdir 83, rmdir 84, creat 85, link 86,
    unlink 87, symlink 88, chmod 90, fchmod 91, chown 92, fchown 93, lchown 94, ptrace 101, utime 132, mknod 133,
    setpriority 141, sched_setparam 142, sched_setscheduler 144, pivot_root 155, prctl 157, adjtimex 159, chroot 161,
    acct 163, settimeofday 164, mount 165, umount2 166, swapon 167, swapoff 168, reboot 169, sethostname 170,
    setdomainname 171, iopl 172, ioperm 173, init_module 175, delete_module 176, quotactl 179, setxattr 188,
    lsetxattr 189, fsetxattr 190, removexattr 197, lremovexattr 198, fremovexattr 199, tkill 200,
    sched_setaffinity 203, clock_settime 227, tgkill 234, utimes 235, mq_open 240, mq_unlink 241, kexec_load 246,
    add_key 248, request_key 249, keyctl 250, ioprio_set 251, migrate_pages 256, openat 257, mkdirat 258, mknodat 259,
    fchownat 260, futimesat 261, unlinkat 263, renameat 264, linkat 265, symlinkat 266, fchmodat 268, unshare 272,
    move_pages 279, utimensat 280, rt_sigqueueinfo 129, rt_tgsigqueueinfo 297, perf_event_open 298, fanotify_init 300,
    prlimit64 302, open_by_handle_at 304, clock_adjtime 305, sendmmsg 307, setns 308, process_vm_readv 310,
    process_vm_writev 311, finit_module 313, sched_setattr 314, renameat2 316, seccomp 317, kexec_file_load 320,
    bpf 321, execveat 322, userfaultfd 323"""
_ARM = """
    setxattr 5, lsetxattr 6, fsetxattr 7, removexattr 14, lremovexattr 15, fremovexattr 16, ioctl 29, ioprio_set 30,
    mknodat 33, mkdirat 34, unlinkat 35, symlinkat 36, linkat 37, renameat 38, umount2 39, mount 40, pivot_root 41,
    truncate 45, chroot 51, fchmod 52, fchmodat 53, fchownat 54, fchown 55, openat 56, quotactl 60, utimensat 88,
    acct 89, unshare 97, kexec_load 104, init_module 105, delete_module 106, clock_settime 112, ptrace 117,
    sched_setparam 118, sched_setscheduler 119, sched_setaffinity 122, kill 129, tkill 130, tgkill 131,
    rt_sigqueueinfo 138, setpriority 140, reboot 142, sethostname 161, setdomainname 162, prctl 167, settimeofday 170,
    adjtimex 171, mq_open 180, mq_unlink 181, msgget 186, semget 190, shmget 194, socket 198, bind 200, listen 201,
    connect 203, sendto 206, sendmsg 211, add_key 217, request_key 218, keyctl 219, clone 220, execve 221, swapon 224,
    swapoff 225, migrate_pages 238, move_pages 239, rt_tgsigqueueinfo 240, perf_event_open 241, prlimit64 261,
    fanotify_init 262, open_by_handle_at 265, clock_adjtime 266, setns 268, sendmmsg 269, process_vm_readv 270,
    process_vm_writev 271, finit_module 273, sched_setattr 274, renameat2 276, seccomp 277, bpf 280, execveat 281,
    userfaultfd 282, kexec_file_load 294"""


@cache
def numbers(is_arm: bool = IS_ARM) -> dict[str, int]:
    """The number of each system call by its name; older calls do not exist on ARM."""
    items = f"{_BOTH}, {_ARM if is_arm else _X86}".split(",")
    return {name: int(number) for name, number in (item.split() for item in items)}


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: object) -> int:
    """Make a system call; OSError if it fails."""
    converted = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    result: int = _libc().syscall(ctypes.c_long(numbers()[name]), *converted)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result
