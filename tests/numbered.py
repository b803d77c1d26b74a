"""Random games whose positions have numbers, so that tables can be made of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from zermelo.rules import Game, Position, Tier, rule, u64


def numbered(game: Game, seed: int, size: int, tiers: int = 1, left_out: int = 0) -> Game:
    """The game of a seed with the hooks of a table. Moves must lead to larger numbers if there are several tiers, of
    which the last numbers are the lowest. left_out: of so many positions one is not kept; 0 keeps them all."""
    assert game.State is not None
    each, salt = -(-size // tiers), u64(seed)
    most = (size - 1) // each

    @rule
    def kept(node):
        return left_out == 0 or node % left_out != 1

    @rule
    def index(s):
        if not kept(s.node):
            return -1, 0, 1
        return most - s.node // each, s.node % each, 1

    @rule
    def unindex(s, tier, number):
        node = (most - tier) * each + number
        s.node = node
        s.seed = salt
        return node < size and kept(node)

    def listed() -> list[Tier]:
        return [Tier(tier, each, f"tier {tier}") for tier in range(most + 1)]

    return replace(game, start=game.State(seed=seed), index=index, unindex=unindex, tiers=listed)


def going_back(game: Game, size: int) -> Game:
    """The same, with all ways back to each position."""
    before: list[set[int]] = [set() for _ in range(size)]
    for node in range(size):
        state = game.start.copy()
        state.node = node
        position = Position(game, state)
        for code in position.codes if position.result is None else ():
            before[int(position.play(code).state.node)].add(node)
    most = max(map(len, before))
    counts = np.array([len(nodes) for nodes in before])
    listed = np.array([sorted(nodes) + [0] * (most - len(nodes)) for nodes in before])

    @rule
    def unmoves(s, out):
        n = counts[s.node]
        for i in range(n):
            out[i] = listed[s.node, i]
        return n

    @rule
    def unplay(s, code):
        s.node = code

    return replace(game, unmoves=unmoves, unplay=unplay, max_unmoves=most)
