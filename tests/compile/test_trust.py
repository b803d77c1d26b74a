"""Kept kernels are run as they are: what another user could have written is neither fetched nor added to."""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest
from processes import kept

from zermelo.compile import cache
from zermelo.compile.trust import distrust, read_own

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have no owners here")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Have something belong to somebody else: who may not do that becomes somebody else."""

    def give(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, 54321, -1)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: 54321)

    return give


def answer() -> int:
    """What a kernel says that is compiled now, unless it is kept."""

    def add(n: Any) -> Any:
        return n + 41

    return int(cache.ready(add, "trust", (numba.int64,), ("a test",))(1))


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_made_is_for_this_user_only(folder: Path) -> None:
    before = os.umask(0)
    try:
        assert answer() == 42
    finally:
        os.umask(before)
    (file,) = folder.iterdir()
    assert (rights(folder), rights(file)) == (0o700, 0o600)
    assert cache.refusal() is None


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777, 0o720])
def test_a_folder_that_others_can_write_is_refused(folder: Path, mode: int) -> None:
    assert answer() == 42
    files = kept(folder)
    folder.chmod(mode)
    with pytest.warns(UserWarning, match=r"not kept: .*cache can be written by others.*chmod go-w.*ZERMELO_CACHE"):
        assert answer() == 42
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once
        assert answer() == 42
        assert not cache.may_be_kept("trust")
    assert kept(folder) == files
    assert "chmod go-w" in str(cache.refusal())
    folder.chmod(0o755)  # who may only read does no harm
    assert cache.refusal() is None
    assert cache.may_be_kept("trust")


def test_nothing_is_added_to_a_refused_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    folder.chmod(0o777)
    with pytest.warns(UserWarning, match="not kept"):
        assert answer() == 42
    assert not list(folder.iterdir())


def test_a_folder_of_somebody_else_is_refused(folder: Path, give_away: Callable[[Path], None]) -> None:
    assert answer() == 42
    files = kept(folder)
    give_away(folder)
    with pytest.warns(UserWarning, match="belongs to another user.*ZERMELO_CACHE"):
        assert answer() == 42
    assert kept(folder) == files


def test_a_file_that_others_can_write_is_replaced(folder: Path) -> None:
    assert answer() == 42
    (file,) = folder.iterdir()
    file.chmod(0o666)
    before = file.stat().st_ino
    assert read_own(file) is None
    assert answer() == 42
    assert (file.stat().st_ino != before, rights(file)) == (True, 0o600)


def test_a_file_of_somebody_else_is_replaced(folder: Path, give_away: Callable[[Path], None]) -> None:
    assert answer() == 42
    (file,) = folder.iterdir()
    give_away(file)
    assert read_own(file) is None


def test_a_link_to_a_folder_is_followed(folder: Path, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    folder.symlink_to(real)
    assert answer() == 42
    assert len(kept(real)) == 1
    real.chmod(0o777)
    assert "can be written by others" in str(distrust(folder))


def test_a_link_in_the_place_of_a_kernel_is_not_followed(folder: Path, tmp_path: Path) -> None:
    assert answer() == 42
    (file,) = folder.iterdir()
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    content = elsewhere.read_bytes()
    file.symlink_to(elsewhere)
    assert read_own(file) is None
    assert answer() == 42
    assert not file.is_symlink()
    assert elsewhere.read_bytes() == content


def test_a_pipe_in_the_place_of_a_kernel(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert read_own(tmp_path / "pipe") is None
    assert read_own(tmp_path) is None
    assert read_own(tmp_path / "nothing") is None
