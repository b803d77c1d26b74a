"""Samples instead of all outcomes: a few draws at each chance node, the same whoever looks and whenever.

At a chance node with more than `width` outcomes, `width` of them are drawn by their probabilities, with replacement,
and take the place of all: what was drawn k times is looked at once, with the weight k of `width`; what was not drawn is
left out. Where there are no more than `width`, all are listed as they are: that costs no more, and errs less.

The draws are hashes of the seed, the position's key and their number (SplitMix64), so they do not depend on the way to
the position, on depth or on what was searched before. One seed stands for one sampled game, in which every search finds
the same values, iterative deepening looks further into the same tree, and a table may be used. What the rules prove of
the real game (bounds, symmetry, enough moves to hold a best one) need not hold in the sampled one, so it is not used;
but no value is outside the bounds of all scores.

Kearns, Mansour and Ng 2002, "A sparse sampling algorithm for near-optimal planning in large Markov decision processes";
Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from zermelo.chance.family import ChanceNode, Family
from zermelo.chance.options import ChanceOptions
from zermelo.chance.outcomes import Outcomes
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import OUTCOMES, PLIES
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, Game, Unsuitable, i64, u64


@dataclass(frozen=True)
class SampledOptions(ChanceOptions):
    """Options of searches that sample. width: how many outcomes are drawn at a chance node. epsilon: the error, in
    points, of which the answer tells how likely it is at most; a tenth of the range of scores if nobody says."""

    width: int = 4
    epsilon: float | None = None
    knowledge: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width < 1:
            raise Unsuitable(f"at least 1 outcome must be drawn at a chance node, not width = {self.width}")
        if self.epsilon is not None and not 0 < self.epsilon < math.inf:
            raise Unsuitable(f"epsilon, an error in points, must be above 0 and finite, not {self.epsilon}")

    @property
    def compiled(self) -> SampledOptions:
        return replace(self, probes=(1,), attitude="expected", tolerance=None, width=1, epsilon=None)

    def check(self, game: Game) -> None:
        """Refuse what would make samples depend on more than the position, and positions that cannot be told apart."""
        if self.knowledge:
            raise Unsuitable("knowledge = on does not go with samples: what holds in the game need not hold in them")
        if self.outcome_order:
            raise Unsuitable("outcome_order does not go with samples: outcomes are drawn as they are listed")
        if self.chance_charge:
            raise Unsuitable("chance_charge does not go with samples: they hide how many outcomes there are")
        if game.has_chance and not game.compilable and game.key is None:
            raise Unsuitable(f"{game.name}: samples are drawn by a position's key; give the objects a method key()")


def on_samples(node: ChanceNode) -> ChanceNode:
    """A chance node of the Star family, looking at samples instead of all outcomes."""

    def sampled(mode: Mode, parts: Parts, shared: Family) -> Kernel:
        bounded = replace(parts, options=replace(parts.options, knowledge=True))  # of it, the bounds of all scores
        return node(mode, bounded, shared._replace(outcomes=samples(mode, parts, shared.outcomes)))

    return sampled


def samples(mode: Mode, parts: Parts, listed: Outcomes) -> Outcomes:
    """Outcomes as they are listed, thinned to samples where they are too many."""
    toss_all, share_of_all, charged = listed
    key = parts.nodes.rules.key
    word = mode.word
    all_bits, gamma = word(2**64 - 1), word(0x9E3779B97F4A7C15)
    first, second = word(0xBF58476D1CE4E5B9), word(0x94D049BB133111EB)
    s30, s27, s31, s11 = word(30), word(27), word(31), word(11)
    mode.needs(
        width=i64,
        seed=u64,
        sampled=i64,  # whether there ever were more outcomes than were drawn; the table remembers as long
        drawn=(i64, OUTCOMES),  # how often each was drawn
        row=(i64, PLIES),  # how many chance nodes there are in a row up to here,
        longest_row=i64,  # and at most
    )

    @mode.inline
    def scramble(z):
        z = ((z ^ (z >> s30)) * first) & all_bits
        z = ((z ^ (z >> s27)) * second) & all_bits
        return z ^ (z >> s31)

    @mode.inline
    def draw(ws, ply, n, whole):
        """How often each of n outcomes comes in `width` draws, into ws.drawn."""
        for i in range(n):
            ws.drawn[i] = 0
        state = scramble(key(ws.stack[ply]) ^ scramble((ws.seed + gamma) & all_bits))
        for _ in range(ws.width):
            state = (state + gamma) & all_bits
            mark = float(scramble(state) >> s11) * 2.0**-53 * whole
            i, reached = 0, share_of_all(ws, ply, 0)
            while mark >= reached and i < n - 1:
                i += 1
                reached += share_of_all(ws, ply, i)
            ws.drawn[i] += 1

    @mode.inline
    def toss(ws, ply, depth, alpha, beta, hint):
        n, whole = toss_all(ws, ply, depth, alpha, beta, hint)
        ws.row[ply] = ws.row[ply - 1] + 1 if ply > 0 and ws.sides[ply - 1] == CHANCE else 1
        ws.longest_row = max(ws.longest_row, ws.row[ply])
        if n <= ws.width:
            for i in range(n):
                ws.weights[ply][i] = share_of_all(ws, ply, i)
            return n, whole
        ws.sampled = 1
        draw(ws, ply, n, whole)
        kept = 0
        for i in range(n):
            if ws.drawn[i] > 0:
                ws.moves[ply][kept] = ws.moves[ply][i]
                ws.weights[ply][kept] = ws.drawn[i]
                kept += 1
        return kept, float(ws.width)

    @mode.inline
    def share(ws, ply, i):
        return ws.weights[ply][i]

    return Outcomes(toss, share, charged)
