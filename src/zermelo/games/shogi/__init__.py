"""Shogi: chess in which captured pieces change sides and come back as drops.

Pieces promote when they move from, to or within the last three rows; those that could never move again must. A player
may not have two pawns on a file by dropping one, nor mate by dropping a pawn, nor drop a piece where it could never
move. Who has no legal move, mated or not, has lost. A position that stands for the fourth time, with the same hands and
the same player to move, is a draw; but if one player has given check with every move between the first and the fourth
time, that player has lost. Impasse (entering kings) is not judged.

The board has a border (see `board`). `hands` counts what each side holds, a byte for each kind. The rest follows from
these and is kept while moves are played: `kings` are their squares, 0 for a side without one, as the attacker in a
problem; `own` are the squares of a side's pieces, two words each, `pawns` the files with its pawns; `hash` is of the
board and the turn, `balance` what it is all worth. Texts are SFEN and USI (see `notation`). The sub-game `mate` is
tsume shogi: mate by checks alone.
"""

from __future__ import annotations

from typing import Any

from zermelo.games.shogi.attacks import attacks
from zermelo.games.shogi.board import KING, PAWN, SECOND, Board, board_for
from zermelo.games.shogi.mate import mate
from zermelo.games.shogi.moves import move_rules, play_rule
from zermelo.games.shogi.notation import Notation
from zermelo.games.shogi.worth import SCALE, worths
from zermelo.rules import ONGOING, Game, Struct, i32, rule, struct, u8, u16, u64, wrapping

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
_FACTORS = (0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3)
"""Odd numbers by which what is in hand is spread over a key."""


def shogi() -> Game:
    """Japanese chess: captured pieces come back as drops."""
    #                    P  L  N  S  G  B  R
    board = board_for(9, 3, (0, 18, 4, 4, 4, 4, 2, 2))
    return shogi_on(board, "shogi", START, max_moves=593, repeated=0)


def shogi_on(board: Board, name: str, start: str, max_moves: int, repeated: int) -> Game:
    """The game on a board, from a position on. `repeated`: the first player's score where a position stands for the
    fourth time and nobody gave check all the time."""
    State = struct(
        hash=u64, hands=(u64, 2), own=(u64, 4), balance=i32, pawns=(u16, 2), board=(u8, board.cells), kings=(u8, 2),
        turn=u8,
    )  # fmt: skip
    sight = attacks(board)
    worth = worths(board)
    listing = move_rules(board, sight)
    attacked, turn_key = sight.attacked, board.turn_key
    first_factor, second_factor, last_factor, half = (*(u64(factor) for factor in _FACTORS), u64(32))

    @rule
    def checked(s):
        king = int(s.kings[s.turn])
        return king != 0 and attacked(s, king, 1 - int(s.turn))

    @rule
    def skip(s):
        s.turn = 1 - int(s.turn)
        s.hash ^= turn_key
        return True

    @rule
    def result(s):
        return ONGOING

    @rule
    def stuck(s):
        return -1 if s.turn == 0 else 1

    @rule
    def key(s):
        held = s.hands[0] * first_factor + s.hands[1] * second_factor
        return s.hash ^ ((held ^ (held >> half)) * last_factor)

    @rule
    def repetition(path, earliest, latest, end):
        waiting_checks, moving_checks = True, True  # whether all moves of who is not, and of who is to move, gave check
        for ply in range(earliest + 1, end + 1):
            if not checked(path[ply]):
                if (end - ply) % 2 == 0:
                    waiting_checks = False
                else:
                    moving_checks = False
        if waiting_checks == moving_checks:
            return repeated
        to_move_wins = 1 if path[end].turn == 0 else -1
        return to_move_wins if waiting_checks else -to_move_wins

    build = _builder(board, State, worth)
    notation = Notation(board, start, build, attacked)
    first = notation.read_position(start)
    return Game(
        name=name,
        State=State,
        start=first,
        moves=listing.moves,
        play=play_rule(board, worth.on, worth.kept),
        result=result,
        stuck=stuck,
        max_moves=max_moves,
        max_plies=4096,
        alternating=True,
        repetition=repetition,
        folds=4,
        key=key,
        evaluate=worth.evaluate,
        unit=1 / SCALE,
        order=worth.order,
        loud=listing.loud,
        checked=checked,
        skip=skip,
        exchange=worth.exchange,
        subgames={"mate": mate(board, sight, listing)},
        move_text=notation.move_text,
        position_text=notation.position_text,
        read_position=notation.read_position,
        draw=notation.draw,
    )


def _builder(board: Board, State: type[Struct], worth: Any) -> Any:
    """`build(squares, hands, turn)`: the state of a position, with what follows from it."""

    @wrapping
    def build(squares: list[int], hands: list[int], turn: int) -> Struct:
        key, balance, kings, held, pawns, own = u64(0), 0, [0, 0], [0, 0], [0, 0], [0] * 4
        for square in board.squares:
            piece = squares[square]
            if piece:
                key ^= board.piece_keys[board.cells * piece + square]
                balance += worth.on(piece, square)
                own[2 * (piece // SECOND) + square // 64] |= 1 << square % 64
            if piece & 15 == KING:
                kings[piece // SECOND] = square
            if piece & 15 == PAWN:
                pawns[piece // SECOND] |= 1 << square % board.stride
        for side in (0, 1):
            for kind in board.kinds:
                held[side] |= hands[8 * side + kind] << 8 * kind
                balance += hands[8 * side + kind] * worth.kept(kind, side)
        if turn:
            key ^= board.turn_key
        return State(
            hash=key, hands=held, own=own, balance=balance, pawns=pawns, board=squares, kings=kings, turn=turn
        )  # fmt: skip

    return build
