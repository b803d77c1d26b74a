"""Files are written whole or not at all, and what goes wrong is said in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zermelo.rules import RuleError, UnknownName, Unsuitable
from zermelo.rules.files import read_text, save


def test_what_is_saved_reads_back(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    save(file, "ein Läufer")
    assert read_text(file) == "ein Läufer"
    save(str(file), b"bytes")
    assert file.read_bytes() == b"bytes"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_goes_on_pointing_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("old")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "kept" / "file")
    save(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "kept" / "file").read_text() == "new"


def test_a_device_stays_one() -> None:
    save(os.devnull, "nothing")
    assert Path(os.devnull).is_char_device()


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "file"
    file.write_text("before")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Unsuitable, match="No space left on device; the file that was there is unchanged"):
        save(file, "after")
    assert file.read_text() == "before"
    assert os.listdir(tmp_path) == ["file"]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match=r"nowhere/file cannot be written: No such file or directory$"):
        save(tmp_path / "nowhere" / "file", "text")
    with pytest.raises(Unsuitable, match=r"cannot be written: Is a directory$"):
        save(tmp_path, "text")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "cover.json").write_bytes(b"\xe9")
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(UnknownName, match=r"there is no file .*covr.json: did you mean cover.json\?"):
        read_text(tmp_path / "covr.json")
    with pytest.raises(UnknownName, match="there is no file .*/cover.json$"):
        read_text(tmp_path / "nowhere" / "cover.json")
    with pytest.raises(RuleError, match="cannot be read: it is not UTF-8 text"):
        read_text(tmp_path / "cover.json")
    with pytest.raises(RuleError, match="cannot be read: Is a directory"):
        read_text(tmp_path)
