"""Three, six and nine men's morris: lay your men, then move them along the lines; three in a row are a mill.

Nine men's morris is played on three squares, one in the other, joined at the middles of their sides: 24 points. A mill
takes one of the opponent's men off the board, one that stands in no mill if there is such a one. Who has fewer than
three men left, in hand and on the board, or cannot move, has lost. Six men's morris is the same on two squares, 16
points; what joins them has only two points and makes no mill. In three men's morris, on 3 × 3 points with both
diagonals, a mill wins at once. First all men are laid, in turn; then a man moves to the next point along a line, if it
is free. A position that comes back is a draw.

`flying`: who is left with three men may move one to any free point. With nine men that is usual (Gasser 1996,
OpenSpiel); with six it is not, and with three it would be all of the game. So `usual` is on with nine men, else off.

`hand` counts the men that both have still to lay, together: who is to move has as many as the other, or one more. A
move is a whole turn, with the man that a mill takes: (from · (points + 1) + to) · (points + 1) + removed, where the
number of points stands for none. OpenSpiel makes two moves of that, so its players cannot be met at this board.
"""

from __future__ import annotations

from zermelo.games.morris.board import board_for
from zermelo.games.morris.notation import Notation
from zermelo.games.morris.numbering import numbering
from zermelo.rules import ONGOING, Game, Unsuitable, bit_index, popcount, rule, struct, u8, u64
from zermelo.rules.hashing import mix

FLYING = ("usual", "on", "off")


def morris(men: int = 9, flying: str = "usual") -> Game:
    """Mills take men, with three men they win; who has fewer than three or cannot move loses."""
    if men not in (3, 6, 9):
        raise Unsuitable(f"morris is played with 3, 6 or 9 men a side, not with {men}")
    if flying not in FLYING:
        raise Unsuitable(f"morris: flying is {', '.join(FLYING)}, not {flying!r}")
    board = board_for(men)
    cells, near, lines, closing = board.cells, board.near, board.lines, board.closing
    State = struct(first=u64, second=u64, hand=u8, turn=u8)
    mill_wins, can_fly = men == 3, flying == "on" or (flying == "usual" and men == 9)
    points, base, nothing = u64((1 << cells) - 1), cells + 1, cells
    one, zero, second_at, beside_at = u64(1), u64(0), u64(cells), u64(2 * cells)

    @rule
    def sides(s):  # the men of the player to move, and the opponent's
        if s.turn == 0:
            return s.first, s.second
        return s.second, s.first

    @rule
    def for_first(turn, value):  # from the view of the player whose turn it is to that of the first player
        return value if turn == 0 else -value

    @rule
    def flies(mine, hand):
        return can_fly and hand == 0 and popcount(mine) == 3

    @rule
    def closes(mine, point):  # whether a man on this point makes a mill with these
        for rest in closing[point]:
            if mine & rest == rest:
                return True
        return False

    @rule
    def in_mills(men_of_one):
        found = zero
        for line in lines:
            if men_of_one & line == line:
                found |= line
        return found

    @rule
    def removable(theirs):
        outside = theirs & ~in_mills(theirs)
        return outside if outside != zero else theirs

    @rule
    def listed(out, n, start, targets, others, theirs):  # appends the moves of one man to these points
        while targets != zero:
            to = bit_index(targets)
            targets &= targets - one
            if not mill_wins and theirs != zero and closes(others, to):
                prey = removable(theirs)
                while prey != zero:
                    out[n] = (start * base + to) * base + bit_index(prey)
                    n += 1
                    prey &= prey - one
            else:
                out[n] = (start * base + to) * base + nothing
                n += 1
        return n

    @rule
    def moves(s, out):
        mine, theirs = sides(s)
        empty = points & ~(mine | theirs)
        if s.hand > 0:
            return listed(out, 0, nothing, empty, mine, theirs)
        n = 0
        anywhere = flies(mine, s.hand)
        left = mine
        while left != zero:
            start = bit_index(left)
            man = left & ~(left - one)
            n = listed(out, n, start, empty if anywhere else empty & near[start], mine ^ man, theirs)
            left ^= man
        return n

    @rule
    def play(s, move):
        start, to, removed = move // (base * base), move // base % base, move % base
        mine, theirs = sides(s)
        mine |= one << u64(to)
        if start == nothing:
            s.hand -= 1
        else:
            mine ^= one << u64(start)
        if removed != nothing:
            theirs ^= one << u64(removed)
        if s.turn == 0:
            s.first, s.second = mine, theirs
        else:
            s.first, s.second = theirs, mine
        s.turn = 1 - s.turn

    @rule
    def is_stuck(mine, theirs):
        empty = points & ~(mine | theirs)
        left = mine
        while left != zero:
            if near[bit_index(left)] & empty != zero:
                return False
            left &= left - one
        return True

    @rule
    def result(s):
        mine, theirs = sides(s)
        won = for_first(s.turn, 1)
        if mill_wins:
            if in_mills(theirs) != zero:
                return -won
            if in_mills(mine) != zero:
                return won
        if popcount(mine) + (s.hand + 1) // 2 < 3:
            return -won
        if popcount(theirs) + s.hand // 2 < 3:
            return won
        if s.hand == 0 and not flies(mine, s.hand) and is_stuck(mine, theirs):
            return -won
        return ONGOING

    @rule
    def bounds(s):  # a mill that wins at once
        mine, theirs = sides(s)
        if not mill_wins and (theirs == zero or popcount(theirs) + s.hand // 2 > 3):
            return -1, 1
        empty = points & ~(mine | theirs)
        for line in lines:
            gap = line & ~mine
            if gap & empty != zero and gap & (gap - one) == zero:
                others = mine & ~line
                if s.hand == 0 and not flies(mine, s.hand):
                    others &= near[bit_index(gap)]
                if s.hand > 0 or others != zero:
                    return for_first(s.turn, 1), for_first(s.turn, 1)
        return -1, 1

    @rule
    def order(s, move):  # mills, what keeps the opponent from one, points with many ways
        start, to = move // (base * base), move // base % base
        mine, theirs = sides(s)
        if start != nothing:
            mine ^= one << u64(start)
        found = popcount(near[to])
        if closes(mine, to):
            found += 20
        if closes(theirs, to):
            found += 10
        return found

    @rule
    def ways(mine, empty):  # the free points beside these men
        found = zero
        while mine != zero:
            found |= near[bit_index(mine)]
            mine &= mine - one
        return popcount(found & empty)

    @rule
    def evaluate(s):  # men first, then room to move
        empty = points & ~(s.first | s.second)
        lead = 6 * (popcount(s.first) - popcount(s.second)) + ways(s.first, empty) - ways(s.second, empty)
        if s.hand & 1 == 1:  # who is to lay has one man more in hand
            lead += for_first(s.turn, 6)
        return lead / (24.0 + abs(lead))

    numbers = numbering(men, sides)
    canonical = numbers.canonical

    @rule
    def packed(first, second, s):
        return mix(zero, first | (second << second_at) | (u64(2 * s.hand + s.turn) << beside_at))

    @rule
    def key(s):
        return packed(s.first, s.second, s)

    @rule
    def symmetry(s):
        first, second = canonical(s.first, s.second)
        return packed(first, second, s)

    notation = Notation(men, board, State, result)
    return Game(
        name="morris",
        State=State,
        start=State(hand=2 * men),
        moves=moves,
        play=play,
        result=result,
        # three men that fly to any free point, each time closing a mill
        max_moves=9 if mill_wins else max(3 * (cells - 3 - other) * other for other in range(men + 1)),
        max_plies=100 * men,
        repetition="draw",
        alternating=True,
        exact_key=True,
        order=order,
        key=key,
        symmetry=symmetry,
        bounds=bounds,
        evaluate=evaluate,
        index=numbers.index,
        unindex=numbers.unindex,
        tiers=lambda: list(numbers.tiers),
        move_text=notation.move_text,
        position_text=notation.position_text,
        read_position=notation.read_position,
        draw=notation.draw,
    )
