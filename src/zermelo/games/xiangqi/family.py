"""A game of the xiangqi family put together from a board, a loop rule and a clock."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games.xiangqi.board import CANNON, CHARIOT, HALF, HORSE, KING, Board
from zermelo.games.xiangqi.evaluation import UNIT, evaluation
from zermelo.games.xiangqi.loops import LOOPS, judge
from zermelo.games.xiangqi.movement import movement, sets_of
from zermelo.games.xiangqi.notation import fen, move_text, picture, read_fen, read_move, refuse_capture_of_king
from zermelo.rules import (
    DRAW,
    ONGOING,
    Game,
    Grid,
    Struct,
    Subgame,
    Unsuitable,
    i16,
    i64,
    rule,
    struct,
    u8,
    u16,
    u64,
)
from zermelo.rules.hashing import mix
from zermelo.rules.position import legal_moves

_LONGEST = 4096
"""How far a search may look ahead, the moves before it included: with the usual clock, 30 captures and 120 plies before
each and after the last make 3,720."""
_QUIETEST = 1024


def xiangqi_on(board: Board, loops: str, quiet_plies: int, max_moves: int) -> Game:
    """The game on this board.

    The state holds the squares with one that is always empty; the squares of each side's pieces as sets of bits, Red's
    low and high ones first; the kings; the plies since the last capture; what the pieces are worth on their squares, in
    Red's favour; and a hash of pieces and turn (Zobrist 1970, "A new hashing method with application for game
    playing").
    """
    if loops not in LOOPS:
        raise Unsuitable(f"{board.name}: loops is {', '.join(LOOPS)}, not {loops!r}")
    if not 0 <= quiet_plies <= _QUIETEST:
        raise Unsuitable(f"{board.name}: quiet_plies is from 0 (no such rule) to {_QUIETEST}, not {quiet_plies}")
    cells = board.cells
    State = struct(hash=u64, pieces=(i64, 4), score=i16, clock=u16, board=(u8, cells + 1), kings=(u8, 2), turn=u8)
    ways = movement(board)
    eyes = evaluation(board, ways)
    placed, is_checked, movable = eyes.placed, ways.checked, ways.movable
    words = np.random.default_rng(20261118).integers(0, 2**64 - 1, 16 * cells + 1, dtype=np.uint64)
    turn_word = u64(words[16 * cells])

    @rule
    def lift(s, square):  # takes a piece off the board
        piece = 0 + s.board[square]
        s.board[square] = 0
        half = 1 if square >= HALF else 0
        s.pieces[2 * (piece >> 3) + half] ^= 1 << (square - HALF * half)
        s.hash ^= words[cells * piece + square]
        s.score -= int(placed[cells * piece + square])
        return piece

    @rule
    def put(s, piece, square):
        s.board[square] = piece
        half = 1 if square >= HALF else 0
        s.pieces[2 * (piece >> 3) + half] ^= 1 << (square - HALF * half)
        s.hash ^= words[cells * piece + square]
        s.score += int(placed[cells * piece + square])
        if piece & 7 == KING:
            s.kings[piece >> 3] = square

    @rule
    def play(s, move):
        origin, target = move >> 7, move & 127
        s.clock += 1
        if s.board[target] != 0:
            lift(s, target)
            s.clock = 0
        put(s, lift(s, origin), target)
        s.hash ^= turn_word
        s.turn = 1 - s.turn

    @rule
    def stuck(s):  # mate or stalemate: who cannot move has lost
        return 2 * s.turn - 1

    @rule
    def result(s):
        if quiet_plies == 0 or s.clock < quiet_plies:
            return ONGOING
        return DRAW if movable(s, 0 + s.turn) else stuck(s)

    @rule
    def key(s):  # how many plies are left matters to the rest of the game
        return mix(s.hash, u64(s.clock)) if quiet_plies > 0 else s.hash

    @rule
    def loop_key(s):
        return s.hash

    @rule
    def reversible(s):  # what was captured does not come back
        return 0 + s.clock

    @rule
    def checked(s):
        return is_checked(s, 0 + s.turn)

    @rule
    def skip(s):
        s.hash ^= turn_word
        s.turn = 1 - s.turn
        s.clock = 0  # no loop goes back beyond a move that was not made
        for square in range(cells):
            piece = 0 + s.board[square]
            if piece >> 3 == 1 - s.turn and piece & 7 in (CHARIOT, HORSE, CANNON):
                return True
        return False  # with soldiers and defenders alone, having to move may be a burden

    def state(pieces: list[int], turn: int, clock: int) -> Struct:
        made = State(
            board=[*pieces, 0],
            pieces=sets_of(pieces),
            kings=[pieces.index(KING), pieces.index(KING + 8)],
            score=sum(int(placed[cells * piece + square]) for square, piece in enumerate(pieces) if piece),
            turn=turn,
            clock=clock,
        )
        hashed = int(turn_word) if turn else 0
        for square, piece in enumerate(pieces):
            hashed ^= int(words[cells * piece + square]) if piece else 0
        made.hash = u64(hashed)  # type: ignore[attr-defined]
        return made

    def read_position(text: str) -> Struct | None:
        if "/" not in text:  # no move is written with this
            return None
        pieces, turn, clock = read_fen(board, text)
        made = state(pieces, turn, clock)
        if is_checked(made, 1 - turn):
            raise refuse_capture_of_king(board, pieces, turn, text)
        return made

    def draw(s: Any) -> Grid:
        mover = ("Red, capitals,", "Black, small letters,")[s.turn]
        check = " and is in check" if checked(s) else ""
        return picture(board, s, f"{mover} to move{check}")

    start = read_position(board.start)
    assert start is not None
    game = Game(
        name=board.name,
        State=State,
        start=start,
        moves=ways.moves,
        play=play,
        result=result,
        stuck=stuck,
        max_moves=max_moves,
        max_plies=_LONGEST,
        alternating=True,
        repetition=judge(loops, board, ways),
        folds=3,
        key=key,
        loop_key=loop_key,
        reversible=reversible,
        evaluate=eyes.evaluate,
        order=eyes.order,
        unit=UNIT,
        loud=ways.loud,
        checked=checked,
        skip=skip,
        exchange=eyes.exchange,
        subgames={"mate": Subgame(attack=ways.checks)},
        move_text=lambda s, move: move_text(board, move),
        read_move=lambda s, text: read_move(board, s, legal_moves(game, s), text),
        position_text=lambda s: fen(board, s),
        read_position=read_position,
        draw=draw,
    )
    return game
