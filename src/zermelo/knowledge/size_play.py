"""What random play shows of a game: how many moves there are, how long games last, and what hooks decide at once.

Played in plain Python: some hundred games are enough for averages, and nothing has to be compiled for them.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from zermelo.compile.diagnosis import blaming, check_moves
from zermelo.compile.modes import Interpreted
from zermelo.rules import CHANCE, ONGOING, Position, wrapping

FEWEST, MOST = 8, 1000
"""How many games are played at least, whatever it takes, and at the most."""
LONGEST = 5000
"""The plies after which a game is given up, in which play went on and on."""
MOST_KEPT = 50_000
"""How many states are kept."""


@dataclass(frozen=True)
class RandomPlay:
    """Averages over `games` random games, of which `unfinished` were given up.

    moves: of a position where a player is to move, on average and at the most. plies: of a game, on average, with the
    error that 19 of 20 such averages keep to, and of the longest one. over and decided: the share of positions where
    play is over, and where the game's bounds show the outcome before. paths: the states that games went through.
    """

    games: int
    unfinished: int
    moves: float
    most_moves: int
    plies: float
    plies_error: float
    longest: int
    over: float
    decided: float
    paths: tuple[tuple[Any, ...], ...]

    def as_dict(self) -> dict[str, Any]:
        shown = ("games", "unfinished", "moves", "most_moves", "plies", "plies_error", "longest", "over", "decided")
        return {name: getattr(self, name) for name in shown}


@wrapping
def play_at_random(position: Position, seconds: float, seed: int | None = None) -> RandomPlay:
    """Games from a position, each move as likely as another and dice as they fall."""
    game, mode = position.game, Interpreted()
    player, until = _Player(position, mode, random.Random(seed)), time.perf_counter() + seconds
    lengths: list[int] = []
    paths: list[tuple[Any, ...]] = []
    with blaming(game):
        while len(lengths) < MOST and (len(lengths) < FEWEST or time.perf_counter() < until):
            path = player.game()
            lengths.append(len(path) - 1)
            paths += [path] if sum(lengths) < MOST_KEPT else []
    count = len(lengths)
    mean = sum(lengths) / count
    variance = sum((length - mean) ** 2 for length in lengths) / max(count - 1, 1)
    met = sum(lengths) + count
    return RandomPlay(
        count, player.unfinished, player.moves / max(player.choices, 1), player.most, mean,
        1.96 * math.sqrt(variance / count), max(lengths), player.over / met, player.decided / met, tuple(paths),
    )  # fmt: skip


class _Player:
    """Plays games and keeps count."""

    def __init__(self, position: Position, mode: Interpreted, dice: random.Random) -> None:
        self.position, self.rules, self.dice = position, mode.rules(position.game), dice
        self.workspace = mode.workspace(position.game)
        self.moves = self.choices = self.most = self.over = self.decided = self.unfinished = 0
        game = position.game
        self.loops_end = game.cyclic and not game.forbids and not callable(game.repetition)
        self.before = [one.mark for one in position.line()[:-1]] if self.loops_end else []

    def game(self) -> tuple[Any, ...]:
        """One game: the states that it went through."""
        game, rules, ws = self.position.game, self.rules, self.workspace.record
        state, path, stood = self.position.state, [], Counter(self.before)
        while True:
            path.append(state)
            ws.stack[0] = state
            if rules.over(ws, 0) != ONGOING or self._comes_back(state, stood):
                self.over += 1
                return tuple(path)
            if game.bounds is not None:
                low, high = rules.bounds(state)
                self.decided += low == high
            if len(path) > LONGEST or rules.horizon(state):
                self.unfinished += 1
                return tuple(path)
            count = rules.generate(ws, 0)
            check_moves(game, [self.workspace])
            moves = [ws.moves[0][i] for i in range(count)]
            if rules.turn(state) == CHANCE:
                move = self.dice.choices(moves, [int(rules.weight(state, move)) for move in moves])[0]
            else:
                self.choices, self.moves, self.most = self.choices + 1, self.moves + count, max(self.most, count)
                move = self.dice.choice(moves)
            rules.advance(ws, 0, move)
            state = ws.stack[1]

    def _comes_back(self, state: Any, stood: Counter[Any]) -> bool:
        """Whether the repetition of a position ends the game."""
        if not self.loops_end:
            return False
        mark = Position(self.position.game, state).mark
        stood[mark] += 1
        return stood[mark] >= self.position.game.folds
