"""Chess: the usual game, its rules one by one, and the same on smaller boards.

All of the FIDE laws that say where pieces go: castling, en passant, promotion. Who is in check and cannot move has
lost; who is not in check and cannot move has drawn, or lost if `stalemate` is `win`. `fifty`: after 100 plies without
a capture or a pawn's move the game is drawn, unless the last of them mates. `threefold`: a position that stands for the
third time draws; off, one that stands for the second time does, which suits solving. `insufficient`: the game is drawn
at once where no play at all could mate (king against king, with one minor piece, or with bishops on one colour of
squares); the other dead positions of the laws are not looked for.

`board` is `standard`, `gardner` (5 × 5), `los-alamos` (6 × 6), or the rows of another one from 3 × 3 to 8 × 8: see
`boards.py`. `material`, such as KPvK, is about one ending: the start is a position of it, all its positions are
numbered for endgame tables, plies are not counted, and a position that stands for the second time draws.

A position is a bit board for each kind of piece and for each side (see `playing.py`), with what is kept up to date
move by move: its hash, and what the pieces are worth where they stand.
"""

from __future__ import annotations

from zermelo.games.chess.attacks import BISHOP, KING, KNIGHT, ONE, ZERO, in_check
from zermelo.games.chess.boards import Board, board_for, unfold
from zermelo.games.chess.endings import endings
from zermelo.games.chess.evaluation import UNIT, evaluation
from zermelo.games.chess.exchanges import exchanges
from zermelo.games.chess.fen import Fen
from zermelo.games.chess.moves import generators
from zermelo.games.chess.playing import LIMIT, State, playing
from zermelo.games.chess.san import MOST_MOVES, read_san, uci_text
from zermelo.rules import DRAW, ONGOING, Game, Struct, Unsuitable, rule, u64
from zermelo.rules.hashing import mix
from zermelo.rules.language import Rule

STALEMATE = ("draw", "win")
LONGEST = 12_000
"""How far a search may look ahead, the moves before it included."""


def chess(
    board: str = "standard",
    stalemate: str = "draw",
    fifty: bool = True,
    threefold: bool = True,
    insufficient: bool = False,
    material: str = "",
) -> Game:
    """Check the king so that it cannot escape."""
    if stalemate not in STALEMATE:
        raise Unsuitable(f"chess: stalemate is a {' or a '.join(STALEMATE)}, for who stalemates, not {stalemate!r}")
    layout = board_for(board)
    clock = fifty and not material
    lists = generators(layout)
    acts = playing(layout, lists, clock)
    texts = Fen(layout, acts.place, lists.can_pass_by, clock)
    numbers = endings(layout, material, acts) if material else None
    estimates, trades = evaluation(layout), exchanges(layout, UNIT)
    has_move, stalemate_wins = lists.has_move, stalemate == "win"
    dead = _dead(stalemate_wins)

    @rule
    def stuck(s):
        if stalemate_wins or in_check(s):
            return 2 * s.turn - 1
        return DRAW

    @rule
    def result(s):
        if clock and s.clock >= LIMIT and has_move(s):  # mate goes before
            return DRAW
        if insufficient and dead(s):
            return DRAW
        return ONGOING

    @rule
    def bounds(s):
        return (DRAW, DRAW) if dead(s) else (-1, 1)

    @rule
    def key(s):  # how many plies are left to the draw matters to the rest of the game
        return mix(s.hash, u64(s.clock)) if clock else s.hash

    @rule
    def loop_key(s):
        return s.hash

    @rule
    def reversible(s):
        return int(s.clock)

    return Game(
        name="chess",
        State=State,
        start=numbers.start if numbers else _start(layout, texts),
        moves=lists.moves,
        play=acts.play,
        result=result,
        stuck=stuck,
        max_moves=MOST_MOVES,
        max_plies=LONGEST,
        repetition="draw",
        reversible=reversible if clock else None,
        folds=3 if threefold and not material else 2,
        alternating=True,
        key=key,
        loop_key=loop_key if clock else None,  # without a clock it is all of the position
        bounds=bounds,
        evaluate=estimates.evaluate,
        evaluations={"position": estimates.evaluate, "material": estimates.material},
        unit=UNIT,
        order=trades.order,
        loud=lists.loud,
        checked=in_check,
        skip=acts.skip,
        exchange=trades.exchange,
        index=numbers.index if numbers else None,
        unindex=numbers.unindex if numbers else None,
        tiers=(lambda: numbers.tiers) if numbers else None,
        move_text=lambda s, move: uci_text(move),
        read_move=lambda s, text: read_san(lists.moves, s, text),
        position_text=texts.write,
        read_position=lambda text: texts.read(text) if "/" in text else None,
        draw=texts.draw,
    )


def _start(board: Board, texts: Fen) -> Struct:
    """The start, with the castling rights of a standard board if king and rooks stand as there."""
    rows = [unfold(row) for row in board.placement.split("/")]
    return texts.read(f"{board.placement} w {texts.rights_of(rows) or '-'}")


def _dead(stalemate_wins: bool) -> Rule:
    """Whether nobody can mate (or, where that wins, stalemate), however both play."""
    light = u64(0x55AA55AA55AA55AA)

    @rule
    def dead(s):
        minor = s.kinds[KNIGHT] | s.kinds[BISHOP]
        if (s.sides[0] | s.sides[1]) & ~(minor | s.kinds[KING]) != ZERO:
            return False
        if minor & (minor - ONE) == ZERO:
            return minor == ZERO or not stalemate_wins
        if s.kinds[KNIGHT] != ZERO or stalemate_wins:
            return False
        return minor & light == ZERO or minor & ~light == ZERO

    return dead
