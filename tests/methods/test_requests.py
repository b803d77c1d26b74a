"""Requests: made in one place, written as texts and read back; what cannot be is refused in one sentence."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.core.fastest_cut import CutFirst
from zermelo.methods.registry import methods
from zermelo.methods.requests import request
from zermelo.methods.settings import option_kinds

TIC_TAC_TOE = z.games.tic_tac_toe()
EINSTEIN = z.games.einstein(size=3, stones=3)

VALUES = {
    "table": st.booleans(),
    "knowledge": st.booleans(),
    "etc": st.booleans(),
    "hard": st.booleans(),
    "order": st.sampled_from([(), ("hash",), ("hash", "killers", "history")]),
    "cut": st.sampled_from([CutFirst(), CutFirst(form="share", size=2.5), CutFirst(ratio=0.1, depth=4)]),
    "probes": st.lists(st.integers(0, 9), min_size=1, max_size=4).map(tuple),
    "tolerance": st.one_of(st.none(), st.floats(0, 2)),
    "max_chance": st.one_of(st.none(), st.integers(0, 9)),
    "outcome_order": st.sampled_from([(), ("hash", "killers")]),
    "attitude": st.sampled_from(["expected", "hope", "safe"]),
    "leaves": st.sampled_from(["one", "mobility"]),
    "graph": st.booleans(),
    "memory": st.sampled_from(["1MB", "2GB", "4096"]),
    "threads": st.integers(1, 8),
    "mode": st.sampled_from([None, "compiled", "interpreted"]),
    "seed": st.one_of(st.none(), st.integers(0, 99)),
    "depth": st.one_of(st.none(), st.integers(1, 40)),
    "nodes": st.one_of(st.none(), st.integers(1, 10**9)),
    "seconds": st.one_of(st.none(), st.floats(0.001, 1000)),
}


@st.composite
def requests(draw: st.DrawFn) -> z.Request:
    method = draw(st.sampled_from(sorted(methods())))
    known = {*option_kinds(methods()[method]), "memory", "threads", "mode", "seed", "depth", "nodes", "seconds"}
    chosen = draw(st.lists(st.sampled_from(sorted(known & VALUES.keys())), unique=True, max_size=5))
    return request(method, **{name: draw(VALUES[name]) for name in chosen})


@given(requests())
@settings(max_examples=100, deadline=None)
def test_a_text_is_read_back(made: z.Request) -> None:
    assert request(str(made)) == made


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("star2.5(depth=5, probes=3)", {"probes": (3,), "limits": z.Limits(depth=5)}),
        ("star2.5( probes = 3,2,1 ,depth=5)", {"probes": (3, 2, 1), "limits": z.Limits(depth=5)}),
        ("mtdf(memory=1GB)", {"memory": "1GB"}),
        ("random(seed=7)", {"seed": 7}),
        ("alphabeta", {}),
        ("alphabeta()", {}),
        ("alphabeta(table=no, etc=TRUE, iid=on)", {"table": False, "etc": True, "iid": True}),
        ("alphabeta(order=none)", {"order": ()}),
        ("alphabeta(cut=(form=share, size=2))", {"cut": CutFirst(form="share", size=2)}),
        ("alphabeta(nodes=1e6)", {"limits": z.Limits(nodes=1_000_000)}),
    ],
)
def test_texts(text: str, settings: dict[str, object]) -> None:
    made = request(text)
    for name, value in settings.items():
        home = made if name in {field.name for field in dataclasses.fields(made)} else made.options
        assert getattr(home, name) == value


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("alfabeta", r"no method is called alfabeta: did you mean alphabeta\?"),
        ("alphabeta(depht=6)", r"alphabeta has no setting depht: did you mean depth\?"),
        ("alphabeta(probes=3)", "alphabeta has no setting probes"),
        ("alphabeta(depth=six)", "depth takes a whole number or none, not 'six'"),
        ("alphabeta(depth=2.5)", "depth takes a whole number or none, not '2.5'"),
        ("alphabeta(table=perhaps)", "table takes on or off, not 'perhaps'"),
        ("alphabeta(depth=0)", "the limit of depth must be at least 1, not 0"),
        ("alphabeta(threads=0)", "the number of threads must be at least 1, not 0"),
        ("alphabeta(mode=fast)", "mode must be compiled or interpreted, not fast"),
        ("mtdf(memory=much)", "a memory size is a number and a unit such as 512MB or 2GB, not 'much'"),
        ("alphabeta(6)", "in 'alphabeta(6)' a setting is NAME=VALUE, such as depth=6, not '6'"),
        ("alphabeta(depth=)", "a setting is NAME=VALUE, such as depth=6, not 'depth='"),
        ("alphabeta(depth=1, depth=2)", "sets depth twice"),
        ("alphabeta(depth=6", "is no request: write a method and its settings, such as"),
        ("alphabeta(cut=(size=2)", "brackets"),
        ("alphabeta)", "is no request"),
        ("", "is no request"),
        ("alphabeta depth=6", "is no request"),
        ("star1(probes=-1)", "a probing factor must be 0"),
    ],
)
def test_malformed_texts(text: str, sentence: str) -> None:
    with pytest.raises(z.ZermeloError) as refused:
        request(text)
    assert "\n" not in str(refused.value)
    if "brackets" not in sentence:
        refused.match(sentence.replace("(6)", r"\(6\)"))


@pytest.mark.parametrize(
    ("method", "game", "purpose", "sentence"),
    [
        ("alphabeta", EINSTEIN, "solve", "einstein has chance positions, which alphabeta cannot search; these can: "),
        ("random", TIC_TAC_TOE, "solve", "random finds moves, not values"),
        ("random", TIC_TAC_TOE, "prove", "random finds moves, not values"),
        ("alphabeta", TIC_TAC_TOE, "slove", r"no purpose is called slove: did you mean solve\?"),
        (None, None, "solve", "a request needs a method, or a game for which to choose one"),
    ],
)
def test_requests_that_a_game_cannot_serve(method: str, game: z.Game, purpose: str, sentence: str) -> None:
    with pytest.raises(z.ZermeloError, match=sentence):
        request(method, game, purpose)


def test_the_choice_by_purpose() -> None:
    chosen = {purpose: request(None, TIC_TAC_TOE, purpose).method.name for purpose in ("solve", "search", "prove")}
    assert chosen == {"solve": "mtdf", "search": "alphabeta", "prove": "mtdf"}
    assert request(None, TIC_TAC_TOE, "solve", claim=0).method.name == "boolean"
    assert request(None, EINSTEIN, "solve", claim=0).method.name == "expectation"
    assert request(None, EINSTEIN, "play").method.name == "star2.5"
    dobutsu = z.games.dobutsu()
    assert [request(None, dobutsu, p).method.name for p in ("solve", "prove")] == ["whole", "dfpn"]
    assert request(None, dobutsu, "solve", table=False).method.name == "dfpn"  # one search, as the person set it


def test_settings_come_as_values_or_as_texts() -> None:
    by_text = request("star2.5", probes="3,2,1", depth="5", table="off")
    assert by_text == request("star2.5", probes=(3, 2, 1), depth=5, table=False)
    assert request(by_text, depth=6).limits.depth == 6


def test_a_claim_about_dice_is_decided_by_the_value() -> None:
    answer = z.solve(z.games.einstein(size=3, stones=2), at_least=0, mode="interpreted")
    assert (answer.status, answer.method) == ("proven", "expectation")
    assert answer.bounds[1] < 0  # so it fails
