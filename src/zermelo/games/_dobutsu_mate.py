"""The sub-game "mate" of Dobutsu shogi: to catch the lion, or to bring one's own home, by checks alone.

No piece moves further than one step, so that nothing can be put between a lion and who attacks it, and no move uncovers
another piece. All is said by masks of the twelve squares (see `planes`): a check is a step or a drop onto a square from
which the piece reaches the other lion; an answer takes the piece that gives check, or takes the lion out of reach. A
lion that steps next to the other one is taken, so lions do not give check.
"""

from __future__ import annotations

from zermelo.games._dobutsu_numbers import Table, planes
from zermelo.rules import Subgame, bit_index, rule, u64
from zermelo.rules.language import Rule

_CHICK, _GIRAFFE, _LION, _HEN = 1, 3, 4, 5
_HANDS, _TURN, _DROPS = 48, 60, 144
_BOARD = 0o7777
_LAST_ROW = (0o7000, 0o0007)


def mate(reach: Table, back: Table, attackers: Rule, play: Rule) -> Subgame:
    """The sub-game. `reach`: for each piece on each square the squares it can step to, at 12 × piece + square; `back`:
    those that it can come from; `attackers`: the rule that tells which pieces of a side reach a square; `play`: the
    rule that makes a move."""

    @rule
    def seen(packed):  # whose turn it is, the planes, and the squares of its pieces, of the others and of both lions
        side = (packed >> _TURN) & 1
        x = planes(packed)
        taken = (x | (x >> 16) | (x >> 32)) & _BOARD
        mine = taken & (x >> 48 if side == 1 else ~(x >> 48))
        return side, x, mine, taken & ~mine, (x >> 32) & ~x & taken

    @rule
    def write(out, n, first_move, targets):
        """Moves onto each of these squares; how many moves there are then."""
        while targets != 0:
            out[n] = first_move + bit_index(u64(targets))
            n += 1
            targets &= targets - 1
        return n

    @rule
    def write_catches(out, n, catchers, target):
        """Moves of each of these pieces onto one square."""
        while catchers != 0:
            out[n] = 12 * bit_index(u64(catchers)) + target
            n += 1
            catchers &= catchers - 1
        return n

    @rule
    def out_of_reach(x, squares, theirs, other):
        """Those of these squares that no piece of the other side reaches, once what stands there is taken."""
        safe = 0
        while squares != 0:
            square = squares & -squares
            squares ^= square
            if attackers(x, theirs & ~square, other, bit_index(u64(square))) == 0:
                safe |= square
        return safe

    @rule
    def attack(s, out):
        side, x, mine, theirs, lions = seen(s.packed)
        home, target = bit_index(u64(lions & mine)), bit_index(u64(lions & theirs))
        n = write_catches(out, 0, attackers(x, mine, side, target), target)
        if n > 0:
            return n
        arrivals = int(reach[12 * (_LION + 8 * side) + home]) & ~mine & (_LAST_ROW[1] if side == 1 else _LAST_ROW[0])
        n = write(out, n, 12 * home, out_of_reach(x, arrivals, theirs, 1 - side))
        if n > 0:
            return n
        checkers = attackers(x, theirs, 1 - side, home)
        allowed = ~mine
        if checkers != 0:  # it has to be answered first, by a piece that takes the only one
            allowed = checkers if checkers & (checkers - 1) == 0 else 0
        pieces = mine & ~lions
        while pieces != 0:
            square = bit_index(u64(pieces))
            pieces &= pieces - 1
            piece = (s.packed >> (4 * square)) & 15
            giving = int(back[12 * piece + target])
            if piece & 7 == _CHICK:
                last = _LAST_ROW[1] if side == 1 else _LAST_ROW[0]
                giving = (giving & ~last) | (int(back[12 * (_HEN + 8 * side) + target]) & last)
            n = write(out, n, 12 * square, int(reach[12 * piece + square]) & allowed & giving)
        if checkers == 0:
            for kind in range(_CHICK, _GIRAFFE + 1):
                if (s.packed >> (_HANDS + 2 * (3 * side + kind - 1))) & 3 > 0:
                    targets = ~(mine | theirs) & _BOARD & int(back[12 * (kind + 8 * side) + target])
                    n = write(out, n, _DROPS + 12 * (kind - 1), targets)
        return n

    @rule
    def defend(s, out):
        side, x, mine, theirs, lions = seen(s.packed)
        home, other = bit_index(u64(lions & mine)), bit_index(u64(lions & theirs))
        n = write_catches(out, 0, attackers(x, mine & ~lions, side, other), other)
        checkers = attackers(x, theirs, 1 - side, home)
        if checkers & (checkers - 1) == 0 and checkers != 0:
            checker = bit_index(u64(checkers))
            n = write_catches(out, n, attackers(x, mine & ~lions, side, checker), checker)
        steps = int(reach[12 * (_LION + 8 * side) + home]) & ~mine
        return write(out, n, 12 * home, out_of_reach(x, steps, theirs, 1 - side))

    @rule
    def is_mate(s):  # the lion is taken, the other one is home, or there is no reply that `defend` would list
        side, x, mine, theirs, lions = seen(s.packed)
        if lions & mine == 0 or lions & theirs & (_LAST_ROW[0] if side == 1 else _LAST_ROW[1]) != 0:
            return True
        others = mine & ~lions
        home = bit_index(u64(lions & mine))
        if attackers(x, others, side, bit_index(u64(lions & theirs))) != 0:
            return False
        checkers = attackers(x, theirs, 1 - side, home)
        if checkers == 0:
            return False
        if checkers & (checkers - 1) == 0 and attackers(x, others, side, bit_index(u64(checkers))) != 0:
            return False
        return out_of_reach(x, int(reach[12 * (_LION + 8 * side) + home]) & ~mine, theirs, 1 - side) == 0

    @rule
    def at_once(s, out, n):
        before = s.packed
        for i in range(n):
            play(s, int(out[i]))
            mates = is_mate(s)
            s.packed = before
            if mates:
                return i
        return -1

    return Subgame(attack=attack, defend=defend, at_once=at_once)
