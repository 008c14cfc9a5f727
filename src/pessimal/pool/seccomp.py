"""A seccomp filter: system calls that change something outside the process fail with EPERM, without privileges.

The filter is a small program in the kernel's classic BPF, which sees the number of a call and its arguments but not
what they point to. So it denies what Landlock does not cover: processes, the network beyond TCP, the attributes of
files, and other processes. Without Landlock it can also deny every change of a file, whatever the file.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from collections.abc import Iterable, Sequence
from errno import ENOSYS, EPERM
from functools import cache

from pessimal.pool import syscalls
from pessimal.pool.syscalls import NEWEST, numbers

_Instruction = tuple[int, int, int, int]
_LOAD, _RETURN = 0x20, 0x06
_IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x35, 0x45
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

_ALLOW: _Instruction = (_RETURN, 0, 0, 0x7FFF0000)
_DENY: _Instruction = (_RETURN, 0, 0, 0x00050000 | EPERM)
_UNKNOWN: _Instruction = (_RETURN, 0, 0, 0x00050000 | ENOSYS)

_X32_CALLS = 0x40000000
_CLONE_THREAD = 0x00010000
_SYNCHRONISE, _NO_SLOWDOWN = 1, 4
_SET_FILTER, _ASK_ACTION = 1, 2
_PR_SET_PDEATHSIG = 1
_TERMINAL_INPUT_AND_FILE_FLAGS = (0x5412, 0x541C, 0x40086602, 0x40046602, 0x401C5820)
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_DENIED = """
    fork vfork execve execveat
    connect bind listen sendmsg sendmmsg
    pidfd_send_signal pidfd_getfd ptrace process_vm_readv process_vm_writev process_madvise process_mrelease
    migrate_pages move_pages userfaultfd bpf perf_event_open fanotify_init open_by_handle_at
    io_uring_setup io_uring_enter io_uring_register
    mount umount2 pivot_root chroot open_tree open_tree_attr move_mount fsopen fsconfig fsmount fspick mount_setattr
    unshare setns init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct
    quotactl quotactl_fd sethostname setdomainname settimeofday clock_settime adjtimex clock_adjtime iopl ioperm
    add_key request_key keyctl shmget semget msgget mq_open mq_unlink
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat file_setattr truncate
    setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat"""
_FILE_CHANGES = """
    creat mkdir mkdirat mknod mknodat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat"""
_ON_A_PROCESS = {
    "kill": 0,
    "tkill": 0,
    "tgkill": 0,
    "rt_sigqueueinfo": 0,
    "rt_tgsigqueueinfo": 0,
    "prlimit64": 0,
    "sched_setaffinity": 0,
    "sched_setscheduler": 0,
    "sched_setparam": 0,
    "sched_setattr": 0,
    "setpriority": 1,
    "ioprio_set": 1,
}
"""Calls that may only be about this process itself, and which of their arguments says which process is meant."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


@cache
def is_available() -> bool:
    """Whether this kernel takes a filter that makes calls fail."""
    if not syscalls.SUPPORTED:
        return False
    try:
        syscalls.call("seccomp", _ASK_ACTION, 0, ctypes.byref(ctypes.c_uint32(_DENY[3] & 0xFFFF0000)))
    except OSError:
        return False
    return True


def restrict(deny_file_changes: bool) -> None:
    """Put the filter on this process, with all its threads, for good; OSError if that fails."""
    code = b"".join(struct.pack("HBBI", *item) for item in program(os.getpid(), deny_file_changes))
    data = _Program(len(code) // 8, code)
    syscalls.call("seccomp", _SET_FILTER, _SYNCHRONISE | _NO_SLOWDOWN, ctypes.byref(data))


def program(
    own: int, deny_file_changes: bool, is_arm: bool = syscalls.IS_ARM, *, may_start: bool = False
) -> list[_Instruction]:
    """The filter for the process with the given id; one that ``may_start`` can replace itself by another program."""
    architecture = 0xC00000B7 if is_arm else 0xC000003E
    code = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        *_must_equal(architecture),
        (_LOAD, 0, 0, _NUMBER),
        *_if(_IF_AT_LEAST, [_X32_CALLS], [_DENY]),
        *_if(_IF_AT_LEAST, [NEWEST], [_UNKNOWN]),
    ]
    known = numbers(is_arm)
    for name, body in _rules(own, deny_file_changes).items():
        if name in known and not (may_start and name == "execve"):
            code += _if(_IF_EQUAL, [known[name]], body)
    return [*code, _ALLOW]


def _rules(own: int, deny_file_changes: bool) -> dict[str, list[_Instruction]]:
    """What happens at each call that is not simply allowed."""
    itself = [0, own, -own & 0xFFFFFFFF]
    rules: dict[str, list[_Instruction]] = {name: [_DENY] for name in _DENIED.split()}
    rules |= {name: _only(position, itself) for name, position in _ON_A_PROCESS.items()}
    rules["clone3"] = [_UNKNOWN]  # its flags are out of sight: callers then use clone
    rules["clone"] = [_argument(0), *_if(_IF_ANY_BIT, [_CLONE_THREAD], [_ALLOW], [_DENY])]
    rules["socket"] = _only(0, [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6])
    rules["sendto"] = [*_zero(4), _ALLOW]  # no address: over a connection that exists
    rules["ioctl"] = _unless(1, _TERMINAL_INPUT_AND_FILE_FLAGS)
    rules["prctl"] = _unless(0, [_PR_SET_PDEATHSIG])
    if deny_file_changes:
        rules |= {name: [_DENY] for name in _FILE_CHANGES.split()}
        rules["openat2"] = [_UNKNOWN]  # its flags are out of sight, too
        rules |= {"open": _without_bits(1, _WRITE_FLAGS), "openat": _without_bits(2, _WRITE_FLAGS)}
    return rules


def _argument(position: int, high: bool = False) -> _Instruction:
    """Load one half of an argument of the call."""
    return _LOAD, 0, 0, _ARGUMENTS + 8 * position + 4 * high


def _must_equal(value: int) -> list[_Instruction]:
    return [(_IF_EQUAL, 1, 0, value), _DENY]


def _zero(position: int) -> list[_Instruction]:
    return [_argument(position), *_must_equal(0), _argument(position, high=True), *_must_equal(0)]


def _only(position: int, values: Iterable[int]) -> list[_Instruction]:
    return [_argument(position), *_if(_IF_EQUAL, list(values), [_ALLOW], [_DENY])]


def _unless(position: int, values: Iterable[int]) -> list[_Instruction]:
    return [_argument(position), *_if(_IF_EQUAL, list(values), [_DENY], [_ALLOW])]


def _without_bits(position: int, bits: int) -> list[_Instruction]:
    return [_argument(position), *_if(_IF_ANY_BIT, [bits], [_DENY], [_ALLOW])]


def _if(
    test: int, values: Sequence[int], then: Sequence[_Instruction], otherwise: Sequence[_Instruction] = ()
) -> list[_Instruction]:
    """Test what was loaded against each value in turn; the code of one that holds follows it."""
    code: list[_Instruction] = []
    for value in values:
        code += [(test, 0, len(then), value), *then]
    return [*code, *otherwise]
