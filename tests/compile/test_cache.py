"""Kernels on disk: kept, found again, replaced when damaged, and never in the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from processes import kept, output, run, start

from tiny import tiny
from zermelo import perft
from zermelo.compile import cache

HERE = Path(__file__).parent
COUNT = "from tiny import tiny; from zermelo import perft; print(perft(tiny(), 3).paths)"


def count() -> int:
    return perft(tiny(), 3).paths


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_next_process_loads_what_the_first_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    first = run(COUNT, folder, cwd=HERE)
    files = kept(folder)
    assert [name.split("-")[:2] for name in files] == [["tiny", "perft"]]
    assert run(COUNT, folder, cwd=HERE) == first
    assert kept(folder) == files
    changed = COUNT.replace("tiny(), 3", "tiny(most=3), 3")
    run(changed, folder, cwd=HERE)
    assert len(kept(folder)) == 2


def test_two_processes_may_start_cold_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    both = [start(COUNT, folder, cwd=HERE) for _ in range(2)]
    assert len({output(process) for process in both}) == 1
    assert len(kept(folder)) == 1
    assert all(name.endswith(".kernel") for name in kept(folder))


def test_within_a_process_a_kernel_is_loaded_too(folder: Path) -> None:
    expected = count()
    files = kept(folder)
    assert len(files) == 1
    assert count() == expected
    assert kept(folder) == files


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:10],
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data + b"more",
        lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
        lambda data: b"x" * len(data),
    ],
    ids=["empty", "head", "half", "last byte missing", "longer", "one bit", "other content"],
)
def test_a_damaged_file_is_ignored_and_replaced(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    expected = count()
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert count() == expected
    files = kept(folder)
    assert list(files) == [path.name]
    assert count() == expected
    assert kept(folder) == files  # what replaced it is whole


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("ZERMELO_CACHE", str(blocked / "cache"))
    assert count() == count() > 0
    assert blocked.read_text() == "not a folder"
    assert cache.usage() == (blocked / "cache", 0, 0)
    assert cache.clear() == 0


def test_something_else_in_the_place_of_a_kernel(folder: Path) -> None:
    expected = count()
    (path,) = folder.iterdir()
    path.unlink()
    path.mkdir()
    assert count() == expected
    assert [p.name for p in folder.iterdir()] == [path.name]  # nothing half-written is left behind


def test_usage_and_clear(folder: Path) -> None:
    assert cache.usage() == (folder, 0, 0)
    assert cache.clear() == 0
    count()
    (path,) = folder.iterdir()
    other = folder / "notes.txt"
    other.write_text("mine")
    assert cache.usage() == (folder, 1, path.stat().st_size)
    assert cache.clear() == 1
    assert list(folder.iterdir()) == [other]
    assert cache.usage() == (folder, 0, 0)


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", "~/kernels")
    assert cache.folder() == Path("~/kernels").expanduser()
    monkeypatch.delenv("ZERMELO_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "zermelo"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == Path("~/.cache/zermelo").expanduser()
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache.folder() == Path("~/Library/Caches/zermelo").expanduser()


@pytest.mark.parametrize("name", ["a/b", "../up", "/root", "with space", "ümlaut", "nul\0", "x" * 300, "."])
def test_a_game_may_have_any_name(folder: Path, name: str) -> None:
    path = cache.path_of(f"{name}-search", "0123456789abcdef")
    assert path.parent == folder
    folder.mkdir(mode=0o700)
    path.write_bytes(b"")
    assert cache.usage().kernels == 1
