"""How far off a value from samples can be, and how likely that is at most.

Let scores lie in a range R, a player have at most n moves, and w outcomes be drawn at a chance node. What is compared
is the value that a search of the same depth d finds with all outcomes.

1. At one chance node the mean of w draws differs from the expected value, were the values below it exact, by more than
   lambda with probability at most 2 exp(-2 w lambda² / R²) (Hoeffding 1963). Where all outcomes are listed it does not
   differ at all.
2. If it differs by at most lambda at every node that is sampled, then the value at the root is off by at most t lambda,
   where t is the most chance nodes on a path: a chance node adds its own lambda to the largest error below it, and
   neither max nor min makes an error larger. Cut-offs change nothing: they find the value of the same samples.
3. At most N positions are sampled: with w^m n ways from one decision to the next, m being the most chance nodes in a
   row, and (w^m - 1) / (w - 1) chance nodes on each of them, N = (1 + w + … + w^(m-1)) (1 + w^m n + … + (w^m n)^(d-1))
   if the root is a chance node, and n times as many with d - 1 for d if it is not: where no depth is left, nothing is
   drawn any more. So t is m d in the first case and m (d - 1) in the second.
4. A position may come back with less depth left, and its samples are then the same. When it is met first they are new,
   and 1. holds for each of the d depths that it may be met with. So all of it together fails with probability at most

       2 d N exp(-2 w (epsilon / t)² / R²),        epsilon = t lambda,

   and what it says holds for all depths up to d at once. If that is 1 or more it says nothing; it often does.

As in Kearns, Mansour and Ng 2002, without a discount; Lanctot, Saffidine, Veness, Archibald and Winands 2013 have, with
m = 1 and R = 2 v_max, the somewhat larger (2 w n)^d exp(-w lambda² / (2 v_max²)) for an error of lambda d.

Two things are taken for granted: that hashes are as good as dice, and that a chance node does not come back on a path
with another past, where values depend on the past (a loop rule).
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Guarantee(NamedTuple):
    """An error of more than `epsilon` has at most this probability. `tosses` is t, `nodes` is N."""

    epsilon: float
    probability: float
    tosses: int
    nodes: int

    @property
    def vacuous(self) -> bool:
        """Whether it says nothing."""
        return self.probability >= 1

    def __str__(self) -> str:
        if self.vacuous:
            return f"none: the bound on the probability of an error above {self.epsilon:g} is 1 or more (vacuous)"
        return f"off by more than {self.epsilon:g} with probability at most {self.probability:.3g}"


def guarantee(
    values: tuple[float, float], *, moves: int, depth: int, width: int, epsilon: float, tossing: bool, row: int = 1
) -> Guarantee:
    """The bound for a game with these `values` and at most so many `moves`. tossing: whether the root is a chance node.
    row: how many chance nodes there are in a row at most."""
    levels = depth if tossing else depth - 1
    ways = width**row * moves
    between = sum(width**i for i in range(row))
    nodes = between * sum(ways**i for i in range(levels)) * (1 if tossing else moves)
    tosses = row * levels
    if tosses == 0:
        return Guarantee(epsilon, 0.0, 0, 0)
    span = values[1] - values[0]
    log = math.log(2 * depth * nodes) - 2 * width * (epsilon / (tosses * span)) ** 2
    return Guarantee(epsilon, math.exp(min(log, 0.0)), tosses, nodes)
