"""Approximate probes: a chance node may be cut off on the strength of estimates, at a stated confidence.

Every outcome that is probed gets an estimate x_i with a standard error s_i, every other lies between v_min and
v_max. With shares w_i of the whole D, the value of the node lies, at the confidence that z stands for, between

    (Σ w_i x_i − z √(Σ w_i² s_i²) + v_min Σ_rest w_i) / D   and the same with + z and v_max.

If that leaves the window, the node is cut off, and what is returned is an estimate: the answer is marked heuristic.
If not, Star1 goes on as if nothing had happened. Estimates come from

    static     the game's own evaluation; s is the option `error`, a share of the range
    shallow    a search that is two plies shallower; s as before
    sampled    `samples` random games to the same depth; s is the error of their mean

The confidence is that of one cut-off under the assumption that errors are independent and normal; a search makes many.
Hsu, "Selected advanced topics", approximated probes: strategy I probes some promising outcomes, strategy II all of
them. Cut-offs at a confidence are after Buro 1995, "ProbCut".
"""

from __future__ import annotations

import math
from statistics import NormalDist

from zermelo.chance.family import ChanceNode, Family
from zermelo.chance.options import ChanceOptions
from zermelo.chance.star1 import star1_node
from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import OUTCOMES, PLIES
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, ONGOING, f64, u64

PROBE_DEPTH = 2
"""Where less depth is left, a search is as cheap as an estimate."""
SHALLOWER = 2


def estimator(mode: Mode, parts: Parts, shared: Family) -> Kernel:
    """`estimate(ws, ply, depth)`: what the position at ply + 1 may be worth to the first player, and the square of
    the standard error of that."""
    options = parts.options
    assert isinstance(options, ChanceOptions)
    rules, child, advance, evaluate = parts.nodes.rules, shared.child, parts.nodes.advance, parts.nodes.evaluate
    over, generate, turn, weight = rules.over, rules.generate, rules.turn, rules.weight
    low, high, samples = shared.low, shared.high, options.samples
    variance = (options.error * (high - low)) ** 2
    shallow, sampled = options.estimator == "shallow", options.estimator == "sampled"
    word, signed = mode.word, mode.signed
    odd, half, all_bits = word(0x9E3779B97F4A7C15), word(33), word(2**64 - 1)
    mode.counts(chance=u64)  # where the sequence of random numbers is

    @mode.inline
    def draw(ws, sides):
        """A number below `sides`: the next of a sequence that every search begins anew."""
        ws.chance = (ws.chance + odd) & all_bits
        h = ((ws.chance ^ (ws.chance >> half)) * odd) & all_bits
        return signed(h >> half) % sides

    @mode.kernel
    def playout(ws, ply, depth):
        """The end of a random game, or the estimate where the depth is used up."""
        while True:
            score = over(ws, ply)
            if score != ONGOING:
                return float(score)
            if depth <= 0:
                return float(evaluate(ws, ply))
            n = generate(ws, ply)
            if ws.stop != 0:
                return 0.0
            at = 0
            if turn(ws.stack[ply]) == CHANCE:
                total = 0
                for i in range(n):
                    total += weight(ws.stack[ply], ws.moves[ply][i])
                left = draw(ws, total)
                for i in range(n):
                    left -= weight(ws.stack[ply], ws.moves[ply][i])
                    if left < 0:
                        at = i
                        break
            else:
                at = draw(ws, n)
                depth -= 1
            advance(ws, ply, ws.moves[ply][at])
            ply += 1

    @mode.kernel
    def estimate(ws, ply, depth):
        ws.nodes += 1
        score = over(ws, ply + 1)
        if score != ONGOING:
            return float(score), 0.0
        if shallow:
            return child(ws, ply, depth - SHALLOWER, low, high), variance
        if sampled:
            total, squares = 0.0, 0.0
            for _ in range(samples):
                x = playout(ws, ply + 1, depth)
                total += x
                squares += x * x
            mean = total / samples
            spread = max(squares / samples - mean * mean, variance / samples)
            return mean, spread / (samples - 1)
        return float(evaluate(ws, ply + 1)), variance

    return estimate


def approximate_node(promising: bool) -> ChanceNode:
    """Star1 after approximate probes: of all outcomes, or of the most promising ones only."""

    def node(mode: Mode, parts: Parts, shared: Family) -> Kernel:
        options = parts.options
        assert isinstance(options, ChanceOptions)
        toss, share, charged = shared.outcomes
        make, advance, evaluate = shared.make, parts.nodes.advance, parts.nodes.evaluate
        over = parts.nodes.rules.over
        v_min, v_max = shared.low, shared.high
        z = NormalDist().inv_cdf(options.confidence)
        few = options.promising
        exactly, estimate = star1_node(mode, parts, shared), estimator(mode, parts, shared)
        if promising:
            mode.needs(least=(f64, PLIES, OUTCOMES))

        @mode.inline
        def look(ws, ply, i):
            """The static estimate of an outcome."""
            advance(ws, ply, ws.moves[ply][i])
            score = over(ws, ply + 1)
            return float(evaluate(ws, ply + 1)) if score == ONGOING else float(score)

        @mode.kernel
        def guess(ws, ply, depth, alpha, beta, hint):
            """Whether the node can be cut off by estimates, and what is then returned."""
            c, whole = toss(ws, ply, depth, alpha, beta, hint)
            if c == 0:
                return False, 0.0
            below = charged(depth, c)
            limit = min(few, c) if promising else c
            if promising:
                mean = 0.0
                for i in range(c):
                    ws.least[ply][i] = look(ws, ply, i)
                    mean += share(ws, ply, i) * ws.least[ply][i]
                upwards = 1.0 if 2 * mean >= whole * (alpha + beta) else -1.0
            total, squares, rest = 0.0, 0.0, whole
            for k in range(limit):
                at = k
                if promising:  # the outcome that brings the bound furthest towards a cut-off; each is taken once
                    gain = -math.inf
                    for i in range(c):
                        edge = ws.least[ply][i] - v_min if upwards > 0 else v_max - ws.least[ply][i]
                        if ws.least[ply][i] != math.inf and share(ws, ply, i) * edge > gain:
                            at, gain = i, share(ws, ply, i) * edge
                    ws.least[ply][at] = math.inf
                w = share(ws, ply, at)
                make(ws, ply, ws.moves[ply][at], below)
                x, error = estimate(ws, ply, below)
                if ws.stop != 0:
                    return False, 0.0
                total += w * x
                squares += w * w * error
                rest -= w
            doubt = z * math.sqrt(squares)
            least, most = total - doubt + rest * v_min, total + doubt + rest * v_max
            if least >= whole * beta:
                return True, max(min(least / whole, v_max), beta)
            if most <= whole * alpha:
                return True, min(max(most / whole, v_min), alpha)
            return False, 0.0

        @mode.kernel
        def expect(ws, ply, depth, alpha, beta, hint):
            if depth >= PROBE_DEPTH and (alpha > v_min or beta < v_max):
                sure, value = guess(ws, ply, depth, alpha, beta, hint)
                if sure:
                    ws.horizon += 1  # it rests on estimates, and is not remembered
                    return value
            return exactly(ws, ply, depth, alpha, beta, hint)

        return expect

    return node
