"""The front-end of scenarios: many of them over the same modules, which are imported and rewritten once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property

from pessimal.errors import TargetError
from pessimal.expr import Leaf
from pessimal.fatal_runs import FatalRun
from pessimal.importing import ImportGuard, import_file, import_name
from pessimal.pool.recorder import Recorder
from pessimal.python.frontend import PythonFrontEnd
from pessimal.python.scenario_target import GROWTH, ScenarioTarget
from pessimal.python.symbolic import Symbolic
from pessimal.python.world import Worlds
from pessimal.scenario import Scenario
from pessimal.solve import Statistics
from pessimal.target import Reference, Target
from pessimal.target_spec import TargetSpec
from pessimal.trace import Trace


class ScenarioFrontEnd(PythonFrontEnd):
    """One scenario, whose plain values are its inputs; another one over the same modules is cheap (:meth:`retargeted`).

    ``modules`` are those under test: in symbolic runs they are rewritten, also if they are of the standard library. The
    specification says all but the target and the size, which is the room that lengths have to grow.
    """

    def __init__(
        self,
        scenario: Scenario,
        modules: Sequence[Reference] = (),
        spec: TargetSpec | None = None,
        recorder: Recorder | None = None,
        fatal: Sequence[FatalRun] = (),
        *,
        worlds: Worlds | None = None,
    ) -> None:
        self._modules = modules
        self._module_names: dict[Reference, str] = {}
        self._statistics = Statistics()
        self._scenario_target = ScenarioTarget(scenario, GROWTH if spec is None else spec.size)
        spec = replace(spec or TargetSpec(self._scenario_target.target(False).call, GROWTH), requirements=())
        super().__init__(spec, recorder, fatal, worlds)

    def retargeted(self, scenario: Scenario) -> ScenarioFrontEnd:
        """The front-end of another scenario over the same modules."""
        other = copy(self)
        other._aim(ScenarioTarget(scenario, self.size))
        return other

    def resized(self, size: int) -> ScenarioFrontEnd:
        """The same scenario with more or less room to grow."""
        other = copy(self)
        other._spec = replace(self._spec, size=size)
        other._aim(ScenarioTarget(self._scenario_target.scenario, size))
        return other

    def _aim(self, target: ScenarioTarget) -> None:
        self._forget()
        if "_rewritten" in self.__dict__:
            self.__dict__["_rewritten"] = target.target(rewriting=True)  # its modules are loaded
        self._scenario_target = target
        self.target = target.target(rewriting=False)
        self.name = self.target.name
        self._specify()

    def _specify(self) -> None:
        self.size = self._spec.size
        self.inputs = self._scenario_target.inputs
        self.domains = self.inputs.domains
        self.initial = list(self._scenario_target.leaves)

    def _load(self, rewriting: bool) -> Target:
        """Import the modules under test into the world, which takes no time from the second scenario on."""
        self._world(rewriting).enter()
        with ImportGuard(self._spec.limits.import_seconds, "what is to be covered"):
            for reference in self._modules:
                self._import(reference, rewriting)
        target = self._scenario_target.target(rewriting)
        self._boxes.register(target)
        return target

    def _import(self, reference: Reference, rewriting: bool) -> None:
        """Import a module under test; one that cannot be imported when it is rewritten stays as it is."""
        scope = self._worlds.scope
        try:
            if reference.file is not None:
                module = import_file(reference.file, self._world(rewriting).loader)
            else:
                module = import_name(str(reference.module))
        except TargetError as error:
            if not rewriting:
                raise
            scope.leave_alone(self._module_names[reference], str(error))
        else:
            self._module_names[reference] = module.__name__
            scope.add_target(module.__name__, getattr(module, "__file__", None))

    @property
    def _measured_modules(self) -> Collection[str]:
        """The modules under test."""
        return self._module_names.values()

    def scenario(self, leaves: Sequence[Leaf]) -> Scenario:
        """The scenario with the values that the leaves mean."""
        return self._scenario_target.with_leaves(leaves)

    @property
    def is_whole(self) -> bool:
        """Whether every plain value of the scenario is an input, so that what is proved is true of all such values."""
        return self._scenario_target.is_whole

    @cached_property
    def _symbolic(self) -> Symbolic:
        symbolic = super()._symbolic
        symbolic.statistics = self._statistics
        return symbolic

    @property
    def statistics(self) -> Statistics:
        """What solving cost so far, for all scenarios over the same modules."""
        return self._statistics

    def describe_call(self, leaves: Sequence[Leaf]) -> str:
        """The scenario in one line."""
        return str(self.scenario(leaves))

    def cost(self, trace: Trace, seconds: float) -> float:
        """The length of the path: nothing is measured, since scenarios are searched for what they reach."""
        return float(len(trace))
