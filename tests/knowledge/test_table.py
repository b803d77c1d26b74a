"""Tables as folders: built, read back, verified, gone on with, refused."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

import oracles
from numbered import numbered
from random_chance import random_chance
from random_games import random_game
from zermelo import games
from zermelo.certificates.certificate import Damaged
from zermelo.knowledge import building, tier_solver
from zermelo.knowledge.building import build_table
from zermelo.knowledge.manifest import read_manifest
from zermelo.knowledge.table import Table
from zermelo.knowledge.verifying import verify_table
from zermelo.rules import Game, Position, UnknownName, Unsuitable

SIZE = 40


def small(seed: int = 3, **settings: object) -> Game:
    return numbered(random_game(size=SIZE, **settings), seed, SIZE, 4)


def at(game: Game, node: int) -> Position:
    state = game.start.copy()
    state.node = node
    return Position(game, state)


def test_what_is_built_is_what_is_read(tmp_path: Path) -> None:
    game = small()
    manifest = build_table(game, tmp_path / "t", mode="interpreted")
    assert manifest.complete
    assert sum(entry.positions for entry in manifest.tiers) == SIZE
    assert not (tmp_path / "t" / "work").exists()
    table = Table.open(tmp_path / "t", game)
    for node in range(SIZE):
        assert table.probe(at(game, node)).score == oracles.value(at(game, node))
    assert verify_table(tmp_path / "t", game, mode="interpreted") == (SIZE, None)


def test_expectations(tmp_path: Path) -> None:
    game = numbered(random_chance(size=12), 5, 12, 3, 3)
    build_table(game, tmp_path / "t", mode="interpreted", wide=True)
    table = Table.open(tmp_path / "t", game)
    for node in range(12):
        assert table.probe(at(game, node)).score == pytest.approx(float(oracles.expected(at(game, node))), abs=1e-12)
    assert verify_table(tmp_path / "t", game, mode="interpreted").wrong is None


@pytest.mark.parametrize("kind", ["wdl", "distance"])
def test_wins_and_losses(tmp_path: Path, kind: str) -> None:
    game = small(spread=1)
    build_table(game, tmp_path / "t", values=kind, mode="interpreted")
    table = Table.open(tmp_path / "t", game)
    for node in range(SIZE):
        assert table.probe(at(game, node)).score == oracles.value(at(game, node))
    position = at(game, 0)
    best = [text for text, found in table.moves(position) if found.score == table.probe(position).score]
    assert set(best) == set(oracles.best_moves(position))
    assert verify_table(tmp_path / "t", game, mode="interpreted").wrong is None


def test_one_flipped_bit_is_noticed(tmp_path: Path) -> None:
    game = small()
    build_table(game, tmp_path / "t", mode="interpreted")
    for path in sorted((tmp_path / "t").iterdir()):
        whole = path.read_bytes()
        for place in range(0, len(whole), 7):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
            with pytest.raises((Damaged, Unsuitable)):
                Table.open(tmp_path / "t", game)
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises((Damaged, Unsuitable)):
            Table.open(tmp_path / "t", game)
        path.write_bytes(whole)
    Table.open(tmp_path / "t", game)


@pytest.mark.parametrize("harm", ["flip", "cut", "remove"])
def test_what_is_damaged_is_built_again(tmp_path: Path, harm: str) -> None:
    game, folder = small(), tmp_path / "t"
    built = build_table(game, folder, mode="interpreted")
    verify_table(folder, game, mode="interpreted")
    path = folder / "tier-2"
    whole = path.read_bytes()
    if harm == "remove":
        path.unlink()
    else:
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 4]) if harm == "flip" else whole[:-1])
    with pytest.raises(Damaged, match="build it again"):
        Table.open(folder, game)
    assert build_table(game, folder, highest="tier 1", mode="interpreted").tiers == built.tiers
    with pytest.raises(Damaged, match="build it again"):
        Table.open(folder, game)
    again = build_table(game, folder, mode="interpreted")
    assert again == built
    assert path.read_bytes() == whole
    assert not again.verified
    assert sorted(each.name for each in folder.iterdir()) == ["table.json", *(f"tier-{n}" for n in range(4))]
    assert verify_table(folder, game, mode="interpreted") == (SIZE, None)


def test_a_damaged_tier_above_others_that_were_not_kept(tmp_path: Path) -> None:
    game, folder = small(), tmp_path / "t"
    built = build_table(game, folder, lowest="tier 1", mode="interpreted")
    whole = (folder / "tier-2").read_bytes()
    (folder / "tier-2").write_bytes(b"")
    assert build_table(game, folder, lowest="tier 1", mode="interpreted") == built
    assert (folder / "tier-2").read_bytes() == whole


def test_what_rests_on_tiers_that_were_not_kept_is_not_called_wrong(tmp_path: Path) -> None:
    game = small()
    build_table(game, tmp_path / "t", lowest="tier 1", mode="interpreted")
    with pytest.raises(Unsuitable, match="keeps only the tiers tier 1, .* with the lowest tier, tier 0"):
        verify_table(tmp_path / "t", game, mode="interpreted")


def test_verifying_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small()
    build_table(game, tmp_path / "t", mode="interpreted")

    def refused(*_):
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", refused)
        assert verify_table(tmp_path / "t", game, mode="interpreted") == (SIZE, None)
    assert not read_manifest(tmp_path / "t").verified


def test_a_manifest_of_another_version(tmp_path: Path) -> None:
    game, folder = small(), tmp_path / "t"
    manifest = build_table(game, folder, mode="interpreted")
    replace(manifest, format=2).write(folder)
    with pytest.raises(Unsuitable, match="t is a table of another version of Zermelo: its format is 2, and .* reads 1"):
        build_table(game, folder, mode="interpreted")
    path = folder / "table.json"
    path.write_text(path.read_text().replace('"low"', '"high"'))
    with pytest.raises(Damaged, match="or it has changed: its format is 2, not 1; remove the folder and build"):
        build_table(game, folder, mode="interpreted")


def test_folders_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small()
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(Unsuitable, match="letter cannot be the folder of a table, it is a file: name another"):
        build_table(game, tmp_path / "letter", mode="interpreted")
    with pytest.raises(Unsuitable, match="cannot be the folder of a table, Not a directory: name another"):
        build_table(game, tmp_path / "letter" / "t", mode="interpreted")
    opened = os.open

    def refused(path, flags, *more, **named):
        if flags & os.O_CREAT:
            raise OSError(30, "Read-only file system")
        return opened(path, flags, *more, **named)

    build_table(game, tmp_path / "t", highest="tier 1", mode="interpreted")
    monkeypatch.setattr("os.open", refused)
    with pytest.raises(Unsuitable, match="work cannot be written, it needs 40 bytes: Read-only file system"):
        build_table(game, tmp_path / "t", mode="interpreted")
    with pytest.raises(Unsuitable, match=r"table.json cannot be written: Read-only file system"):
        build_table(game, tmp_path / "u", mode="interpreted")


def test_a_wrong_entry_is_found_by_verifying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small()
    keep = building._Job._keep

    def spoil(job, tier, entries):
        if tier.tier == 2:
            entries[3] ^= 1
        keep(job, tier, entries)

    monkeypatch.setattr(building._Job, "_keep", spoil)
    build_table(game, tmp_path / "t", mode="interpreted")
    verdict = verify_table(tmp_path / "t", game, mode="interpreted")
    assert verdict.wrong is not None
    assert "is not worth what its moves are worth" in verdict.wrong


def test_a_table_of_other_rules_is_refused(tmp_path: Path) -> None:
    build_table(small(), tmp_path / "t", mode="interpreted")
    with pytest.raises(Unsuitable, match="other rules, parameters or numbers, not of this random: name another"):
        Table.open(tmp_path / "t", small(seed=4))
    with pytest.raises(Unsuitable, match="is a table of random, not of another"):
        Table.open(tmp_path / "t", replace(small(), name="another"))


def test_only_some_tiers(tmp_path: Path) -> None:
    game = small()
    manifest = build_table(game, tmp_path / "t", lowest="tier 1", highest="tier 2", mode="interpreted")
    assert [entry.name for entry in manifest.tiers] == ["tier 1", "tier 2"]
    table = Table.open(tmp_path / "t", game)
    assert table.probe(at(game, 15)).score == oracles.value(at(game, 15))
    assert not table.holds(at(game, 0))
    with pytest.raises(Unsuitable, match=r"t does not reach State\(node=0.*: it has the tiers tier 1, tier 2$"):
        table.probe(at(game, 0))
    with pytest.raises(UnknownName, match="has no tier tier 9: did you mean tier 3"):
        build_table(game, tmp_path / "u", highest="tier 9", mode="interpreted")
    whole = build_table(game, tmp_path / "t", mode="interpreted")
    assert len(whole.tiers) == 4


class Killed(BaseException):
    pass


@pytest.mark.parametrize("after", [1, 2, 3, 5, 8, 13])
def test_a_build_that_was_left_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    game = numbered(random_game(size=SIZE, repetition="draw", spread=1), 3, SIZE)
    monkeypatch.setattr(building, "EVERY", 0.0)
    monkeypatch.setitem(tier_solver.CHUNK, "interpreted", 16)
    calls = 0

    def left(progress: object) -> None:
        nonlocal calls
        calls += 1
        if calls == after:
            raise Killed

    with pytest.raises(Killed):
        build_table(game, tmp_path / "t", mode="interpreted", listener=left)
    with pytest.raises(Unsuitable, match="is not finished"):
        Table.open(tmp_path / "t", game)
    again = build_table(game, tmp_path / "t", mode="interpreted")
    fresh = build_table(game, tmp_path / "u", mode="interpreted")
    assert [entry.sha256 for entry in again.tiers] == [entry.sha256 for entry in fresh.tiers]


def test_memory_and_disk_that_do_not_suffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small()
    with pytest.raises(Unsuitable, match="needs 10 bytes, more than the 5 bytes that it may take"):
        build_table(game, tmp_path / "t", memory=5, mode="interpreted")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(Unsuitable, match="cannot be written, it needs 40 bytes: No space left on device"):
        build_table(game, tmp_path / "t", mode="interpreted")
    monkeypatch.undo()
    assert build_table(game, tmp_path / "t", mode="interpreted").complete


def test_games_that_have_no_table(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match="repetition is wins"):
        build_table(numbered(random_game(repetition="wins"), 1, 11), tmp_path / "t")
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(Unsuitable, match="holds something else than a table"):
        build_table(small(), tmp_path)
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "table.json").write_text(json.dumps({"format": 7}))
    with pytest.raises(Damaged, match="its format is 7"):
        Table.open(tmp_path / "t", small())


def test_going_round_with_dice_is_refused(tmp_path: Path) -> None:
    game = replace(games.einstein(size=3, stones=2), repetition="draw")
    with pytest.raises(Unsuitable, match="players can go round, and dice are thrown.*--method expectation"):
        build_table(game, tmp_path / "table")
