"""Names of positions, and the two indexes that number them, against Python's own sets and integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_states import states_of
from zermelo.compile.arrays import on_arrays
from zermelo.compile.modes import Compiled
from zermelo.knowledge.automaton import Automaton, build_automaton
from zermelo.knowledge.naming import WORD, Naming, in_order
from zermelo.knowledge.sorted_names import SortedNames
from zermelo.rules import Game, f32, f64, i8, i16, i64, rule, struct, u8, u64, wrapping

State = struct(board=u64, small=i8, cells=(u8, 3), other=u64, wide=(i64, 2), half=f32, real=f64, signed=i16)


def game_of(key: Any = None) -> Game:
    @rule
    def nothing(s, *more):
        return 0

    return Game(
        name="nothing", State=State, start=State(), moves=nothing, play=nothing, result=nothing, turn=nothing,
        max_moves=1, max_plies=1, key=key,
    )  # fmt: skip


class Owner:
    pass


def as_words(number: int, words: int) -> list[int]:
    return [number >> WORD * (words - 1 - word) & (1 << WORD) - 1 for word in range(words)]


def both(names: Any, bits: int) -> list[Any]:
    """The two indexes of these names, made and read back."""
    automaton, listed = build_automaton(names, bits, 1 << 20), SortedNames(names)
    assert automaton is not None
    return [
        automaton,
        Automaton.from_planes(automaton.planes(), automaton.digits),
        listed,
        SortedNames.from_planes(listed.planes(), len(names), names.shape[1]),
    ]


def sets(bits: int) -> st.SearchStrategy[tuple[int, set[int]]]:
    return st.tuples(st.just(bits), st.sets(st.integers(0, 2**bits - 1), min_size=1))


@given(st.integers(1, 150).flatmap(sets))
@settings(max_examples=60, deadline=None)
def test_ranks_are_places_in_the_order(told: tuple[int, set[int]]) -> None:
    bits, numbers = told
    words = -(-bits // WORD)
    names = np.array([as_words(number, words) for number in sorted(numbers)], np.uint64)
    near = {max(number + step, 0) % 2**bits for number in numbers for step in (-1, 1, 1 << bits // 2)} - numbers
    for index in both(names, bits):
        owner = Owner()
        rank = index.ranker(owner)
        assert index.count == len(numbers)
        assert [int(rank(tuple(map(u64, row)))) for row in names.tolist()] == list(range(len(names)))
        assert all(rank(tuple(map(u64, as_words(number, words)))) == -1 for number in near)


@given(st.lists(states_of(State), min_size=1, max_size=20), states_of(State))
@settings(max_examples=60, deadline=None)
def test_names_tell_states_apart(states: list[Any], stranger: Any) -> None:
    array = np.frombuffer(b"".join(state.tobytes() for state in states), State.dtype)
    naming = Naming.of(State, array)
    assert Naming.told(naming.as_dict(), State) == naming
    names, name = naming.names(State, array), wrapping(naming.rule(game_of()))
    for state, row in zip(states, names.tolist(), strict=True):
        assert name(state) == (True, tuple(row))
    assert len({tuple(row) for row in names.tolist()}) == len({state.tobytes() for state in states})
    ordered = names[in_order(names)].tolist()
    assert ordered == sorted(ordered)
    inside, words = name(stranger)
    known = inside and tuple(map(int, words)) in {tuple(row) for row in names.tolist()}
    assert known == (stranger.tobytes() in {state.tobytes() for state in states})


def test_one_position_alone_has_a_name() -> None:
    array = np.frombuffer(State(board=5).tobytes(), State.dtype)
    naming = Naming.of(State, array)
    names = naming.names(State, array)
    for index in both(names, naming.length(State)):
        assert index.count == 1
    name = naming.rule(game_of())
    assert name(State(board=5))[0]
    assert not name(State(board=4))[0]


def test_an_automaton_that_is_too_large_is_none() -> None:
    names = np.unique(np.random.default_rng(3).integers(0, 2**60, 3000).astype(np.uint64)).reshape(-1, 1)
    assert build_automaton(names, 60, 2000) is None


@pytest.mark.parametrize("planes", [np.zeros(0, np.uint8), np.zeros(15, np.uint8), np.full(32, 255, np.uint8)])
def test_what_is_no_automaton(planes: Any) -> None:
    try:
        assert Automaton.from_planes(planes, 3).count == -1
    except ValueError:
        assert len(planes) < 16


def test_compiled_ranks() -> None:
    """A kernel that asks both indexes."""
    Compiled()  # which lets compiled rules read what is on the shelf
    random = np.random.default_rng(7)
    names = np.stack([np.arange(64), random.integers(0, 2**62, 64) * 2], axis=1).astype(np.uint64)
    owner = Owner()
    for index in both(names, 70):
        rank = index.ranker(owner)

        def ask(names, out):
            for i in range(len(names)):
                out[i] = rank((names[i, 0], names[i, 1]))  # noqa: B023

        out = np.zeros(64, np.int64)
        on_arrays(ask)(names, out)
        assert out.tolist() == list(range(64))
        on_arrays(ask)(names + np.uint64(1), out)
        assert set(out) == {-1}
