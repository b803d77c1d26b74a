"""Chinese dark chess (banqi): turn pieces over, capture by rank.

All pieces lie face down at first, nobody knows where. A turn flips one of them or moves an own face-up piece one
square along a row or column, onto an empty square or a face-up piece of the opponent's that it may capture. The first
flip gives the flipper that colour. Ranks: K > G > M > R > N > C > P; a piece captures its equals and those below it,
except that K may not take P, P takes K (and P) only, and C captures nothing next to it but any face-up piece behind
exactly one other, face up or down, on its row or column. Who cannot move, or has no piece left, face up or down, has
lost. A draw: `quiet_plies` plies without flip or capture, or the same position `repetitions` times (0: no such rule).
The defaults, 180 and 3, are those of the Computer Olympiad. With neither rule endless play counts 0.

A flip is two plies: the decision which piece to turn, then a chance position whose outcomes are the kinds that are
still face down, weighted by how many there are of each.

The board is five bit boards of up to 32 squares: `low`, `mid` and `high` hold the rank (1 for P to 7 for K) of face-up
pieces, `dark` marks those in lower case, `hidden` the squares not turned yet. Comparing ranks is then one set of
logical operations for all pieces at once. `counts` holds, 4 bits a kind in the order KGMRNCPkgmrncp, how many are
face down. `owner` is 0 before the first flip, 1 if the first player has the upper case, 2 if the lower; `cell` is
one more than the square being turned over, 0 if none is; `clock` counts quiet plies, if there is a limit to them.
What the pieces of each colour are worth that are not captured yet is kept up to date for `evaluate`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games._dark_chess_board import may_take, reach
from zermelo.games._dark_chess_notation import COLOUR, FULL_SET, KINDS, WORTH, Notation
from zermelo.rules import (
    CHANCE,
    ONGOING,
    Game,
    Position,
    Unsuitable,
    bit_index,
    i64,
    nth_bit,
    popcount,
    rule,
    struct,
    u8,
    u16,
    u32,
    u64,
)  # fmt: skip
from zermelo.rules.hashing import another, mix

_CANNON_REACH = 4  # captures that a cannon has beside its steps, at most


def dark_chess(
    rows: int = 4, cols: int = 8, pieces: str = FULL_SET, quiet_plies: int = 180, repetitions: int = 3
) -> Game:
    """Flip pieces that lie face down, capture by rank; who has no move or no piece left loses."""
    cells = rows * cols
    _check_parameters(rows, cols, pieces, quiet_plies, repetitions)
    State = struct(
        counts=i64, low=u32, mid=u32, high=u32, dark=u32, hidden=u32, side=u8, owner=u8, cell=u8, clock=u8,
        upper_worth=u16, lower_worth=u16,
    )  # fmt: skip
    board = (1 << cells) - 1
    first_column = sum(1 << (r * cols) for r in range(rows))
    one_colour = (1 << (4 * COLOUR)) - 1
    takes = np.array([[may_take(rank, other) for other in range(8)] for rank in range(8)])
    worth = np.array(WORTH, dtype=np.int64)
    both = u64(1 | 1 << 32)  # two boards in one word
    columns_in_both, row_in_both = u64(first_column) * both, u64((1 << cols) - 1) * both
    (
        paired, across, along, face_up, pieces_of, rank_at, cannons_of, captors_across, captors_along, shots,
        steps_across, steps_along, stepping,
    ) = reach(rows, cols)  # fmt: skip
    zero = u64(0)
    reflected = cells if cells <= 16 else 4  # how many squares may be turned while reflections are looked at

    @rule
    def turn(s):
        return CHANCE if s.cell != 0 else 0 + s.side

    @rule
    def colour(s):  # of the player to move: 0 upper case, 1 lower case
        return (s.owner - 1 + s.side) & 1

    @rule
    def moves(s, out):
        n = 0
        if s.cell != 0:
            for kind in range(2 * COLOUR):
                if (s.counts >> (4 * kind)) & 15 != 0:
                    out[n] = kind
                    n += 1
            return n
        own, enemy = pieces_of(s, colour(s)), pieces_of(s, 1 - colour(s))
        occupied = face_up(s) | s.hidden
        movers, way = steps_across(s, own, enemy, occupied), 0
        for _ in range(2):
            while movers != 0:
                out[n] = stepping(bit_index(u64(movers)), way)
                n += 1
                movers &= movers - 1
            movers, way = steps_along(s, own, enemy, occupied), 2
        cannons = own & cannons_of(s)
        while cannons != 0:
            cell = bit_index(u64(cannons))
            targets = shots(occupied, enemy, cell)
            while targets != 0:
                out[n] = 32 * cell + bit_index(u64(targets))
                n += 1
                targets &= targets - 1
            cannons &= cannons - 1
        face_down = 0 + s.hidden
        while face_down != 0:
            out[n] = 33 * bit_index(u64(face_down))  # from a square to itself: a flip
            n += 1
            face_down &= face_down - 1
        return n

    @rule
    def turned_up(s, n):  # the kind of the n-th piece that is face down, if those of each kind lie together
        kind = 0
        while True:
            n -= (s.counts >> (4 * kind)) & 15
            if n < 0:
                return kind
            kind += 1

    @rule
    def pick(s, number):  # a step next to an enemy is tried before it is known to be legal; if not, another is drawn
        if s.cell != 0:
            return turned_up(s, (number * popcount(u64(s.hidden))) >> 32)
        own, enemy = pieces_of(s, colour(s)), pieces_of(s, 1 - colour(s))
        occupied, open_ = face_up(s) | s.hidden, board & ~(own | s.hidden)
        sideways, upright = paired(own, own) & across(open_), paired(own, own) & along(open_)
        first, second, flips = popcount(u64(sideways)), popcount(u64(upright)), popcount(u64(s.hidden))
        steps = first + second
        n = steps + flips
        cannons = own & cannons_of(s)
        while cannons != 0:
            n += popcount(u64(shots(occupied, enemy, bit_index(u64(cannons)))))
            cannons &= cannons - 1
        at = (number * n) >> 32
        while at < steps:
            down = int(at >= first)
            move = stepping(nth_bit(u64(upright if down == 1 else sideways), at - down * first), 2 * down)
            if takes[rank_at(s, move >> 5), rank_at(s, move & 31)]:
                return move
            number = another(number)
            at = (number * n) >> 32
        at -= steps
        if at < flips:
            return 33 * nth_bit(u64(s.hidden), at)
        at -= flips
        cannons = own & cannons_of(s)
        while cannons != 0:
            cell = bit_index(u64(cannons))
            targets = shots(occupied, enemy, cell)
            if at < popcount(u64(targets)):
                return 32 * cell + nth_bit(u64(targets), at)
            at -= popcount(u64(targets))
            cannons &= cannons - 1
        return -1

    @rule
    def weight(s, outcome):
        return (s.counts >> (4 * outcome)) & 15

    @rule
    def reveal(s, kind):
        cell = s.cell - 1
        rank = COLOUR - kind % COLOUR
        shade = kind // COLOUR
        s.low = s.low | ((rank & 1) << cell)
        s.mid = s.mid | (((rank >> 1) & 1) << cell)
        s.high = s.high | ((rank >> 2) << cell)
        s.dark = s.dark | (shade << cell)
        s.hidden = s.hidden ^ (1 << cell)
        s.counts -= 1 << (4 * kind)
        if s.owner == 0:
            s.owner = 1 + (shade ^ s.side)
        s.cell = 0
        s.side = 1 - s.side

    @rule
    def shifted(plane, origin, target):  # what stood on the origin stands on the target now
        return (plane & ~((1 << origin) | (1 << target))) | (((plane >> origin) & 1) << target)

    @rule
    def play(s, move):
        if s.cell != 0:
            reveal(s, move)
        elif move % 33 == 0:
            s.cell = move // 33 + 1
            s.clock = 0
        else:
            origin, target = move >> 5, move & 31
            victim = int(worth[rank_at(s, target)])
            if colour(s) == 0:
                s.lower_worth = s.lower_worth - victim
            else:
                s.upper_worth = s.upper_worth - victim
            if quiet_plies > 0:
                s.clock = 0 if victim > 0 else s.clock + 1
            s.low = shifted(0 + s.low, origin, target)
            s.mid = shifted(0 + s.mid, origin, target)
            s.high = shifted(0 + s.high, origin, target)
            s.dark = shifted(0 + s.dark, origin, target)
            s.side = 1 - s.side

    @rule
    def can_move(s, own, enemy):  # asked only when all pieces are face up: there is nothing to flip
        occupied = face_up(s)
        empty = board & ~occupied
        if paired(own, own) & (across(empty) | along(empty)) != 0:
            return True
        if captors_across(s, own, enemy) | captors_along(s, own, enemy) != 0:
            return True
        cannons = own & cannons_of(s)
        while cannons != 0:
            if shots(occupied, enemy, bit_index(u64(cannons))) != 0:
                return True
            cannons &= cannons - 1
        return False

    @rule
    def result(s):
        if s.owner != 0 and s.cell == 0:
            shade = colour(s)
            own = pieces_of(s, shade)
            if own == 0 and (s.counts >> (4 * COLOUR * shade)) & one_colour == 0:
                return 2 * s.side - 1
            if s.hidden == 0 and not can_move(s, own, pieces_of(s, 1 - shade)):
                return 2 * s.side - 1
        if quiet_plies > 0 and s.clock >= quiet_plies:
            return 0
        return ONGOING

    @rule
    def attackers(s, shade):  # how many pieces of a colour can capture a neighbour
        own, enemy = pieces_of(s, shade), pieces_of(s, 1 - shade)
        able = captors_across(s, own, enemy) | captors_along(s, own, enemy)
        return popcount(u64((able | (able >> 32)) & board))

    @rule
    def evaluate(s):  # what is left of each side, face up or down, and what the next to move can capture at once
        if s.owner == 0:
            return 0.0
        lead = 0 + s.upper_worth - s.lower_worth
        if s.owner == 2:
            lead = -lead
        turned = 1 if s.cell != 0 else 0  # the opponent moves next
        threats = attackers(s, colour(s) ^ turned)
        x = 3 * (lead + (1 - 2 * (s.side ^ turned)) * threats) / (0 + s.upper_worth + s.lower_worth)
        return x / (1 + abs(x))

    @rule
    def numbers(s):  # pieces that are left, whatever their rank
        if s.owner == 0:
            return 0.0
        lead = popcount(u64(pieces_of(s, 0))) - popcount(u64(pieces_of(s, 1)))
        for kind in range(COLOUR):
            lead += ((s.counts >> (4 * kind)) & 15) - ((s.counts >> (4 * (kind + COLOUR))) & 15)
        return (lead if s.owner == 1 else -lead) / (cells + 1.0)

    @rule
    def threats(s):  # pieces that can capture at once, whoever is to move
        if s.owner == 0:
            return 0.0
        lead = attackers(s, 0) - attackers(s, 1)
        return (lead if s.owner == 1 else -lead) / (cells + 1.0)

    @rule
    def order(s, move):  # the dearest capture by the cheapest piece first, flips last
        if s.cell != 0 or move % 33 == 0:
            return 0
        victim = int(worth[rank_at(s, move & 31)])
        return 1 if victim == 0 else 100 + 4 * victim - int(worth[rank_at(s, move >> 5)])

    @rule
    def digest(ranks, colours, places, counts, rest):
        return mix(mix(mix(mix(u64(rest), ranks), colours), places), u64(counts))

    @rule
    def words(first, second):
        return u64(paired(0 + first, 0 + second))

    @rule
    def turning(s):  # the square that is being turned over, as a bit board
        return 1 << (s.cell - 1) if s.cell != 0 else 0

    @rule
    def of_state(s, rest):
        places = words(s.hidden, turning(s))
        return digest(words(s.low, s.mid), words(s.high, s.dark), places, s.counts, rest)

    @rule
    def key(s):
        return of_state(s, (s.clock * 4 + s.owner) * 2 + s.side)

    @rule
    def loop_key(s):  # a position is the same again whatever the clock says
        return of_state(s, s.owner * 2 + s.side)

    @rule
    def left_right(word):
        turned = zero
        for c in range(cols):
            turned |= ((word >> u64(c)) & columns_in_both) << u64(cols - 1 - c)
        return turned

    @rule
    def top_bottom(word):
        turned = zero
        for r in range(rows):
            turned |= ((word >> u64(r * cols)) & row_in_both) << u64((rows - 1 - r) * cols)
        return turned

    @rule
    def symmetry(s):  # colours as the first player's and the second's; reflections, where they are likely to meet
        rest = s.clock * 2 + s.side
        seconds, counts = 0 + s.dark, s.counts
        if s.owner == 2:
            seconds = face_up(s) & ~seconds
            counts = (counts >> (4 * COLOUR)) | ((counts & one_colour) << (4 * COLOUR))
        ranks, colours, places = words(s.low, s.mid), words(s.high, seconds), words(s.hidden, turning(s))
        least = digest(ranks, colours, places, counts, rest)
        if cells - popcount(u64(s.hidden)) <= reflected:
            least = min(least, digest(top_bottom(ranks), top_bottom(colours), top_bottom(places), counts, rest))
            ranks, colours, places = left_right(ranks), left_right(colours), left_right(places)
            least = min(least, digest(ranks, colours, places, counts, rest))
            least = min(least, digest(top_bottom(ranks), top_bottom(colours), top_bottom(places), counts, rest))
        return least

    def timeless(s: Any) -> tuple[Position, int]:
        """The position in a game without draws: within the clock's limit, whoever can force more than that will."""
        game = dark_chess(rows, cols, pieces, 0, 0)
        assert game.State is not None
        return Position(game, game.State(**(s.values() | {"clock": 0}))), max(0, quiet_plies - s.clock)

    notation = Notation(State, rows, cols, pieces, quiet_plies)
    cannons = pieces.count("C")
    progress = cells + cells - 1  # flips and captures
    return Game(
        name="dark-chess",
        State=State,
        start=notation.start,
        moves=moves,
        play=play,
        result=result,
        # half of the pieces may step four ways, cannons jump four ways too; the others may all lie face down
        max_moves=max(len(KINDS), cells // 2 * 5 + _CANNON_REACH * cannons),
        max_outcomes=len(set(pieces)),
        max_plies=cells + progress + (progress + 1) * quiet_plies if quiet_plies else 2048,
        repetition="draw" if repetitions or not quiet_plies else "none",
        folds=repetitions or 2,
        turn=turn,
        weight=weight,
        evaluate=evaluate,
        evaluations={"material": evaluate, "pieces": numbers, "threats": threats},
        order=order,
        pick=pick,
        key=key,
        loop_key=loop_key,
        symmetry=symmetry,
        timeless=timeless if repetitions or quiet_plies else None,
        move_text=notation.move_text,
        position_text=notation.position_text,
        read_position=notation.read_position,
        draw=notation.draw,
    )


def _check_parameters(rows: int, cols: int, pieces: str, quiet_plies: int, repetitions: int) -> None:
    """Refuse what makes no game."""
    if not (1 <= rows <= 16 and 1 <= cols <= 16 and 2 <= rows * cols <= 32):
        raise Unsuitable(
            f"dark-chess: {rows}×{cols} squares are impossible; rows and cols are from 1 to 16, "
            "and there are 2 to 32 squares"
        )
    for mark in pieces:
        if mark not in KINDS:
            raise Unsuitable(f"dark-chess: {mark} in {pieces} is no piece; pieces are K G M R N C P, or small ones")
    if len(pieces) != rows * cols:
        raise Unsuitable(
            f"dark-chess: {rows}×{cols} squares need {rows * cols} pieces, {pieces} are {len(pieces)}; "
            "for example rows=2, cols=3, pieces=KGPkgp"
        )
    upper, lower = ("".join(sorted(filter(case, pieces))) for case in (str.isupper, str.islower))
    if upper.lower() != lower:
        raise Unsuitable(
            "dark-chess: both colours need the same pieces, since the first flip decides who has which; "
            f"{upper or 'none'} against {lower or 'none'} are unequal"
        )
    for kind in upper:
        if upper.count(kind) > 15:
            raise Unsuitable(f"dark-chess: {upper.count(kind)} pieces {kind} are too many, at most 15 are possible")
    if not 0 <= quiet_plies <= 255:
        raise Unsuitable(f"dark-chess: quiet_plies is from 1 to 255, or 0 for no such rule, not {quiet_plies}")
    if not (repetitions == 0 or 2 <= repetitions <= 255):
        raise Unsuitable(f"dark-chess: repetitions is from 2 to 255, or 0 for no such rule, not {repetitions}")
