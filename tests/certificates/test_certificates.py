"""Making certificates and keeping them: every method, every loop rule, every way in which a file can be wrong."""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import oracles
from random_games import random_game, seeded
from zermelo import games
from zermelo.certificates.certificate import MAGIC, Certificate, Damaged
from zermelo.certificates.checker import verify
from zermelo.certificates.explaining import dot, explain, svg
from zermelo.certificates.proving import Disproved, Unproved, prove
from zermelo.certificates.rulebook import fingerprint
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.rules import Game, Position, RuleError, UnknownName, Unsuitable, from_object, rule

METHODS = ("alphabeta", "boolean", "dfpn", "minimax", "mtdf", "negascout", "pn", "pn2")
RULES = ("none", "draw", "first", "second", "wins", "loses")
RANDOM = {repetition: random_game(size=7, repetition=repetition) for repetition in RULES}


@pytest.fixture(scope="module")
def tic_tac_toe() -> Certificate:
    return prove(games.tic_tac_toe(), mode="interpreted")


# Making


def _prove_and_compare(position: Position, mode: str, method: str | None, small: bool) -> None:
    """Prove what is true, fail to prove what is not."""
    truth = oracles.value(position)
    how: dict[str, Any] = {"mode": mode, "method": method, "small": small, "memory": "64KB"}
    exact = prove(position, **how)
    assert exact.claim == f"the first player scores exactly {truth:g}"
    assert verify(position.game, Certificate.decode(exact.encode()), mode=mode).holds
    low, high = position.game.values
    if truth < high:
        with pytest.raises(Disproved, match="it is not true that the first player scores at least"):
            prove(position, at_least=truth + 1, **how)
    if truth > low:
        with pytest.raises(Disproved, match="it is not true that the first player scores at most"):
            prove(position, at_most=truth - 1, **how)


@pytest.mark.parametrize("repetition", RULES)
@pytest.mark.parametrize("small", [False, True])
def test_random_games_are_proved_under_every_loop_rule(repetition: str, small: bool) -> None:
    for seed in range(12):
        dice = random.Random(seed)
        position = seeded(RANDOM[repetition], seed)
        for _ in range(dice.randrange(3)):
            if position.result is None:
                position = position.play(dice.choice(position.codes))
        _prove_and_compare(position, "interpreted", None, small)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("repetition", ["none", "draw"])
def test_every_method_can_prove(method: str, repetition: str) -> None:
    for seed in range(4):
        _prove_and_compare(seeded(RANDOM[repetition], seed), "interpreted", method, small=False)


@pytest.mark.slow
@pytest.mark.parametrize("repetition", ["draw", "none"])
def test_compiled(repetition: str) -> None:
    game = RANDOM[repetition]
    for seed in range(25):
        _prove_and_compare(seeded(game, seed), "compiled", "alphabeta", small=bool(seed % 2))


def test_scores_need_not_be_whole() -> None:
    game = random_game(fractional=True)
    for seed in range(6):
        position = seeded(game, seed)
        truth = oracles.value(position)
        certificate = prove(position, method="alphabeta", mode="interpreted")
        assert certificate.proofs[0].claim.value == certificate.proofs[1].claim.value == truth
        assert prove(position, at_least=truth - 0.1, method="boolean", mode="interpreted").positions
        if truth + 0.1 < game.values[1]:
            with pytest.raises(Disproved, match="less than"):
                prove(position, at_least=truth + 0.1, method="alphabeta", mode="interpreted")


def test_a_claim_between_two_scores() -> None:
    certificate = prove(games.tic_tac_toe(), at_least=-0.5, mode="interpreted")
    assert certificate.claim == "the first player scores at least -0.5"
    assert verify(certificate, mode="interpreted").holds


def test_what_the_rules_make_certain_can_be_proved_too() -> None:
    certificate = prove(games.tic_tac_toe(), at_least=-1, mode="interpreted")
    assert verify(certificate, mode="interpreted").holds


def test_a_game_that_is_over() -> None:
    position = games.tic_tac_toe().position("XXX OO- ---")
    certificate = prove(position, at_least=1, mode="interpreted")
    assert certificate.positions == 0
    assert verify(certificate, mode="interpreted").holds
    with pytest.raises(Disproved, match="the game is over with 1"):
        prove(position, at_most=0, mode="interpreted")


def test_a_table_too_small_to_remember_anything_costs_only_time() -> None:
    for kind in ({"at_least": 0}, {"at_most": 0}):
        certificate = prove(games.tic_tac_toe(), memory=1, mode="interpreted", **kind)  # type: ignore[arg-type]
        assert verify(certificate, mode="interpreted").holds


def test_smaller_proofs_are_no_larger() -> None:
    for kind in ({"at_least": 0}, {"at_most": 0}):
        usual = prove(games.tic_tac_toe(), mode="interpreted", **kind)  # type: ignore[arg-type]
        small = prove(games.tic_tac_toe(), mode="interpreted", small=True, **kind)  # type: ignore[arg-type]
        assert small.positions <= usual.positions
        assert small.about["made"]["game_positions"] in (4520, None)  # a slow machine stops counting


def test_the_graph_history_example() -> None:
    """The example of seeds on graph history: a win, whatever a loop means."""
    edges = {"A": "BC", "B": "DE", "C": "F", "D": "GH", "F": "J", "G": "I", "I": "J", "J": "D"}
    nodes: dict[str, Any] = {
        name: {"turn": "max" if name in "ADFI" else "min", "moves": list(children)} for name, children in edges.items()
    }
    nodes |= {"E": {"value": -1}, "H": {"value": 1}}
    for repetition in ("draw", "first", "second", "wins", "loses"):
        game = graph_game({"root": "A", "repetition": repetition, "nodes": nodes})
        certificate = prove(game, at_least=1)
        assert verify(game, certificate).holds
        with pytest.raises(Disproved):
            prove(game, at_most=0)


def test_a_strategy_must_arrive_where_a_loop_spoils_the_claim() -> None:
    """Both moves of A hold, but only one of them ever ends the game."""
    nodes = {
        "A": {"turn": "max", "moves": ["B", "C"]},
        "B": {"turn": "min", "moves": ["A"]},
        "C": {"value": 1},
    }
    game = graph_game({"root": "A", "repetition": "draw", "nodes": nodes})
    certificate = prove(game, at_least=1)
    assert [list(chunk) for chunk in certificate.proofs[0].chunks()] == [[1]]
    assert certificate.proofs[0].longest == 1
    circling = replace(certificate.proofs[0], moves=_packed([0]), positions=2)
    verdict = verify(game, replace(certificate, proofs=(circling,)))
    assert not verdict.holds
    assert verdict.why == "the reply A comes back to a position, which does not satisfy the claim"


def _packed(moves: list[int]) -> bytes:
    import zlib

    return zlib.compress(bytes(moves))


class Nim:
    """Take one or two; who takes the last one wins. A game of plain objects."""

    def __init__(self, stones: int, player: int = 0) -> None:
        self.stones, self.player = stones, player

    def turn(self) -> int:
        return self.player

    def moves(self) -> list[int]:
        return [n for n in (1, 2) if n <= self.stones]

    def play(self, move: int) -> Nim:
        return Nim(self.stones - move, 1 - self.player)

    def result(self) -> int | None:
        return None if self.stones else 1 if self.player == 1 else -1

    def key(self) -> tuple[int, int]:
        return self.stones, self.player


def test_games_of_objects() -> None:
    game = from_object(Nim(10), name="nim", max_plies=10)
    certificate = prove(game)
    assert certificate.claim == "the first player scores exactly 1"
    assert verify(game, certificate).positions == certificate.positions
    with pytest.raises(Unsuitable, match="name it yourself with --game"):
        verify(certificate)


@pytest.mark.parametrize("method", ["alphabeta", "dfpn"])
def test_games_of_openspiel(method: str) -> None:
    pytest.importorskip("pyspiel")
    game = games.load("openspiel:tic_tac_toe")
    certificate = prove(game, method=method, spec="openspiel:tic_tac_toe")
    assert certificate.claim == "the first player scores exactly 0"
    assert verify(Certificate.decode(certificate.encode())).holds


def test_other_rules_are_noticed_and_can_be_overruled() -> None:
    certificate = prove(from_object(Nim(10), name="nim", max_plies=10), at_least=1)
    other = from_object(Nim(9), name="nim", max_plies=10)
    with pytest.raises(Unsuitable, match="not those that the certificate was made with"):
        verify(other, certificate)
    verdict = verify(other, certificate, anyway=True)
    assert not verdict.holds
    assert not verdict.same_rules


# Bad input


def test_claims_outside_the_bounds() -> None:
    for kind in ({"at_least": 2}, {"at_most": -2}, {"at_least": float("nan")}):
        with pytest.raises(Unsuitable, match="scores lie between -1 and 1"):
            prove(games.tic_tac_toe(), **kind)


def test_two_claims_at_once() -> None:
    with pytest.raises(Unsuitable, match="not both"):
        prove(games.tic_tac_toe(), at_least=0, at_most=0)


def test_a_limit_leaves_the_claim_open() -> None:
    with pytest.raises(Unproved, match="stopped before the claim is decided") as stopped:
        prove(games.tic_tac_toe(), at_least=0, limits=Limits(nodes=20), mode="interpreted")
    assert stopped.value.stopped == "nodes"
    with pytest.raises(Unproved, match="stopped before the proof was complete"):
        prove(games.tic_tac_toe(), at_least=-1, limits=Limits(nodes=20), mode="interpreted")


def test_a_hook_that_lies_cannot_lie_its_way_into_a_certificate() -> None:
    honest = games.tic_tac_toe()

    @rule
    def bounds(s):  # type: ignore[no-untyped-def]
        return 1, 1

    with pytest.raises(RuleError, match="hook"):
        prove(replace(honest, bounds=bounds), at_least=1, mode="interpreted")


# Files


def test_a_file_is_read_back_as_it_was(tmp_path: Path, tic_tac_toe: Certificate) -> None:
    file = tmp_path / "proof"
    size = tic_tac_toe.save(file)
    assert file.stat().st_size == size
    again = Certificate.load(file)
    assert (again.about, again.proofs) == (tic_tac_toe.about, tic_tac_toe.proofs)
    assert verify(file, mode="interpreted").holds
    assert os.listdir(tmp_path) == ["proof"]


def test_no_changed_byte_goes_unnoticed(tic_tac_toe: Certificate) -> None:
    data = tic_tac_toe.encode()
    dice = random.Random(0)
    for _ in range(300):
        changed = bytearray(data)
        kind = dice.randrange(4)
        place = dice.randrange(len(data))
        if kind == 0:
            changed[place] ^= 1 << dice.randrange(8)
        elif kind == 1:
            del changed[place:]
        elif kind == 2:
            del changed[place]
        else:
            changed[place:place] = bytes([dice.randrange(256)])
        with pytest.raises(Damaged):
            Certificate.decode(bytes(changed))


def _resealed(certificate: Certificate, change: Any) -> bytes:
    """A certificate with a changed header and a checksum that fits."""
    data = certificate.encode()
    begin = len(MAGIC) + 8
    length = int.from_bytes(data[begin - 4 : begin], "little")
    header = json.loads(data[begin : begin + length])
    change(header)
    text = json.dumps(header).encode()
    body = data[: begin - 4] + len(text).to_bytes(4, "little") + text + data[begin + length : -32]
    return body + hashlib.sha256(body).digest()


def test_a_header_that_says_something_else_proves_nothing_else(tic_tac_toe: Certificate) -> None:
    """Another claim, position or parameter: the proof is judged for what the header now says."""

    def claim(header: dict[str, Any]) -> None:
        header["proofs"][0]["value"] = header["proofs"][1]["value"] = 1

    def position(header: dict[str, Any]) -> None:
        header["start"] = {"text": "a1"}

    def parameter(header: dict[str, Any]) -> None:
        header["parameters"]["cols"] = 4

    changed = Certificate.decode(_resealed(tic_tac_toe, claim))
    assert changed.claim == "the first player scores exactly 1"
    assert not verify(changed, mode="interpreted").holds
    assert not verify(Certificate.decode(_resealed(tic_tac_toe, position)), mode="interpreted").holds
    other = Certificate.decode(_resealed(tic_tac_toe, parameter))
    with pytest.raises(Unsuitable, match="not those"):
        verify(other, mode="interpreted")
    assert not verify(other, anyway=True, mode="interpreted").holds


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("claim", "about"), ("form", "heap"), ("ours", -1), ("positions", "many"), ("bytes", 10**9), ("width", 3),
        ("value", None), ("longest", 1.5),
    ],
)  # fmt: skip
def test_headers_that_make_no_sense(tic_tac_toe: Certificate, key: str, value: Any) -> None:
    def change(header: dict[str, Any]) -> None:
        header["proofs"][0][key] = value

    with pytest.raises(Damaged, match="header cannot be read"):
        Certificate.decode(_resealed(tic_tac_toe, change), "x")


def test_positions_that_make_no_sense(tic_tac_toe: Certificate) -> None:
    for start in ({}, {"state": "zz"}, {"state": "00"}, {"text": 7}):

        def change(header: dict[str, Any], start: Any = start) -> None:
            header["start"] = start

        with pytest.raises(Damaged, match="which position"):
            verify(Certificate.decode(_resealed(tic_tac_toe, change)), mode="interpreted")


def test_files_that_are_no_certificates(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for content, complaint in ((b"", "cut off"), (MAGIC[:5], "cut off"), (b"PK\x03\x04 zip", "not a certificate")):
        file.write_bytes(content)
        with pytest.raises(Damaged, match=complaint):
            Certificate.load(file)
    with pytest.raises(Unsuitable, match="cannot be read: No such file"):
        Certificate.load(tmp_path / "nothing")
    body = MAGIC + (99).to_bytes(4, "little") + (0).to_bytes(4, "little")
    file.write_bytes(body + hashlib.sha256(body).digest())
    with pytest.raises(Damaged, match="format 99"):
        Certificate.load(file)


def test_a_full_disk_leaves_the_old_file(
    tmp_path: Path, tic_tac_toe: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "proof"
    file.write_text("what was here before")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Unsuitable, match="No space left on device; the file that was there is unchanged"):
        tic_tac_toe.save(file)
    assert file.read_text() == "what was here before"
    assert os.listdir(tmp_path) == ["proof"]


def test_a_folder_that_is_not_there(tmp_path: Path, tic_tac_toe: Certificate) -> None:
    with pytest.raises(Unsuitable, match="cannot be written: No such file or directory"):
        tic_tac_toe.save(tmp_path / "nowhere" / "proof")


def test_a_game_that_is_not_installed(tic_tac_toe: Certificate) -> None:
    def change(header: dict[str, Any]) -> None:
        header["game"] = "tick-tack-toe"

    with pytest.raises(UnknownName, match="did you mean tic-tac-toe"):
        verify(Certificate.decode(_resealed(tic_tac_toe, change)))


def test_a_graph_file_travels_inside(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps({"root": "A", "nodes": {"A": {"turn": "max", "moves": ["B"]}, "B": {"value": 1}}}))
    certificate = prove(games.load(str(file)), spec=str(file))
    certificate.save(tmp_path / "proof")
    file.unlink()
    assert verify(tmp_path / "proof").holds


# The fingerprint of the rules


def test_the_fingerprint_knows_rules_parameters_and_start() -> None:
    assert fingerprint(games.tic_tac_toe()) == fingerprint(games.tic_tac_toe())
    different = [
        games.tic_tac_toe(), games.tic_tac_toe(rows=4), games.tic_tac_toe(run=2), games.connect_four(),
        games.kalah(), games.kalah(stones=3), games.kalah(empty_capture=True), games.hex(size=3), games.hex(size=4),
    ]  # fmt: skip
    assert len(set(map(fingerprint, different))) == len(different)


def test_the_fingerprint_does_not_know_hooks_that_only_help_searches() -> None:
    game = games.connect_four()
    assert fingerprint(replace(game, bounds=None, candidates=None, symmetry=None, order=None)) == fingerprint(game)


def test_the_fingerprint_sees_through_comments_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    monkeypatch.syspath_prepend(str(tmp_path))
    text = """
from zermelo.rules import ONGOING, Game, i8, rule, struct
LIMIT = 3
def {name}() -> Game:
    State = struct(plies=i8)
    @rule
    def moves(s, out):
        out[0] = 0
        return 1
    @rule
    def play(s, move):
        s.plies += 1{comment}
    @rule
    def result(s):
        return 1 if s.plies >= LIMIT else ONGOING
    return Game(
        name="count", State=State, start=State(), moves=moves, play=play, result=result, max_moves=1, max_plies=9
    )
"""

    def made(module: str, **change: str) -> Game:
        written = text.format(name="count", comment=change.get("comment", "")).replace(
            "LIMIT = 3", f"LIMIT = {change.get('limit', '3')}"
        )
        (tmp_path / f"{module}.py").write_text(written)
        importlib.invalidate_caches()
        sys.modules.pop(module, None)
        return importlib.import_module(module).count()  # type: ignore[no-any-return]

    plain = fingerprint(made("count_one"))
    assert fingerprint(made("count_two", comment="  # on")) == plain
    assert fingerprint(made("count_three", limit="4")) != plain


def test_the_fingerprint_looks_into_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that use the file beside them: if that changes, so do the rules."""
    monkeypatch.setattr("sys.path", [*sys.path])
    text = """
import sizes
from zermelo.rules import ONGOING, Game, i8, rule, struct
def count() -> Game:
    State = struct(plies=i8)
    @rule
    def moves(s, out):
        out[0] = 0
        return 1
    @rule
    def play(s, move):
        s.plies += sizes.step(s)
    @rule
    def result(s):
        return 1 if s.plies >= sizes.LIMIT else ONGOING
    return Game(
        name="count", State=State, start=State(), moves=moves, play=play, result=result, max_moves=1, max_plies=9
    )
"""

    def made(folder: str, limit: int, step: int) -> str:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "count.py").write_text(text)
        (tmp_path / folder / "sizes.py").write_text(f"LIMIT = {limit}\ndef step(s):\n    return {step}\n")
        return fingerprint(games.load(str(tmp_path / folder / "count.py")))

    assert made("a", 3, 1) == made("b", 3, 1)
    assert len({made("c", 3, 1), made("d", 4, 1), made("e", 3, 2)}) == 3


# Reading


def test_an_explanation_ends_as_claimed(tic_tac_toe: Certificate) -> None:
    for side, moves in ((0, 9), (1, 9)):
        opened = explain(tic_tac_toe, side=side, mode="interpreted")
        line = opened.main_line()
        position = opened.position
        for text in line:
            position = position.play(text)
        assert position.result is not None
        assert opened.proof.claim.allows(position.result)
        assert len(line) == opened.longest(opened.root) == opened.proof.longest == moves


@pytest.mark.parametrize("repetition", RULES)
def test_explanations_under_every_loop_rule(repetition: str) -> None:
    for seed in range(4):
        position = seeded(RANDOM[repetition], seed)
        certificate = prove(position, mode="interpreted", memory="64KB")
        for side in (0, 1):
            opened = explain(certificate, position.game, side=side, mode="interpreted")
            line = opened.main_line()
            if opened.proof.longest is not None:
                assert len(line) == opened.proof.longest
            assert dot(opened, 3).startswith("digraph proof {")
            assert svg(opened, 3).startswith("<svg ")


def test_pictures_have_limits(tic_tac_toe: Certificate) -> None:
    opened = explain(tic_tac_toe, mode="interpreted")
    with pytest.raises(Unsuitable, match="at least 1, not 0"):
        svg(opened, 0)
    assert svg(opened, 9).count("<circle") + svg(opened, 9).count("<rect") == opened.proof.positions


def test_a_strategy_that_is_not_there() -> None:
    certificate = prove(games.tic_tac_toe(), at_least=0, mode="interpreted")
    with pytest.raises(Unsuitable, match="no strategy of that player"):
        explain(certificate, side=1, mode="interpreted")
