"""Monte-Carlo tree search: simulations a second, ours and OpenSpiel's MCTSBot in C++, in turn, on the same positions
under the same rules; random games to the end, no solver in theirs. And a game written in Python: ours against
OpenSpiel's bot on the game that OpenSpiel defines in Python. Needs the extra `openspiel`."""

from __future__ import annotations

import time
from collections.abc import Callable

import pyspiel
from open_spiel.python.games import tic_tac_toe as _python_tic_tac_toe  # noqa: F401  it registers the game

from common import table
from zermelo import Limits, games, request
from zermelo.rules import CHANCE, Game

ROUNDS = 5
SETTINGS: tuple[tuple[str, Game, str, int, int], ...] = (  # our game, theirs, and how many simulations each makes
    ("Connect Four", games.connect_four(), "connect_four", 200_000, 20_000),
    ("Othello", games.othello(), "othello", 50_000, 1_000),
    ("EinStein", games.einstein(), "einstein_wurfelt_nicht", 200_000, 20_000),
    ("dark chess", games.dark_chess(quiet_plies=50, repetitions=0), "banqi", 10_000, 1_000),
    ("tic-tac-toe, theirs in Python", games.tic_tac_toe(), "python_tic_tac_toe", 200_000, 2_000),
)


def theirs(name: str, simulations: int) -> Callable[[], float]:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 7), 2.0, simulations, 1000, False, 42, False)

    def run() -> int:
        bot.mcts_search(state)
        return simulations

    return lambda: _rate(run)


def ours(game: Game, simulations: int, settings: str) -> Callable[[], float]:
    position = game.position()
    while position.turn == CHANCE:
        position = position.play(position.codes[0])
    text = f"mcts(seed=1, mode=compiled, playouts={simulations}, playout=light{settings})"
    told = request(text, game, "search")
    told.open(game).prepare("search")

    def rate() -> float:
        with told.open(game) as session:
            session.prepare("search")
            return _rate(lambda: int(session.search(position, Limits(seconds=1000)).details["playouts"]))

    return rate


def _rate(run: Callable[[], int]) -> float:
    """By the processor's clock, for the machine may have other work; a proof may end a search early."""
    began = time.process_time()
    simulations = run()
    return simulations / (time.process_time() - began)


def main() -> None:
    rows = []
    for name, game, known_as, many, few in SETTINGS:
        plain = ", solver=off, knowledge=off, graph=off"
        sides = [ours(game, many, ""), ours(game, many, plain), theirs(known_as, few)]
        rates = [[side() for side in sides] for _ in range(ROUNDS)]
        best = [max(column) for column in zip(*rates, strict=True)]
        rows.append([name, *best, best[0] / best[2], best[1] / best[2]])
    table(
        "Simulations a second, one core",
        ["", "ours", "plain UCT, ours", "OpenSpiel's MCTSBot", "ratio", "ratio, plain"],
        rows,
    )


if __name__ == "__main__":
    main()
