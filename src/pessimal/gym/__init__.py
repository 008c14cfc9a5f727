"""Search as Gymnasium environments: ``import pessimal.gym`` registers them for ``gymnasium.make``.

pessimal/CoverBranch-v0       walk to a branch of a C function by small steps, as in QTIP; also vectorised
pessimal/CoverBranchMoves-v0  the same by moves of any size
pessimal/Branching-v0         decide every branch of a Python function, as in PySE
pessimal/FlipChoice-v0        choose which branch of a path to flip, as in River-RL
"""

from pessimal.gym.registering import register_environments

register_environments()
