"""Go: place stones, take what has no liberty left, hold the larger part of the board.

Black begins. A stone is placed on an empty point; the opponent's chains that it leaves without a liberty are taken off,
then, if its own has none, that one (*suicide*, which is not allowed unless the parameter says so). A player may pass;
two passes in a row end the game.

`scoring="area"`: a player has a point for each of their stones and each empty point from which only their stones can
be reached. `scoring="territory"`: for each such empty point and each stone taken. All stones that stand there at the
end count as alive: dead ones have to be taken, which by territory costs points. That is all; Japanese rules about
special shapes are not in it. The score is Black's points less White's and less `komi`.

`ko="simple"`: a stone that just took one stone may not be taken back at once; play that comes back to a position, with
the same player to move, is a draw, as no superko forbids it. `ko="positional"`: no stone may be placed so that a board
comes about that stood before, whoever was to move. `ko="situational"`: the same, with the same player to move. To pass
is always allowed.

Boards of up to 64 points hold the stones of a colour in one word (`small`), larger ones a byte for each point
(`large`). The two sub-games are about a chain that the position marks (`capture`).
"""

from __future__ import annotations

from typing import Any

from zermelo.games.go.capture import kill, ladder
from zermelo.games.go.large import large_board
from zermelo.games.go.life import bounds_by_life
from zermelo.games.go.notation import Notation
from zermelo.games.go.sense import sense
from zermelo.games.go.small import small_board, symmetry_of
from zermelo.rules import ONGOING, Game, Unsuitable, rule, u64
from zermelo.rules.hashing import mix

KO = ("simple", "positional", "situational")
SCORING = ("area", "territory")
LARGEST = 19
_ONE_WORD = 64
_PRISONERS = 3
"""The lead in prisoners that counts at most, for each point of the board."""


def go(
    rows: int = 5,
    cols: int = 5,
    komi: float = 0,
    ko: str = "simple",
    suicide: bool = False,
    scoring: str = "area",
) -> Game:
    """Surround more of the board than the opponent; chains without a liberty are taken."""
    if not (1 <= rows <= LARGEST and 1 <= cols <= LARGEST):
        raise Unsuitable(f"go: rows and cols are from 1 to {LARGEST}, not {rows} and {cols}")
    if ko not in KO:
        raise Unsuitable(f"go: ko is {', '.join(KO[:-1])} or {KO[-1]}, not {ko!r}")
    if scoring not in SCORING:
        raise Unsuitable(f"go: scoring is {' or '.join(SCORING)}, not {scoring!r}")
    cells = rows * cols
    if not float(2 * komi).is_integer() or abs(komi) >= cells:
        raise Unsuitable(f"go: komi is a whole number or a half of one, less than the {cells} points, not {komi}")
    territory, small, superko = scoring == "territory", cells <= _ONE_WORD, ko != "simple"
    points: float = int(komi) if float(komi).is_integer() else komi
    most_prisoners = _PRISONERS * cells
    most = cells + most_prisoners if territory else cells
    make_board = small_board if small else large_board
    board = make_board(rows, cols, suicide, territory, most_prisoners)
    margin, board_key = board.margin, board.board_key

    @rule
    def result(s):
        if s.passes < 2:
            return ONGOING
        return margin(s) - points

    hooks: dict[str, Any] = {}
    if superko:
        situational = ko == "situational"

        @rule
        def loop_key(s):
            return mix(board_key(s), u64(s.turn & 1)) if situational else board_key(s)

        @rule
        def repeatable(s):  # a pass may leave the board as it is
            return s.passes > 0

        hooks = {"repetition": "forbidden", "loop_key": loop_key, "repeatable": repeatable}
    elif territory:

        @rule
        def loop_key(s):  # prisoners only ever add up
            return mix(board_key(s), u64((s.turn & 1) | (s.passes & 3) << 1 | (s.ko & 1023) << 3))

        hooks = {"repetition": "draw", "loop_key": loop_key}
    else:
        hooks = {"repetition": "draw"}
    if small and not territory and not suicide:
        hooks["bounds"] = bounds_by_life(rows, cols, points, superko)
    if small:
        hooks["symmetry"] = symmetry_of(rows, cols)
    subgames = {"ladder": ladder(board, rows, cols)}
    if small:
        subgames["kill"] = kill(board, rows, cols, suicide)
    helpful = sense(board, rows, cols, points, most - abs(points))
    written = Notation(board, rows, cols)
    return Game(
        name="go",
        State=board.State,
        start=board.State(),
        moves=board.moves,
        play=board.play,
        result=result,
        max_moves=cells + 1,
        max_plies=max(200, 3 * cells + 40),
        values=(-most - points, most - points),
        alternating=True,
        key=board.key,
        policy=helpful.policy,
        order=helpful.order,
        evaluate=helpful.evaluate,
        subgames=subgames,
        move_text=written.move_text,
        position_text=written.position_text,
        read_position=written.read_position,
        draw=written.draw,
        **hooks,
    )
