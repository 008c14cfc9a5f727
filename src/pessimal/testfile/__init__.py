"""Test files: cases that a search found become a pytest file that a person would be content to have written.

:func:`~pessimal.testfile.observing.observed` runs the cases natively and says what they did;
:func:`~pessimal.testfile.verify.verified` writes the file and drops what does not pass twice;
:mod:`~pessimal.testfile.files` reads and replaces it. An existing file is only added to.
"""

from pessimal.testfile.case import Case, Module, Outcome, Reach
from pessimal.testfile.document import OpenBranch, Plan, Written, written
from pessimal.testfile.observation import Check, Observation, agreed
from pessimal.testfile.observe import CannotObserve, observe
from pessimal.testfile.observing import NO_TIME, observed
from pessimal.testfile.processes import Processes
from pessimal.testfile.verify import Dropped, Verified, verified

__all__ = [
    "NO_TIME",
    "CannotObserve",
    "Case",
    "Check",
    "Dropped",
    "Module",
    "Observation",
    "OpenBranch",
    "Outcome",
    "Plan",
    "Processes",
    "Reach",
    "Verified",
    "Written",
    "agreed",
    "observe",
    "observed",
    "verified",
    "written",
]
