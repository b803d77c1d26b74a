"""The file of a match: going on after anything, and what is no such file."""

from __future__ import annotations

import errno
import multiprocessing
import os
from pathlib import Path

import pytest

from sitters import BOARD, First, Last, games_in
from zermelo import games
from zermelo.play.match import match
from zermelo.rules import Unsuitable

DEEP = "alphabeta(depth=3, mode=interpreted, memory=1MB)"


def test_a_match_goes_on_with_the_games_that_are_missing(tmp_path):
    whole, file = tmp_path / "whole", tmp_path / "part"
    finished = match(BOARD, [DEEP, "random"], games=10, record=whole)
    match(BOARD, [DEEP, "random"], games=4, record=file)
    before = file.read_text()
    told = []
    again = match(BOARD, [DEEP, "random"], games=10, record=file, resume=True, listener=told.append)
    assert [standing.games for standing in told] == [5, 6, 7, 8, 9, 10]
    assert again == finished
    assert file.read_text().startswith(before)
    assert games_in(file) == games_in(whole)
    assert match(BOARD, [DEEP, "random"], games=10, record=file, resume=True) == finished


@pytest.mark.slow
def test_half_a_record_is_played_again(tmp_path):
    whole, file = tmp_path / "whole", tmp_path / "part"
    match(BOARD, [First, Last], games=4, record=whole)
    text = whole.read_bytes()
    last = text.rfind(b"\n\n") + 2
    for cut in (last, *range(last + 1, len(text) - 30, 19), *range(len(text) - 28, len(text), 2)):
        file.write_bytes(text[:cut])
        if cut == last:  # nothing of the last record is there yet
            match(BOARD, [First, Last], games=4, record=file, resume=True)
        else:
            with pytest.warns(UserWarning, match="only half written: it is played again"):
                match(BOARD, [First, Last], games=4, record=file, resume=True)
        assert games_in(file) == games_in(whole)


def test_the_first_record_may_be_the_half_one(tmp_path):
    file = tmp_path / "games"
    match(BOARD, [First, Last], games=2, record=file)
    file.write_bytes(file.read_bytes()[:60])
    with pytest.warns(UserWarning, match="half written"):
        match(BOARD, [First, Last], games=2, record=file, resume=True)
    assert len(games_in(file)) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"engines": [First, "random"]}, "another match of first against last"),
        ({"seed": 1}, "another match"),
        ({"clock": "5"}, "another match"),
        ({"random_plies": 1}, "another match"),
        ({"game": games.tic_tac_toe(cols=4)}, "holds no game of tic-tac-toe"),
    ],
)
def test_the_file_of_another_match(tmp_path, change, words):
    file = tmp_path / "games"
    match(BOARD, [First, Last], games=2, record=file)
    before = file.read_bytes()
    asked = {"game": BOARD, "engines": [First, Last], "games": 4, "record": file, "resume": True, **change}
    with pytest.raises(Unsuitable, match=words):
        match(asked.pop("game"), asked.pop("engines"), **asked)
    assert file.read_bytes() == before


@pytest.mark.parametrize("text", ["dear diary", "tic-tac-toe(rows=3, cols=3, run=3)\na1 b2", "a\n\nb"])
def test_other_files_are_left_alone(tmp_path, text):
    file = tmp_path / "games"
    file.write_text(text)
    with pytest.raises(Unsuitable):
        match(BOARD, [First, Last], games=2, record=file, resume=True)
    with pytest.raises(Unsuitable, match="holds games already"):
        match(BOARD, [First, Last], games=2, record=file)
    assert file.read_text() == text


def test_a_full_disk(tmp_path, monkeypatch):
    file, write = tmp_path / "games", os.write

    def full(handle, data):
        if os.fstat(handle).st_size > 300:
            write(handle, data[:20])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data)

    monkeypatch.setattr("zermelo.play.archive.os.write", full)
    standing = match(BOARD, [First, Last], games=10, record=file)
    assert "No space left on device" in standing.stopped
    assert 0 < standing.games < 10
    assert len(games_in(file)) == standing.games
    monkeypatch.undo()
    assert match(BOARD, [First, Last], games=10, record=file, resume=True).games == 10


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_a_device_that_is_full():
    standing = match(BOARD, [First, Last], games=4, record="/dev/full")
    assert "No space left on device" in standing.stopped
    assert standing.games == 0


@pytest.mark.usefixtures("heeding_interrupts")
def test_ctrl_c_leaves_a_standing(tmp_path):
    def press(standing):
        if standing.games == 3:
            raise KeyboardInterrupt

    file = tmp_path / "games"
    standing = match(BOARD, [First, Last], games=10, record=file, listener=press)
    assert (standing.stopped, standing.games) == ("interrupt", 3)
    assert sum(standing.pentanomial) == 1
    assert match(BOARD, [First, Last], games=10, record=file, resume=True).games == 10


def test_a_game_that_is_there_twice(tmp_path):
    file = tmp_path / "games"
    match(BOARD, [First, Last], games=2, record=file)
    file.write_text(f"{file.read_text()}\n{file.read_text()}")
    with pytest.raises(Unsuitable, match="holds game 1 twice"):
        match(BOARD, [First, Last], games=4, record=file, resume=True)


def test_two_matches_cannot_write_one_file(tmp_path):
    file, said = tmp_path / "games", tmp_path / "said"

    def another():
        try:
            match(BOARD, [First, Last], games=4, record=file, resume=True)
        except Unsuitable as refused:
            said.write_text(str(refused))

    def meanwhile(standing):
        if standing.games == 2:
            process = multiprocessing.get_context("fork").Process(target=another)
            process.start()
            process.join()

    assert match(BOARD, [First, Last], games=4, record=file, listener=meanwhile).games == 4
    assert "is being written by another match" in said.read_text()
    assert len(games_in(file)) == 4
