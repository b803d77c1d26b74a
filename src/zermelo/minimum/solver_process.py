"""HiGHS, in this process or in one of its own.

A `Program` goes in: minimise costs · x under matrix · x >= 0 with x between `least` and 1, where `whole` says which
variables must be whole numbers. Out comes a `Solved`.

HiGHS hears neither Ctrl-C nor anything else before it is done. What takes longer than a moment therefore runs in a
child process, which can be ended at any time: this file run as a module reads one pickled request from stdin and writes
one pickled answer to stdout. It leads a session of its own, so that Ctrl-C reaches only the parent, and it has a time
limit, so that it ends even if nobody is left to end it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

MOMENT, SMALL = 4.0, 20_000
"""For so few seconds, and so few variables that the limit is heeded, it is not worth while to start a process."""
TICK = 0.05


class Program(NamedTuple):
    """The matrix is given by its signs, rows and columns. `most`: what x may cost at the most, if whole numbers are
    asked for."""

    costs: Any
    least: Any
    whole: Any
    signs: Any
    rows: Any
    columns: Any
    height: int
    most: float


class Solved(NamedTuple):
    """done: the answer is final. possible: there is one. bound: no x costs less. x: the best found."""

    done: bool = False
    possible: bool = True
    bound: float = 0.0
    x: Any = None


def solve(program: Program, relaxed: bool, seconds: float, hurried: Callable[[], bool]) -> Solved:
    """Solve an integer program, or its linear relaxation. `hurried` says whether the answer is still wanted."""
    if seconds <= MOMENT and len(program.costs) <= SMALL:
        return _relax(program, seconds) if relaxed else _solve(program, seconds)
    with tempfile.TemporaryFile() as request:  # a pipe would have to be fed while the child begins
        pickle.dump((tuple(program), relaxed, seconds), request)
        request.seek(0)
        child = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=request,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
        )
    try:
        while True:
            try:
                answer, _ = child.communicate(timeout=TICK)
            except subprocess.TimeoutExpired:
                if hurried():
                    return Solved()
            else:
                return Solved(*pickle.loads(answer)) if answer else Solved()
    finally:
        child.kill()
        child.communicate()


def _matrix(program: Program) -> Any:
    from scipy.sparse import csr_array

    shape = program.height, len(program.costs)
    return csr_array((program.signs, (program.rows, program.columns)), shape=shape)


def _relax(program: Program, seconds: float) -> Solved:
    """The linear relaxation, by the interior-point method: the simplex method can take very long on proof graphs."""
    import numpy as np
    from scipy.optimize import linprog

    bounds = np.column_stack([program.least, np.ones(len(program.costs))])
    done = linprog(
        program.costs, A_ub=-_matrix(program), b_ub=np.zeros(program.height), bounds=bounds, method="highs-ipm",
        options={"time_limit": max(seconds, 0.01)},
    )  # fmt: skip
    return Solved(True, True, float(done.fun)) if done.status == 0 else Solved()


def _solve(program: Program, seconds: float) -> Solved:
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    demands = LinearConstraint(_matrix(program), 0, np.inf)
    cheaper = LinearConstraint(program.costs[None, :], -np.inf, program.most)
    done = milp(
        program.costs, constraints=[demands, cheaper], integrality=program.whole, bounds=Bounds(program.least, 1),
        options={"time_limit": max(seconds, 0.01)},
    )  # fmt: skip
    bound = done.mip_dual_bound
    shown = float(bound) if bound is not None and np.isfinite(bound) else 0.0
    return Solved(done.status in (0, 2), done.status != 2, shown, done.x)


if __name__ == "__main__":
    wanted, is_relaxed, allowed = pickle.load(sys.stdin.buffer)
    found = (_relax if is_relaxed else _solve)(Program(*wanted), allowed)
    sys.stdout.buffer.write(pickle.dumps(tuple(found)))
