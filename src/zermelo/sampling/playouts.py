"""Playouts: from a position to the end of the game, or as far as asked, with moves that cost next to nothing.

`light` takes any move. `decisive` takes a move that wins at once and, if there is none, no move that lets the opponent
win at once, if it can be helped (Teytaud and Teytaud 2010, "On the huge benefit of decisive moves in Monte-Carlo tree
search algorithms"). `policy` takes moves by the weights that the game's hook gives them. The last good reply to a move
is tried first (Drake 2009; with forgetting, Baier and Drake 2010).

Positions are changed in place, in the row behind the one that a playout starts from. What moves were made, and by whom,
is noted in `ws.played` and `ws.players` from that row on, for those who learn from them.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.compile.modes import Kernel, Mode
from zermelo.compile.workspace import MOVES, PLIES, plies_of
from zermelo.core.method import Parts
from zermelo.rules import CHANCE, ONGOING, Game, equal_weight, f64, i32, i64
from zermelo.sampling.dice import Dice
from zermelo.sampling.options import TreeOptions

NUMBERS = 1 << 32
"""Moves are picked by numbers below this."""
REPLIES = 1 << 16
"""Moves are numbers below this."""


FEW_MOVES = 16
"""In a game with no more moves than this, trying them all pays (matches of Connect Four and Othello at equal time)."""


def playout_of(game: Game, options: TreeOptions) -> str:
    """How play goes on below the tree, where nobody has said."""
    if options.playout != "auto":
        return options.playout
    if game.policy is not None:
        return "policy"
    return "decisive" if game.max_moves <= FEW_MOVES else "light"


class Playouts(NamedTuple):
    """How play goes on below the tree."""

    playout: Kernel  # (ws, ply) -> (score, end): the first player's, and the ply behind the last move that was noted
    learn: Kernel  # (ws, begin, end, score): the replies between two plies were good for whoever did well


def playouts(mode: Mode, parts: Parts, dice: Dice) -> Playouts:
    """Playouts for one game."""
    game, options = parts.game, parts.options
    rules = mode.rules(game) if game.forbids else parts.nodes.rules  # nobody follows the path of a playout
    assert isinstance(options, TreeOptions)
    generate, listed, advance, step = rules.generate, rules.listed, rules.advance, rules.step
    over, turn, weight, policy, horizon = rules.over, rules.turn, rules.weight, rules.policy, rules.horizon
    pick = rules.pick
    estimate, below, share = parts.nodes.evaluate, dice.below, dice.share
    has_chance, fair = game.has_chance, game.weight is equal_weight
    kind, replying = playout_of(game, options), options.reply
    decisive, weighed = kind == "decisive", kind == "policy"
    picking = kind == "light" and game.pick is not None and not replying  # no list of moves is needed
    limited, use_horizon = options.length is not None, game.horizon is not None
    noting = replying or options.rave > 0
    middle, last_ply = (game.values[0] + game.values[1]) / 2, plies_of(game) - 2
    mode.needs(length=i64, first=i64)
    if weighed:
        mode.needs(likely=(f64, MOVES))  # the weights of the moves at hand
    if noting:
        mode.needs(played=(i32, PLIES), players=(i32, PLIES))
    if replying:
        mode.needs(replies=(i32, 2, REPLIES))  # one more than the move that was good after this one, 0 if none is known

    @mode.inline
    def outcome(ws, ply, n):
        """One of the n outcomes in ws.moves[ply], by their weights."""
        if fair:
            return ws.moves[ply][below(ws, n)]
        total = 0.0
        for i in range(n):
            total += weight(ws.stack[ply], ws.moves[ply][i])
        left = share(ws) * total
        for i in range(n - 1):
            left -= weight(ws.stack[ply], ws.moves[ply][i])
            if left < 0:
                return ws.moves[ply][i]
        return ws.moves[ply][n - 1]

    @mode.inline
    def likely(ws, ply, n):
        """A move by the game's policy; any, if it likes none."""
        total = 0.0
        for i in range(n):
            ws.likely[i] = policy(ws.stack[ply], ws.moves[ply][i])
            total += ws.likely[i]
        left = share(ws) * total
        for i in range(n):
            left -= ws.likely[i]
            if left < 0:
                return ws.moves[ply][i]
        return ws.moves[ply][below(ws, n)]

    @mode.inline
    def wins(ws, ply, who):
        """Whether the position at ply is won for a player."""
        score = over(ws, ply)
        return score != ONGOING and (score > middle if who == 0 else score < middle)

    @mode.inline
    def winning(ws, ply, n, who):
        """The place of a move that wins at once, -1 if there is none."""
        for i in range(n):
            advance(ws, ply, ws.moves[ply][i])
            if wins(ws, ply + 1, who):
                return i
        return -1

    @mode.inline
    def gives_away(ws, ply):
        """Whether the player to move at ply, the opponent, can win at once. Dice are not looked beyond."""
        if over(ws, ply) != ONGOING:
            return False
        who = turn(ws.stack[ply])
        if has_chance and who == CHANCE:
            return False
        return winning(ws, ply, listed(ws, ply), who) >= 0

    @mode.inline
    def careful(ws, ply, n, who):
        """A winning move, or else any that gives nothing away, or else any. `ply + 2` must be a row of the stack."""
        at = winning(ws, ply, n, who)
        if at >= 0:
            return ws.moves[ply][at]
        left = n
        while left > 1:
            at = below(ws, left)
            move = ws.moves[ply][at]
            advance(ws, ply, move)
            if not gives_away(ws, ply + 1):
                return move
            left -= 1  # the move goes behind those that are left
            ws.moves[ply][at] = ws.moves[ply][left]
            ws.moves[ply][left] = move
        return ws.moves[ply][0]

    @mode.inline
    def replied(ws, ply, n, plies, who):
        """The last good reply to the move before, if it is legal; else -1."""
        if plies > 0:
            wanted = ws.replies[who][ws.played[plies - 1]] - 1
            if wanted >= 0:
                for i in range(n):
                    if ws.moves[ply][i] == wanted:
                        return wanted
        return -1

    @mode.inline
    def decided(ws, at, n, plies, who):
        """A player's move, one of the n in ws.moves[at]."""
        move = replied(ws, at, n, plies, who) if replying else -1
        if move < 0 and decisive and at + 2 <= last_ply:
            move = careful(ws, at, n, who)
        if move < 0:
            move = likely(ws, at, n) if weighed else ws.moves[at][below(ws, n)]
        return move

    @mode.inline
    def playout(ws, ply):
        at, plies = ply, ply
        allowed = min(ws.length, last_ply - ply) if limited else last_ply - ply
        for _ in range(allowed):
            if use_horizon and horizon(ws.stack[at]):
                break
            who = turn(ws.stack[at]) if (has_chance and not picking) or noting or decisive else 0
            if picking:
                move = pick(ws.stack[at], below(ws, NUMBERS))
            else:
                n = generate(ws, at) if at == ply else listed(ws, at)
                if n == 0:  # a rule that breaks its promise
                    return middle, plies
                move = outcome(ws, at, n) if has_chance and who == CHANCE else decided(ws, at, n, plies, who)
            if noting:
                ws.played[plies], ws.players[plies] = move, who
            plies += 1
            ws.nodes += 1
            if at == ply:
                advance(ws, ply, move)
                at = ply + 1
            else:
                step(ws, at, move)
            score = over(ws, at)
            if score != ONGOING:
                return float(score), plies
        ws.horizon += 1
        return float(estimate(ws, at)), plies

    @mode.inline
    def learn(ws, begin, end, score):
        for p in range(begin + 1, end):
            who = ws.players[p]
            if who <= 1:
                before, move = ws.played[p - 1], ws.played[p]
                good = score > middle if who == 0 else score < middle
                if good:
                    ws.replies[who][before] = move + 1
                elif ws.replies[who][before] == move + 1:
                    ws.replies[who][before] = 0

    return Playouts(playout, learn)
