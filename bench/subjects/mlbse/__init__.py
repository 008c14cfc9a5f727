"""Programs full of arithmetic that no solver likes: mathematical functions, machine integers, loops until convergence.

They stand for the programs of MLBSE's evaluation, under the same names, and are written from the mathematics and from
what is known of each program, not from its code. In each module the functions without an underscore are explored; the
others are what they call. ``arbiter``, ``pump`` and ``brakes`` stand for ``mer``, ``mine`` and ``wbs``, whose sources
do not exist.
"""
