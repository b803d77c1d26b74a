"""Games that both Zermelo and OpenSpiel know: what OpenSpiel calls them, and which of its actions are which moves.

`twin(game)` gives the other game's text and start, and pairs actions with moves at any two positions that were reached
by the same moves. That the rules agree is shown by the tests of each game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.games.openspiel import load_game
from zermelo.rules import CHANCE, Game, Position, Unsuitable

Pairs = Callable[[Position, Any], dict[int, int]]
Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Twin:
    """text: the game as OpenSpiel loads it. pairs: its legal actions and the moves that they are; several may be one
    move. begin: takes its state to where ours begins."""

    text: str
    pairs: Pairs
    begin: Callable[[Any, Game], None] = lambda state, game: None

    def start(self, game: Game) -> Any:
        """OpenSpiel's state at the start of the game."""
        state = load_game(self.text).new_initial_state()
        self.begin(state, game)
        return state


def twin(game: Game) -> Twin:
    """OpenSpiel's version of a game; refused with one sentence if it has none."""
    if game.name == "openspiel":
        return Twin(str(game.parameters["game"]), _alike)
    if game.name not in TWINS:
        raise Unsuitable(f"OpenSpiel has no {game.name}: its players know {', '.join(TWINS)} and openspiel:NAME")
    return TWINS[game.name](game.parameters)


def _alike(position: Position, state: Any) -> dict[int, int]:
    """Where moves have the same numbers."""
    return {action: action for action in state.legal_actions()}


def _by_text(text: Callable[[Any, int], str]) -> Pairs:
    """Where an action can be written as we write the move."""

    def pairs(position: Position, state: Any) -> dict[int, int]:
        codes = {position.text_of(code): code for code in position.codes}
        named = {action: text(state, action) for action in state.legal_actions()}
        return {action: codes[name] for action, name in named.items() if name in codes}

    return pairs


def _only(name: str, given: Settings, **wanted: Any) -> None:
    """Refuse parameters that OpenSpiel's version does not have."""
    for key, value in wanted.items():
        if given[key] != value:
            raise Unsuitable(f"OpenSpiel plays {name} with {key}={value} only, not {key}={given[key]}")


def _tic_tac_toe(given: Settings) -> Twin:
    rows, cols, run = given["rows"], given["cols"], given["run"]
    return Twin("tic_tac_toe" if (rows, cols, run) == (3, 3, 3) else f"mnk(m={cols},n={rows},k={run})", _alike)


def _connect_four(given: Settings) -> Twin:
    return Twin(f"connect_four(rows={given['height']},columns={given['width']},x_in_row={given['run']})", _alike)


def _othello(given: Settings) -> Twin:
    _only("othello", given, rows=8, cols=8)
    return Twin("othello", _alike)


def _hex(given: Settings) -> Twin:
    return Twin(f"hex(board_size={given['size']})", _alike)


def _pig(given: Settings) -> Twin:
    return Twin(f"pig(winscore={given['goal']},diceoutcomes={given['sides']},horizon=100000)", _alike)


def _kalah(given: Settings) -> Twin:
    _only("kalah", given, pits=6, stones=4, empty_capture=False)
    return Twin("mancala", lambda position, state: {code + (1, 8)[position.turn]: code for code in position.codes})


def _breakthrough(given: Settings) -> Twin:
    width, height = given["width"], given["height"]
    _only("breakthrough", given, pawn_rows=2 if height >= 6 else 1)

    def text(state: Any, action: int) -> str:
        """There the first player starts at the top, and captures end in a star."""
        there = state.action_to_string(action)
        return f"{there[0]}{height + 1 - int(there[1])}{there[2]}{height + 1 - int(there[3])}"

    return Twin(f"breakthrough(rows={height},columns={width})", _by_text(text))


def _chess(given: Settings) -> Twin:
    _only("chess", given, board="standard", stalemate="draw", fifty=True, threefold=True, insufficient=True)

    def pairs(position: Position, state: Any) -> dict[int, int]:
        return {action: position.code_of(state.action_to_string(action)) for action in state.legal_actions()}

    return Twin("chess", pairs)


def _dark_chess(given: Settings) -> Twin:
    from zermelo.games._dark_chess_notation import FULL_SET, KINDS

    _only("dark-chess", given, rows=4, cols=8, pieces=FULL_SET)
    ours = dict(zip("GAERHCSgaerhcs", KINDS, strict=True))

    def text(state: Any, action: int) -> str:
        """`Reveal G` for what a piece turns out to be, squares as (row,column)."""
        there = state.action_to_string(action)
        if there.startswith("Reveal"):
            return ours[there[-1]]
        return "".join(f"{'abcdefgh'[int(c)]}{int(r) + 1}" for r, c in re.findall(r"(\d),(\d)", there))

    return Twin(f"banqi(max_no_progress={given['quiet_plies']})", _by_text(text))


# EinStein: there the board is turned by half, and the stones are laid out by two throws of the dice

_WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _standing(state: Any) -> dict[tuple[int, int], str]:
    """The stones by row and column, as b3 or w5."""
    lines = [re.findall(r"\|(..)\|", line) for line in str(state).splitlines()[:5]]
    return {(r, c): mark for r, line in enumerate(lines) for c, mark in enumerate(line) if mark != "__"}


def _einstein(given: Settings) -> Twin:
    _only("einstein", given, size=5, stones=6)

    def text(state: Any, action: int) -> str:
        """`roll 3`, and `W3-up` or `B2-diag*` for a stone and its way."""
        there = state.action_to_string(action)
        if state.is_chance_node():
            return str(there.removeprefix("roll "))
        found = re.fullmatch(r"([BW])(\d)-(\w+)\*?", there)
        assert found is not None
        colour, number, way = found.groups()
        r, c = next(cell for cell, mark in _standing(state).items() if mark == colour.lower() + number)
        down, right = _WAYS.get(way, (1, 1) if colour == "B" else (-1, -1))
        return "".join(f"{'edcba'[y]}{5 - x}" for x, y in ((r, c), (r + down, c + right)))

    def begin(state: Any, game: Game) -> None:
        rows = game.position().text().split()[0].split("/")
        wanted = {}
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                if mark != ".":
                    wanted[4 - r, 4 - c] = f"w{mark}" if mark.isdigit() else f"b{'.abcdef'.index(mark)}"
        for _ in range(2):
            state.apply_action(next(a for a in state.legal_actions() if _fits(state.child(a), wanted)))

    return Twin("einstein_wurfelt_nicht", _by_text(text), begin)


def _fits(state: Any, wanted: dict[tuple[int, int], str]) -> bool:
    return all(wanted.get(cell) == mark for cell, mark in _standing(state).items())


# Backgammon: there some moves have several numbers, so moves are paired by the boards after them

_BAR = 100
_SCORINGS = {"winloss": "winloss_scoring", "gammons": "enable_gammons", "backgammons": "full_scoring"}


def _backgammon(given: Settings) -> Twin:
    from zermelo.games.backgammon import count, places_of

    def theirs(state: Any) -> tuple[int, ...]:
        own, other = ([state.board(player, place) for place in range(24)] for player in (0, 1))
        points = [-state.board(1, _BAR), *(x - o for x, o in zip(own[::-1], other[::-1])), state.board(0, _BAR)]
        found = re.search(r"Scores, X: (\d+), O: (\d+)", str(state))
        assert found is not None
        return (*points, int(found[1]), int(found[2]))

    def rolled(state: Any, action: int) -> str:
        there = state.action_to_string(action)
        starter, dice = re.search(r"([XO]) starts", there), re.search(r"roll: (\d\d)", there)
        assert dice is not None
        return (starter[1] if starter else "") + "".join(sorted(dice[1], reverse=True))

    by_roll = _by_text(rolled)

    def pairs(position: Position, state: Any) -> dict[int, int]:
        if position.turn == CHANCE:
            return by_roll(position, state)
        boards = {}
        for code in position.codes:
            after = position.play(code).state
            boards[(*places_of(after), count(after, 0, 0), count(after, 1, 0))] = code  # type: ignore[no-untyped-call]
        after_each = {action: theirs(state.child(action)) for action in state.legal_actions()}
        return {action: boards[board] for action, board in after_each.items() if board in boards}

    return Twin(f"backgammon(scoring_type={_SCORINGS[given['scoring']]},max_player_turns=100000)", pairs)


TWINS: dict[str, Callable[[Settings], Twin]] = {
    "backgammon": _backgammon,
    "breakthrough": _breakthrough,
    "chess": _chess,
    "connect-four": _connect_four,
    "dark-chess": _dark_chess,
    "einstein": _einstein,
    "hex": _hex,
    "kalah": _kalah,
    "othello": _othello,
    "pig": _pig,
    "tic-tac-toe": _tic_tac_toe,
}
