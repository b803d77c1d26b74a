"""The cheapest closed set of a part as an integer program, and the solvers that take it.

An item is a variable of 0 or 1. Item i demands item j: x_i <= x_j. It demands one of several: x_i <= the sum of theirs.
The roots are 1. What the items cost together is to be as small as possible.

HiGHS (Huangfu and Hall 2018) comes with SciPy; it tells nothing while it runs and cannot go on from a known solution,
so that it is called for a limited time and given the known cost as a limit: if nothing cheaper exists, what is known is
the best. Its interior-point method also solves the linear relaxation, which bounds the cost from below and is often
at hand long before the integer program. CP-SAT of OR-Tools (Perron and Furnon) is an extra, `zermelo[ortools]`: it
begins with what is known and tells of every step.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.minimum.requirements import Part
from zermelo.minimum.solver_process import Program, solve
from zermelo.rules import UnknownName, Unsuitable, nearest

SOLVERS = ("highs", "cpsat")
CARE = 1e-5
"""How far numbers of a solver may lie from the whole numbers that they mean."""


class Found(NamedTuple):
    """What a solver has shown: no closed set costs less than `lower`; `items` is the cheapest it found, if any was
    cheaper than what was known. finished: nothing is left open."""

    lower: int
    items: set[int] | None
    finished: bool


def check_solver(name: str) -> None:
    if name not in SOLVERS:
        raise UnknownName(f"no solver is called {name}: {nearest(name, SOLVERS)}")
    module, extra = ("scipy", "scipy") if name == "highs" else ("ortools", "zermelo[ortools]")
    if importlib.util.find_spec(module) is None:
        raise Unsuitable(f"{name} needs the package {module}, which is not installed: pip install '{extra}'")


def relaxed(part: Part, seconds: float, hurried: Callable[[], bool]) -> Found:
    """A lower bound from the linear relaxation; 0 if time ran out."""
    found = solve(_program(part, 0), True, seconds, hurried)
    return Found(math.ceil(found.bound - CARE), None, False)


def highs(part: Part, known: int, seconds: float, hurried: Callable[[], bool]) -> Found:
    """Look for a closed set that costs less than is known. `hurried` says whether to give up."""
    found = solve(_program(part, known - 1), False, seconds, hurried)
    if not found.possible:  # nothing is cheaper
        return Found(known, None, True)
    items = None if found.x is None else {item for item, taken in enumerate(found.x) if taken > 0.5}
    return Found(min(math.ceil(found.bound - CARE), known), items, found.done)


def cpsat(
    part: Part,
    known: set[int],
    seconds: float,
    tell: Callable[[Found], None],
    begin: Callable[[Callable[[], None]], None],
) -> Found:
    """Look for the cheapest closed set, beginning with one that is known. `begin` is handed what ends the search."""
    cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    taken = [model.new_bool_var(str(item)) for item in range(len(part))]
    for item, (every, options) in enumerate(zip(part.every, part.any)):
        for other in every:
            model.add_implication(taken[item], taken[other])
        if options:
            model.add_bool_or([~taken[item], *(taken[other] for other in options)])
        model.add_hint(taken[item], item in known)
    for root in range(part.roots):
        model.add(taken[root] == 1)
    model.minimize(sum(variable for variable, cost in zip(taken, part.costs) if cost))

    class Told(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def on_solution_callback(self) -> None:
            items = {item for item, variable in enumerate(taken) if self.value(variable)}
            tell(Found(math.ceil(self.best_objective_bound - CARE), items, False))

    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.random_seed = 0
    solver.parameters.catch_sigint_signal = False  # Ctrl-C is ours
    solver.best_bound_callback = lambda bound: tell(Found(math.ceil(bound - CARE), None, False))
    begin(solver.stop_search)
    status = solver.solve(model, Told())
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Found(max(0, math.ceil(solver.best_objective_bound - CARE)), None, False)
    items = {item for item, variable in enumerate(taken) if solver.value(variable)}
    return Found(math.ceil(solver.best_objective_bound - CARE), items, status == cp_model.OPTIMAL)


def _program(part: Part, most: int) -> Program:
    """The demands as rows: what stands in a row must add up to 0 at the least."""
    import numpy as np

    rows: list[int] = []
    columns: list[int] = []
    signs: list[float] = []
    count = 0
    for item, (every, options) in enumerate(zip(part.every, part.any)):
        for demanded in (*((other,) for other in every), *((options,) if options else ())):
            rows.extend([count] * (len(demanded) + 1))
            columns.extend((*demanded, item))
            signs.extend([1.0] * len(demanded) + [-1.0])
            count += 1
    least, whole = np.zeros(len(part)), np.zeros(len(part))
    least[: part.roots] = 1
    whole[[option for options in part.any for option in options]] = 1  # then all others are, at their cheapest
    costs = np.array(part.costs, np.float64)
    return Program(costs, least, whole, np.array(signs), np.array(rows), np.array(columns), count, float(most))
