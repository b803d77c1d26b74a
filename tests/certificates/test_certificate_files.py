"""Certificates as files: read back as they were, all that can be wrong with one, and the fingerprint of the rules."""

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

from zermelo import games
from zermelo.certificates.certificate import MAGIC, Certificate, Damaged
from zermelo.certificates.checker import verify
from zermelo.certificates.proving import prove
from zermelo.certificates.rulebook import fingerprint
from zermelo.rules import Game, UnknownName, Unsuitable


@pytest.fixture(scope="module")
def tic_tac_toe() -> Certificate:
    return prove(games.tic_tac_toe(), mode="interpreted")


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
