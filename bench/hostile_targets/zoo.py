"""Targets that harm their own process. Each spares inputs below ``SPARED``, unless its name ends in ``always``."""

from __future__ import annotations

import atexit
import builtins
import ctypes
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

SPARED = 3


def memory_bomb(x: int) -> int:
    if x > SPARED:
        held = []
        while True:
            held.append(bytearray(1 << 24))
    return x


def memory_bomb_always(x: int) -> int:
    held = [x]
    while True:
        held.append(held * 2)  # type: ignore[arg-type]


def one_huge_allocation(x: int) -> int:
    return len(bytes(1 << 50)) if x > SPARED else x


def closes_descriptors(x: int) -> int:
    if x > SPARED:
        os.closerange(0, 4096)
    return x


def closes_descriptors_always(x: int) -> int:
    os.closerange(3, 4096)
    return 1 if x > SPARED else 0


def floods_stdout(x: int) -> int:
    while x > SPARED:
        print("x" * 1000)
    return x


def floods_stdout_always(x: int) -> int:
    while True:
        print(x, file=sys.stdout)


def floods_descriptors(x: int) -> int:
    for _ in range(20_000 if x > SPARED else 1):
        os.write(1, b"x" * 1000)
        os.write(2, b"x" * 1000)
    return x


def deep_recursion(x: int) -> int:
    return deep_recursion(x - 1) + 1 if x > SPARED else 0


def endless_recursion_always(x: int) -> int:
    return endless_recursion_always(x) + 1


def very_deep_recursion(x: int) -> int:
    sys.setrecursionlimit(10**9)
    return _down(x) if x > SPARED else 0


def _down(x: int) -> int:
    return max([x], key=lambda y: _down(y + 1))


def forks(x: int) -> int:
    if x > SPARED and os.fork() == 0:
        time.sleep(3600)
    return x


def forks_through_ctypes(x: int) -> int:
    if x > SPARED and ctypes.CDLL(None).fork() == 0:
        time.sleep(3600)
    return x


def daemonises_through_ctypes_always(x: int) -> int:
    if ctypes.CDLL(None).fork() == 0:
        os.setsid()
        time.sleep(3600)
    return 1 if x > SPARED else 0


def starts_process(x: int) -> int:
    if x > SPARED:
        subprocess.Popen(["sleep", "3600"], start_new_session=True)
    return x


def starts_multiprocessing(x: int) -> int:
    if x > SPARED:
        multiprocessing.Process(target=time.sleep, args=(3600,)).start()
    return x


def leaves_thread(x: int) -> int:
    if x > SPARED:
        threading.Thread(target=time.sleep, args=(3600,), daemon=False).start()
    return x


def leaves_busy_daemons(x: int) -> int:
    if x > SPARED:
        threading.Thread(target=_spin, daemon=True).start()
    return x


def _spin() -> None:
    while True:
        pass


def ignores_signals_always(x: int) -> int:
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        signal.signal(number, signal.SIG_IGN)
    while x > SPARED:
        pass
    return x


def own_alarm(x: int) -> int:
    signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.alarm(1)
    while x > SPARED:
        time.sleep(0.1)
    return x


def blocks_signals(x: int) -> int:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while x > SPARED:
        pass
    return x


def stops_itself(x: int) -> int:
    if x > SPARED:
        os.kill(os.getpid(), signal.SIGSTOP)
    return x


def kills_itself(x: int) -> int:
    if x > SPARED:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def kills_itself_always(x: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return x


def crashes(x: int) -> int:
    if x > SPARED:
        ctypes.string_at(0)
    return x


def interrupts_itself(x: int) -> int:
    if x > SPARED:
        signal.raise_signal(signal.SIGINT)
    return x


def exits_at_once(x: int) -> int:
    if x > SPARED:
        os._exit(0)
    return x


def exits_at_once_always(x: int) -> int:
    os._exit(x % 2)


def exits_politely(x: int) -> int:
    if x > SPARED:
        sys.exit("no more")
    return x


def endless_in_c(x: int) -> int:
    return 10**10**8 % 7 if x > SPARED else 0


def endless_in_c_always(x: int) -> int:
    return (10**10**8 + x) % 7


def endless(x: int) -> int:
    while x > SPARED:
        pass
    return x


def endless_always(x: int) -> int:
    while True:
        x += 1


def swallows_everything(x: int) -> int:
    while x > SPARED:
        try:
            while True:
                pass
        except BaseException:
            continue
    return x


def patches_len(x: int) -> int:
    if x > SPARED:
        builtins.len = lambda value: 0
    return x


def patches_much_always(x: int) -> int:
    def broken(*args: object, **kwargs: object) -> object:
        raise RuntimeError("patched")

    for name in ("len", "isinstance", "open", "print", "getattr", "range", "tuple", "type", "min", "max", "str"):
        setattr(builtins, name, broken)
    return 1 if x > SPARED else 0


def own_trace(x: int) -> int:
    sys.settrace(lambda *arguments: None)
    sys.setprofile(lambda *arguments: None)
    return 1 if x > SPARED else 0


def low_recursion_limit(x: int) -> int:
    sys.setrecursionlimit(60)
    return 1 if x > SPARED else 0


def empties_modules(x: int) -> int:
    if x > SPARED:
        for name in list(sys.modules):
            if name not in ("sys", "builtins"):
                del sys.modules[name]
    return x


def replaces_modules(x: int) -> int:
    for name in ("re", "json", "pickle", "os", "random", "time"):
        sys.modules[name] = None  # type: ignore[assignment]
    return 1 if x > SPARED else 0


def disables_collection(x: int) -> int:
    gc.disable()
    gc.set_threshold(0)
    return 1 if x > SPARED else 0


def changes_directory(x: int) -> int:
    os.chdir("/")
    os.environ.clear()
    return 1 if x > SPARED else 0


def sleeps(x: int) -> int:
    if x > SPARED:
        time.sleep(3600)
    return x


def sleeps_always(x: int) -> int:
    time.sleep(3600)
    return x


def replaces_stdout(x: int) -> int:
    sys.stdout = sys.stderr = None
    return 1 if x > SPARED else 0


def registers_exit_hook(x: int) -> int:
    atexit.register(time.sleep, 3600)
    return 1 if x > SPARED else 0


class Vicious:
    """A value that fails wherever it is touched."""

    def __repr__(self) -> str:
        while True:
            pass

    def __eq__(self, other: object) -> bool:
        raise SystemExit("eq")

    def __hash__(self) -> int:
        raise KeyboardInterrupt

    def __del__(self) -> None:
        raise RuntimeError("del")


def returns_vicious(x: int) -> Vicious:
    value = Vicious()
    return value if x > SPARED else Vicious()


class ViciousError(BaseException):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        os._exit(3)

    __repr__ = __str__


def raises_vicious(x: int) -> int:
    if x > SPARED:
        raise ViciousError
    return x


def raises_interrupt(x: int) -> int:
    if x > SPARED:
        raise KeyboardInterrupt
    raise GeneratorExit


def slow(x: int) -> int:
    time.sleep(0.4)
    return 1 if x > SPARED else 0


def deletes_path(x: int) -> int:
    sys.path.clear()
    sys.meta_path.clear()
    return 1 if x > SPARED else 0
