"""A family of random games with chance that is compiled once: the seed is part of the state, not of the code.

As in `random_games`, a game is a graph of numbered positions that follows from hashing the seed with their numbers.
Some positions are the dice's, with weights from 1 to 4 (or all equal); players need not alternate, chance may follow
chance, and several ways lead to the same position.
"""

from __future__ import annotations

from random_games import WORDS
from zermelo.rules import CHANCE, ONGOING, Game, Position, equal_weight, i32, rule, struct, u64
from zermelo.rules.hashing import mix


def random_chance(
    size: int = 12,
    moves: int = 4,
    span: int = 3,
    spread: int = 4,
    equal: bool = False,
    dyadic: bool = False,
    lopsided: bool = False,
    endless: bool = False,
) -> Game:
    """Scores are whole numbers up to `spread`; from 1 on if `lopsided`. `dyadic`: as many outcomes as make all
    averages exact in binary. `endless`: outcomes may lead back."""
    State = struct(node=i32, seed=u64)
    most = moves
    low = 1 if lopsided else -spread

    begin, end, shift = u64(9), u64(78), u64(20)

    @rule
    def draw(s, question, sides):
        h = mix(mix(mix(mix(begin, s.seed), WORDS[s.node]), WORDS[question]), end)
        return int((h >> shift) % WORDS[sides])

    @rule
    def moves(s, out):
        n = 1 + draw(s, 1, most)
        if dyadic and n == 3 and turn(s) == CHANCE:
            n = 4
        for i in range(n):
            out[i] = i
        return n

    @rule
    def play(s, move):
        if endless and turn(s) == CHANCE and draw(s, 20 + move, 3) == 0 and s.node > 2:
            s.node = s.node - 2
        else:
            s.node = s.node + 1 + draw(s, 10 + move, span)

    @rule
    def result(s):
        return low + draw(s, 2, spread - low + 1) if s.node >= size else ONGOING

    @rule
    def turn(s):
        return draw(s, 4, 3)

    @rule
    def weight(s, outcome):
        return 1 + draw(s, 30 + outcome, 4)

    @rule
    def evaluate(s):
        return low + (0.01 + 0.98 * draw(s, 5, 1025) / 1024) * (spread - low)

    @rule
    def key(s):
        return mix(mix(u64(98), s.seed), u64(s.node))

    return Game(
        name="random-chance",
        State=State,
        start=State(seed=1),
        moves=moves,
        play=play,
        result=result,
        turn=turn,
        weight=equal_weight if equal or dyadic else weight,
        evaluate=evaluate,
        key=key,
        values=(low, spread),
        max_moves=max(most, 4),
        max_plies=200 if endless else size + 1,
        endless=endless,
    )


def seeded(game: Game, seed: int) -> Position:
    """The start of the game that a seed stands for."""
    assert game.State is not None
    return Position(game, game.State(seed=seed))
