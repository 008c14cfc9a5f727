"""A rover's arbiter: five tasks ask for one radio and one arm, by priority, with cancelling and hand-over."""

from __future__ import annotations

from bench.subjects.mlbse.machine import Few, Small

REQUEST, CANCEL, FINISH, TICK = 0, 1, 2, 3
ARM, RADIO = 0, 1
PRIORITY = (5, 3, 8, 1, 6)
PATIENCE = 2


class _Resource:
    def __init__(self, name: int) -> None:
        self.name = name
        self.owner: int | None = None
        self.waiting: list[int] = []
        self.held = 0

    def request(self, task: int) -> str:
        if self.owner is None:
            self.owner, self.held = task, 0
            return "granted"
        if self.owner == task:
            return "has it"
        if task in self.waiting:
            return "waits already"
        if PRIORITY[task] > PRIORITY[self.owner] and self.held >= PATIENCE:
            self.waiting.append(self.owner)
            self.owner, self.held = task, 0
            return "taken over"
        if len(self.waiting) >= 2:
            return "denied"
        self.waiting.append(task)
        return "waits"

    def release(self, task: int) -> str:
        if task in self.waiting:
            self.waiting.remove(task)
            return "gave up"
        if self.owner != task:
            return "has nothing"
        self.owner = None
        best = -1
        for other in self.waiting:
            if best < 0 or PRIORITY[other] > PRIORITY[best]:
                best = other
        if best >= 0:
            self.waiting.remove(best)
            self.owner, self.held = best, 0
            return "handed over"
        return "free"

    def tick(self) -> str:
        if self.owner is None:
            return "idle"
        self.held += 1
        if self.held > 3 and self.waiting:
            return self.release(self.owner)
        return "busy"


def _event(resources: list[_Resource], kind: int, task: int, battery: int) -> str:
    if kind == TICK:
        first, second = resources[ARM].tick(), resources[RADIO].tick()
        return first if first == second else "mixed"
    if not 0 <= task < len(PRIORITY):
        return "no task"
    resource = resources[RADIO if task in (1, 3) else ARM]
    if kind == REQUEST:
        if battery < 20 and PRIORITY[task] < 6:
            return "no power"
        return resource.request(task)
    if kind in (CANCEL, FINISH):
        return resource.release(task)
    return "no event"


def arbitrate(k1: Few, t1: Few, k2: Few, t2: Few, k3: Few, t3: Few, k4: Few, t4: Few, battery: Small) -> str:
    if battery < 0 or battery > 100:
        return "no battery"
    resources = [_Resource(ARM), _Resource(RADIO)]
    answer = "nothing"
    for kind, task in ((k1, t1), (k2, t2), (k3, t3), (k4, t4)):
        answer = _event(resources, kind, task, battery)
        if answer == "no event":
            break
        battery -= 1
    arm, radio = resources
    if arm.owner is not None and arm.owner == radio.owner:
        return "both at one task"
    if len(arm.waiting) == 2:
        return "queue"
    return answer
