"""How the pieces move, who is in check, which moves are legal: the rules that both sizes share.

A move is `128 · from + to`. Moves are tried out on the board where they could matter to the own king, and taken back.
Most cannot: they neither leave nor enter a line of the king's on which an enemy stands that moves along lines, nor
uncover a horse (see `Board.exposing`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.games.xiangqi.board import CANNON, CHARIOT, HALF, HORSE, KING, SOLDIER, Board
from zermelo.rules import bit_index, rule, u64
from zermelo.rules.language import Rule


class Movement(NamedTuple):
    """The rules of one board that others build on. A side is 0 for Red, 1 for Black."""

    moves: Rule  # (s, out): writes the legal moves, returns how many
    loud: Rule  # (s, out): only those that capture
    checks: Rule  # (s, out): only those that give check
    movable: Rule  # (s, side): whether a side has a legal move
    checked: Rule  # (s, side): whether a side's king is attacked
    reaches: Rule  # (s, origin, target): whether the piece on origin gets to target in one move, whoever stands there
    safe: Rule  # (s, side, origin, target): whether that move leaves the own king safe
    legal: Rule  # (s, side, origin, target): whether it is a legal move of a side, were it to move


@rule
def attempt(s: Any, origin: Any, target: Any) -> Any:
    """Moves a piece on the board alone, to see what comes of it; what it captured is needed to take that back."""
    taken = 0 + s.board[target]
    s.board[target] = s.board[origin]
    s.board[origin] = 0
    return taken


@rule
def take_back(s: Any, origin: Any, target: Any, taken: Any) -> Any:
    s.board[origin] = s.board[target]
    s.board[target] = taken


def movement(board: Board) -> Movement:
    """The rules of movement on a board."""
    cells, cols = board.cells, board.cols
    starts = np.cumsum([0] + [len(steps) for steps in board.all_steps])
    step_targets = np.array([target for steps in board.all_steps for target, _ in steps], dtype=np.int64)
    step_legs = np.array([leg for steps in board.all_steps for _, leg in steps], dtype=np.int64)
    horses, horse_legs = board.horse_table
    legs, room, exposing = board.leg_table, board.room, board.exposing
    strides = np.array([1, -1, cols, -cols], dtype=np.int64)

    @rule
    def attacked(s, square, by):  # whether a side's pieces attack a square on which the other's king stands
        other = 8 * by
        behind = 2 + by  # soldiers do not come from there
        for way in range(4):
            at, screens = square, 0
            for distance in range(int(room[4 * square + way])):
                at += int(strides[way])
                piece = s.board[at]
                if piece != 0:
                    if screens == 1:
                        if piece == CANNON + other:
                            return True
                        break
                    if piece == CHARIOT + other or piece == KING + other:
                        return True
                    if distance == 0 and piece == SOLDIER + other and way != behind:
                        return True
                    screens = 1
        for i in range(8 * square, 8 * square + 8):
            if s.board[int(horses[i])] == HORSE + other and s.board[int(horse_legs[i])] == 0:
                return True
        return False

    @rule
    def checked(s, side):
        return attacked(s, 0 + s.kings[side], 1 - side)

    @rule
    def safe(s, side, origin, target):
        king = target if s.board[origin] & 7 == KING else 0 + s.kings[side]
        taken = attempt(s, origin, target)
        exposed = attacked(s, king, 1 - side)
        take_back(s, origin, target, taken)
        return not exposed

    @rule
    def dangers(s, king, by):  # of which of the ways in which squares lie to the king (see there) there is danger
        other, found = 8 * by, 0
        for way in range(4):
            at = king
            for _ in range(int(room[4 * king + way])):
                at += int(strides[way])
                piece = s.board[at]
                if piece == CHARIOT + other or piece == CANNON + other or piece == KING + other:
                    found |= 2 - way // 2
        for i in range(8 * king, 8 * king + 8):
            if s.board[int(horses[i])] == HORSE + other:
                found |= 4
        return found

    @rule
    def may(s, side, king, danger, wary, origin, target):  # as `safe`, at once where it is plain to see
        if not wary and int(exposing[cells * king + target]) & danger & 3 == 0:
            return True
        return safe(s, side, origin, target)

    def generator(quiet_too: bool) -> Rule:
        @rule
        def generate(s, out):
            side = 0 + s.turn
            king = 0 + s.kings[side]
            in_check = attacked(s, king, 1 - side)
            danger = dangers(s, king, 1 - side) if quiet_too else 7  # captures are few
            n = 0
            for half in range(2):
                pieces = 0 + s.pieces[2 * side + half]
                while pieces != 0:
                    origin = HALF * half + bit_index(u64(pieces))
                    pieces &= pieces - 1
                    piece = 0 + s.board[origin]
                    kind = piece & 7
                    wary = in_check or kind == KING or int(exposing[cells * king + origin]) & danger != 0
                    if kind in (CHARIOT, CANNON):
                        for way in range(4):
                            target, screens = origin, 0
                            for _ in range(int(room[4 * origin + way])):
                                target += int(strides[way])
                                other = 0 + s.board[target]
                                if other == 0:
                                    if quiet_too and screens == 0 and may(s, side, king, danger, wary, origin, target):
                                        out[n] = 128 * origin + target
                                        n += 1
                                elif kind == CANNON and screens == 0:
                                    screens = 1
                                else:
                                    if other >> 3 != side and may(s, side, king, danger, wary, origin, target):
                                        out[n] = 128 * origin + target
                                        n += 1
                                    break
                    else:
                        place = cells * piece + origin
                        for i in range(int(starts[place]), int(starts[place + 1])):
                            target = int(step_targets[i])
                            other = 0 + s.board[target]
                            wanted = quiet_too if other == 0 else other >> 3 != side
                            free = s.board[int(step_legs[i])] == 0
                            if wanted and free and may(s, side, king, danger, wary, origin, target):
                                out[n] = 128 * origin + target
                                n += 1
            return n

        return generate

    @rule
    def between(s, origin, target):  # how many pieces stand between two squares of a line; -1 if they are on none
        if origin // cols == target // cols:
            stride = 1 if target > origin else -1
        elif origin % cols == target % cols:
            stride = cols if target > origin else -cols
        else:
            return -1
        n = 0
        at = origin + stride
        while at != target:
            if s.board[at] != 0:
                n += 1
            at += stride
        return n

    @rule
    def reaches(s, origin, target):
        piece = 0 + s.board[origin]
        kind = piece & 7
        if kind == CHARIOT:
            return origin != target and between(s, origin, target) == 0
        if kind == CANNON:
            return origin != target and between(s, origin, target) == (1 if s.board[target] != 0 else 0)
        leg = int(legs[cells * (cells * piece + origin) + target])
        return leg != 0 and s.board[leg - 1] == 0

    @rule
    def legal(s, side, origin, target):
        piece, other = 0 + s.board[origin], 0 + s.board[target]
        if piece == 0 or piece >> 3 != side or (other != 0 and other >> 3 == side):
            return False
        return reaches(s, origin, target) and safe(s, side, origin, target)

    @rule
    def movable(s, side):
        for origin in range(cells):
            if s.board[origin] != 0 and s.board[origin] >> 3 == side:
                for target in range(cells):
                    if legal(s, side, origin, target):
                        return True
        return False

    moves = generator(quiet_too=True)

    @rule
    def checks(s, out):
        side = 0 + s.turn
        n = 0
        for i in range(moves(s, out)):
            move = out[i]
            origin, target = move >> 7, move & 127
            taken = attempt(s, origin, target)
            if checked(s, 1 - side):
                out[n] = move
                n += 1
            take_back(s, origin, target, taken)
        return n

    return Movement(moves, generator(quiet_too=False), checks, movable, checked, reaches, safe, legal)


def sets_of(board: list[int]) -> list[int]:
    """The squares of Red's pieces below and from `HALF` on, then of Black's, as bits."""
    sets = [0, 0, 0, 0]
    for square, piece in enumerate(board):
        if piece:
            sets[2 * (piece >> 3) + square // HALF] |= 1 << (square % HALF)
    return sets
