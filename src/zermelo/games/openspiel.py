"""Any two-player zero-sum game of perfect information that OpenSpiel has, dice included.

`openspiel(game="connect_four(rows=4,columns=4)")`: the text is OpenSpiel's own. States are OpenSpiel's state
objects themselves and the rules are its methods, so that a node costs what it costs there; such a game runs
interpreted. A position is written as the texts of its moves, which may hold blanks and commas here.

A key is a hash of the state's text, the player to move and the number of moves so far. That is enough only
where these settle the rest of the game, so only the games in TELLING have one, and the others are searched
without a table. Left out are the games where the path counts (repetition, ko, moves without a capture: chess,
shogi, xiangqi, go, checkers, oware, banqi, …), and those whose text is silent about something: a piece
picked up (amazons, chinese_checkers), the dice (einstein_wurfelt_nicht, yacht), the turns so far (pig, maedn,
backgammon), in some versions the board to play on (ultimate_tic_tac_toe).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from zermelo.rules import CHANCE, ONGOING, Game, PositionError, TextDrawing, UnknownName, Unsuitable, nearest, rule

TELLING = (
    "breakthrough", "clobber", "connect_four", "dots_and_boxes", "gomoku", "havannah", "hex", "mancala",
    "mnk", "nim", "nine_mens_morris", "othello", "pentago", "quoridor", "tic_tac_toe", "y",
)  # fmt: skip
ALTERNATING = (
    "breakthrough", "clobber", "connect_four", "gomoku", "havannah", "hex", "mnk", "nim", "tic_tac_toe", "y",
)  # fmt: skip
"""Games in which no one ever moves twice in a row: their searches need not ask whose turn it is."""
_MASK = (1 << 64) - 1
_TURNS = (0, 1, 0, 0, 0, CHANCE)  # by OpenSpiel's number, counted from the end if negative: chance is -1


def openspiel(game: str) -> Game:
    """A game of OpenSpiel, named as there, parameters in brackets."""
    spiel = load_game(game)
    text = _move_text

    @rule
    def result(s: Any) -> Any:
        return s.player_return(0) if s.is_terminal() else ONGOING

    @rule
    def turn(s: Any) -> Any:
        return _TURNS[s.current_player()]

    def key(s: Any) -> int:
        return hash((str(s), s.current_player(), s.move_number())) & _MASK

    def position_text(s: Any) -> str:
        state, texts = spiel.new_initial_state(), []
        for move in s.history():
            texts.append(text(state, move))
            state.apply_action(move)
        return " ".join(texts)

    def read_position(written: str) -> Any:
        state, rest = spiel.new_initial_state(), " ".join(written.split())
        while rest:
            moves = {text(state, move): move for move in state.legal_actions()}
            fitting = [t for t in moves if rest.startswith(t) and rest[len(t) : len(t) + 1] in ("", " ", ",")]
            if not fitting:
                legal, number = ", ".join(list(moves)[:12]), len(state.history()) + 1
                advice = f"legal: {legal}" if legal else "the game is over"
                raise PositionError(f"move {number}: no legal move reads {rest!r}; {advice}")
            found = max(fitting, key=len)
            state.apply_action(moves[found])
            rest = rest[len(found) :].lstrip(", ")
        return state

    start = spiel.new_initial_state()
    low, high = spiel.min_utility(), spiel.max_utility()
    has_chance = spiel.max_chance_outcomes() > 0
    tosses = spiel.max_chance_nodes_in_history() if has_chance else 0
    return Game(
        name="openspiel",
        State=None,
        start=start,
        moves=type(start).legal_actions,
        play=type(start).child,
        result=result,
        turn=turn,
        weight=_weight() if has_chance else None,
        max_moves=max(1, spiel.num_distinct_actions(), spiel.max_chance_outcomes()),
        max_plies=max(1, spiel.max_game_length() + tosses),
        values=(int(low), int(high)) if low.is_integer() and high.is_integer() else (low, high),
        key=key if spiel.get_type().short_name in TELLING else None,
        alternating=spiel.get_type().short_name in ALTERNATING,
        move_text=text,
        position_text=position_text,
        read_position=read_position,
        draw=lambda s: TextDrawing(str(s)),
    )


def _move_text(s: Any, move: int) -> str:
    return " ".join(s.action_to_string(s.current_player(), move).split())


def _weight() -> Callable[[Any, int], int]:
    """The rule that turns OpenSpiel's probabilities into whole numbers, those of the latest state kept."""
    latest: tuple[Any, dict[int, int]] = (None, {})

    def weight(s: Any, outcome: int) -> int:
        nonlocal latest
        state, weights = latest
        if state is not s:
            exact = {move: Fraction(p).limit_denominator(10**9) for move, p in s.chance_outcomes()}
            scale = lcm(*(p.denominator for p in exact.values()))
            weights = {move: int(p * scale) for move, p in exact.items()}
            latest = (s, weights)
        return weights[outcome]

    return weight


def load_game(text: str) -> Any:
    """OpenSpiel's game, or one sentence on why it cannot be had or be searched."""
    try:
        import pyspiel
    except ModuleNotFoundError:
        raise Unsuitable('openspiel needs the package open_spiel: pip install "zermelo[openspiel]"') from None
    text = text.strip()
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names():
        raise UnknownName(f"OpenSpiel has no game {name}: {nearest(name, pyspiel.registered_names())}")
    if "(" in text and not text.endswith(")"):
        raise Unsuitable(f"{text}: the closing bracket is missing")
    types = {kind.short_name: kind for kind in pyspiel.registered_games()}
    _check_parameters(name, pyspiel.game_parameters_from_string(text), types[name].parameter_specification)
    try:
        game = pyspiel.load_game(text)
        game.new_initial_state()  # only now some games look at their parameters
    except (pyspiel.SpielError, ArithmeticError, LookupError, RuntimeError, ValueError) as refused:
        raise Unsuitable(f"OpenSpiel refuses {text}: {str(refused).splitlines()[0]}") from None
    kind = game.get_type()
    flaws = [
        (game.num_players() == 2, f"is for {game.num_players()} players, not two"),
        (kind.dynamics == kind.Dynamics.SEQUENTIAL, "has simultaneous moves"),
        (kind.information == kind.Information.PERFECT_INFORMATION, "hides information from the players"),
        (_is_zero_sum(game, kind), "is not zero-sum"),
        (kind.chance_mode != kind.ChanceMode.SAMPLED_STOCHASTIC, "does not list the outcomes of its dice"),
    ]
    for fine, flaw in flaws:
        if not fine:
            raise Unsuitable(
                f"{name} {flaw}: Zermelo takes two-player zero-sum games in turns with nothing hidden"
            )
    return game


def needs_no_file(name: str) -> bool:
    """Whether OpenSpiel makes a game from its name alone: those that open files hide information or want options."""
    try:
        import pyspiel
    except ModuleNotFoundError:
        return True  # and nothing will be made
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    kind = kinds.get(name)
    return kind is None or (kind.information == kind.Information.PERFECT_INFORMATION and kind.default_loadable)


def _is_zero_sum(game: Any, kind: Any) -> bool:
    constant = kind.utility in (kind.Utility.ZERO_SUM, kind.Utility.CONSTANT_SUM)
    return constant and game.utility_sum() == 0


def _check_parameters(name: str, given: dict[str, Any], known: dict[str, Any]) -> None:
    """What OpenSpiel would print an error about, or in the case of empty boards crash on."""
    for parameter, value in given.items():
        if parameter == "name":
            continue
        if parameter not in known:
            raise UnknownName(f"{name} has no parameter {parameter}: {nearest(parameter, known)}")
        default = known[parameter]
        if type(value) is not type(default):
            raise Unsuitable(f"{name}: {parameter} must be of the kind of {default!r}, not {value!r}")
        if type(value) is int and value < 1 <= default:
            raise Unsuitable(f"{name}: {parameter} must be at least 1, not {value}")
