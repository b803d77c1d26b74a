"""What a cycle is worth: the Asian rule and the first level of the Chinese one.

A position that stands for the third time ends the game by what the moves in between were. The *Asian* rule (Asian
Xiangqi Federation 2003, with the diagrams of its rule book) knows two offences: to give check with every move, and to
chase one and the same piece with every move. The *Chinese* rules (Chinese Xiangqi Association 2020) call every move a
check, a kill (it threatens mate), a chase or idle; a side that never makes an idle move offends. Their full text takes
a referee; here a kill is a threat to mate with the next move, and a chase is what the Asian rule calls one.
docs/xiangqi.md tells what that misses.

    threat   a piece, no king or soldier, could capture another, no king and no soldier on its own bank: legally, and
             either a horse or cannon takes a chariot, or an advisor or elephant takes a chariot, horse or cannon, or
             nothing could legally take back and the two are not of one kind with the victim able to take first
    chased   those that the mover threatens after the move by a piece that did not threaten them before; none, if the
             move gives check
    hunted   chased by every move of a side in the cycle

Pieces are followed through the cycle by their squares: a set of squares is two words, and each move moves one bit.
"""

from __future__ import annotations

from typing import Any

from zermelo.games.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HALF,
    HORSE,
    KING,
    SOLDIER,
    Board,
)
from zermelo.games.xiangqi.movement import Movement, attempt, take_back
from zermelo.rules import DRAW, rule
from zermelo.rules.language import Rule

LOOPS = ("draw", "asian", "chinese")
IDLE, CHECK, KILL, CHASE = range(4)


def judge(name: str, board: Board, movement: Movement) -> str | Rule:
    """What `Game.repetition` is for one of `LOOPS`."""
    if name == "draw":
        return "draw"
    return (_asian if name == "asian" else _chinese)(board, movement)


def _chasing(board: Board, movement: Movement) -> tuple[Rule, Rule]:
    """Rules `moved(before, after)`, the squares that a move went from and to, and `chased(before, after, origin,
    target, pinned)`, whom it chases as a set of two words; only chariots that a horse pins, if `pinned`."""
    cells, uncrossed = board.cells, board.uncrossed
    horses, horse_legs = board.horse_table
    reaches, safe, legal, checked = movement.reaches, movement.safe, movement.legal, movement.checked

    @rule
    def moved(before, after):
        origin, target = 0, 0
        for square in range(cells):
            if before.board[square] != after.board[square]:
                if after.board[square] == 0:
                    origin = square
                else:
                    target = square
        return origin, target

    @rule
    def protected(s, square, side):  # whether a side could legally take back there
        for origin in range(cells):
            if legal(s, side, origin, square):
                return True
        return False

    @rule
    def threatens(s, attacker, victim, careful):  # `careful`: with regard to the safety of the attacker's king
        hunter, prey = 0 + s.board[attacker], 0 + s.board[victim]
        kind, quarry, side = hunter & 7, prey & 7, hunter >> 3
        if not reaches(s, attacker, victim) or (careful and not safe(s, side, attacker, victim)):
            return False
        if kind in (HORSE, CANNON) and quarry == CHARIOT:
            return True
        if kind in (ADVISOR, ELEPHANT) and quarry in (CHARIOT, HORSE, CANNON):
            return True
        if kind == quarry and legal(s, 1 - side, victim, attacker):
            return False
        attempt(s, attacker, victim)
        kept = not protected(s, victim, 1 - side)
        take_back(s, attacker, victim, prey)
        return kept

    @rule
    def pins(s, square, side):  # whether a side's horse would give check if it were not for what stands on this square
        king = 0 + s.kings[1 - side]
        for i in range(8 * king, 8 * king + 8):
            if int(horse_legs[i]) == square and s.board[int(horses[i])] == HORSE + 8 * side:
                return True
        return False

    @rule
    def quarry(piece, square, side):  # whether what stands there is something that this side may not chase for ever
        kind = piece & 7
        if piece == 0 or piece >> 3 == side or kind == KING:
            return False
        return kind != SOLDIER or not uncrossed[cells * (1 - side) + square]

    @rule
    def chased(before, after, origin, target, pinned):
        side = 0 + before.turn
        careful = not checked(before, side)
        low, high = 0, 0
        for victim in range(cells):
            prey = 0 + after.board[victim]
            if quarry(prey, victim, side) and (not pinned or (prey & 7 == CHARIOT and pins(after, victim, side))):
                for hunter in range(cells):
                    piece = 0 + after.board[hunter]
                    kind = piece & 7
                    if piece != 0 and piece >> 3 == side and kind != KING and kind != SOLDIER:
                        earlier = origin if hunter == target else hunter
                        old = threatens(before, earlier, victim, careful)
                        if not old and threatens(after, hunter, victim, True):
                            if victim < HALF:
                                low |= 1 << victim
                            else:
                                high |= 1 << (victim - HALF)
                            break
        return low, high

    return moved, chased


def _perpetual_check(movement: Movement) -> Rule:
    checked = movement.checked

    @rule
    def perpetual_check(path, begin, end, side):  # whether every move of a side gives check
        for ply in range(begin, end):
            if path[ply].turn == side and not checked(path[ply + 1], 1 - side):
                return False
        return True

    return perpetual_check


@rule
def _against(first: Any, second: Any) -> Any:
    """The score where one side offends, or both, or none."""
    if first == second:
        return DRAW
    return -1 if first else 1


@rule
def sentence(first_checks: Any, second_checks: Any, first_attacks: Any, second_attacks: Any) -> Any:
    """The score by the Chinese rules where each side gave check with every move, or made no idle one: who only checks
    is judged first."""
    if first_checks or second_checks:
        return _against(first_checks, second_checks)
    return _against(first_attacks, second_attacks)


def _asian(board: Board, movement: Movement) -> Rule:
    checked = movement.checked
    moved, chased = _chasing(board, movement)
    perpetual_check = _perpetual_check(movement)

    @rule
    def hunts(path, begin, end, side, pinned):  # whether one and the same piece is chased by every move of a side
        low, high = -1, -1
        for ply in range(begin, end):
            origin, target = moved(path[ply], path[ply + 1])
            if path[ply].turn == side:
                if checked(path[ply + 1], 1 - side):
                    return False
                near, far = chased(path[ply], path[ply + 1], origin, target, pinned)
                low &= near
                high &= far
                if low == 0 and high == 0:
                    return False
            else:  # those that are followed may move
                held = (low >> origin) & 1 if origin < HALF else (high >> (origin - HALF)) & 1
                if origin < HALF:
                    low &= ~(1 << origin)
                else:
                    high &= ~(1 << (origin - HALF))
                if target < HALF:
                    low |= held << target
                else:
                    high |= held << (target - HALF)
        return True

    @rule
    def asian(path, earliest, latest, end):
        first, second = perpetual_check(path, earliest, end, 0), perpetual_check(path, earliest, end, 1)
        if first or second:
            return _against(first, second)
        first, second = hunts(path, earliest, end, 0, True), hunts(path, earliest, end, 1, True)
        if first != second:
            return _against(first, second)
        return _against(hunts(path, earliest, end, 0, False), hunts(path, earliest, end, 1, False))

    return asian


def _chinese(board: Board, movement: Movement) -> Rule:
    label = labels(board, movement)
    perpetual_check = _perpetual_check(movement)

    @rule
    def attacks(path, begin, end, side):  # whether a side makes no idle move
        for ply in range(begin, end):
            if path[ply].turn == side and label(path[ply], path[ply + 1]) == IDLE:
                return False
        return True

    @rule
    def chinese(path, earliest, latest, end):
        first, second = perpetual_check(path, earliest, end, 0), perpetual_check(path, earliest, end, 1)
        return sentence(first, second, attacks(path, earliest, end, 0), attacks(path, earliest, end, 1))

    return chinese


def labels(board: Board, movement: Movement) -> Rule:
    """The rule `label(before, after)`: what a move is by the Chinese rules, a check (1), a kill (2), a chase (3) or
    idle (0)."""
    cells = board.cells
    legal, checked, movable = movement.legal, movement.checked, movement.movable
    moved, chased = _chasing(board, movement)

    @rule
    def mates(s, side, origin, target):  # whether a legal move of a side gives check and leaves no reply
        taken = attempt(s, origin, target)
        mate = checked(s, 1 - side) and not movable(s, 1 - side)
        take_back(s, origin, target, taken)
        return mate

    @rule
    def threatens_mate(s, side):
        for origin in range(cells):
            if s.board[origin] != 0 and s.board[origin] >> 3 == side:
                for target in range(cells):
                    if legal(s, side, origin, target) and mates(s, side, origin, target):
                        return True
        return False

    @rule
    def label(before, after):
        side = 0 + before.turn
        if checked(after, 1 - side):
            return CHECK
        if threatens_mate(after, side):
            return KILL
        origin, target = moved(before, after)
        near, far = chased(before, after, origin, target, False)
        return CHASE if near != 0 or far != 0 else IDLE

    return label
