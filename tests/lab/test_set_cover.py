"""Set cover as a game: all ways agree with trying all covers."""

from __future__ import annotations

import random
from itertools import combinations

from zermelo.lab.set_cover import SetCover, by_program, by_proof, cover_in


def random_instance(seed: int) -> SetCover:
    dice = random.Random(seed)
    universe = tuple("abcdefgh"[: dice.randint(1, 8)])
    sets = {f"S{n}": tuple(e for e in universe if dice.random() < 0.4) for n in range(dice.randint(1, 7))}
    missing = [e for e in universe if not any(e in members for members in sets.values())]
    return SetCover(universe, sets | ({"rest": tuple(missing)} if missing else {}))


def smallest_cover(instance: SetCover) -> int:
    for size in range(1, len(instance.sets) + 1):
        for labels in combinations(instance.sets, size):
            if set(instance.universe) <= {e for label in labels for e in instance.sets[label]}:
                return size
    raise AssertionError("there is no cover")


def test_random_instances() -> None:
    for seed in range(30):
        instance = random_instance(seed)
        n, k = len(instance.universe), smallest_cover(instance)
        lower, chosen = by_program(instance)
        assert chosen is not None
        assert lower == len(chosen) == k
        target, minimax = by_proof(instance, "target"), by_proof(instance, "minimax")
        assert (target.size, minimax.size) == (2 + n + k, 4 + n + k)
        for proof in (target, minimax):
            assert proof.proven
            cover = cover_in(instance, proof)
            assert len(cover) == k
            assert set(instance.universe) <= {e for label in cover for e in instance.sets[label]}
