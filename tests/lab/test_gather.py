"""Gathering: results in order, on several cores, kept when a run is killed, and never mixed with others."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import lab_tasks as tasks
import pytest

from zermelo.lab.experiment import Settings
from zermelo.lab.gather import forget, gather, partial
from zermelo.rules import Unsuitable

PATIENCE = 60


def work_of(folder: Path, numbers: range) -> list[tuple[str, int]]:
    return [(str(folder), number) for number in numbers]


def asked(folder: Path) -> list[int]:
    """The numbers that were squared, as often as they were."""
    return sorted(int(file.name.split(".")[0]) for file in folder.iterdir() if file.name[0].isdigit())


def expected(numbers: range) -> list[dict[str, object]]:
    return [{"square": n * n, "pair": [n, None]} for n in numbers]


def silent(words: str) -> None:
    pass


@pytest.mark.parametrize("cores", [1, 3])
def test_results_come_in_the_order_of_the_tasks(tmp_path: Path, cores: int) -> None:
    settings = Settings(10, cores=cores, folder=tmp_path)
    said: list[str] = []
    assert gather(settings, "squares", work_of(tmp_path, range(10)), tasks.square, said.append) == expected(range(10))
    assert said[-1] == "squares: 10 of 10"
    workers = {file.read_text() for file in tmp_path.iterdir() if file.name[0].isdigit()}
    assert len(workers) == 1 if cores == 1 else len(workers) > 1
    forget(settings, "squares")
    assert not partial(settings, "squares").exists()


def test_what_is_kept_is_not_measured_again(tmp_path: Path) -> None:
    settings = Settings(4, folder=tmp_path)
    gather(settings, "squares", work_of(tmp_path, range(4)), tasks.square, silent)
    more = replace(settings, samples=6, cores=2)
    assert gather(more, "squares", work_of(tmp_path, range(6)), tasks.square, silent) == expected(range(6))
    assert asked(tmp_path) == [0, 1, 2, 3, 4, 5]
    fresh = replace(settings, fresh=True)
    gather(fresh, "squares", work_of(tmp_path, range(2)), tasks.square, silent)
    assert asked(tmp_path) == [0, 0, 1, 1, 2, 3, 4, 5]


def test_lines_that_are_no_results_are_ignored(tmp_path: Path) -> None:
    settings = Settings(3, folder=tmp_path)
    gather(settings, "squares", work_of(tmp_path, range(3)), tasks.square, silent)
    file = partial(settings, "squares")
    lines = file.read_text().splitlines()
    lines[2] = "{not json"
    file.write_text("\n".join([*lines[:3], "7", '{"task": 3}', lines[3][:20]]))  # the last one torn, as by a kill
    assert gather(settings, "squares", work_of(tmp_path, range(3)), tasks.square, silent) == expected(range(3))
    assert asked(tmp_path) == [0, 1, 1, 2, 2]
    assert gather(settings, "squares", work_of(tmp_path, range(3)), tasks.square, silent) == expected(range(3))
    assert asked(tmp_path) == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("other", [{"seed": 7}, {"parameters": {"depth": 3}}, {"what": "hex"}])
def test_results_of_other_settings_are_set_aside(tmp_path: Path, other: dict[str, object]) -> None:
    settings = Settings(2, folder=tmp_path)
    gather(settings, "squares", work_of(tmp_path, range(2)), tasks.square, silent)
    kept = partial(settings, "squares").read_text()
    said: list[str] = []
    gather(replace(settings, **other), "squares", work_of(tmp_path, range(2)), tasks.square, said.append)  # type: ignore[arg-type]
    assert "was set aside as squares.partial.jsonl.1" in said[0]
    assert (tmp_path / "squares.partial.jsonl.1").read_text() == kept
    assert asked(tmp_path) == [0, 0, 1, 1]


def test_another_file_of_the_same_name_is_another_setting(tmp_path: Path) -> None:
    file = tmp_path / "cover.txt"
    file.write_text("a")
    settings = Settings(2, what=str(file), folder=tmp_path / "out")
    gather(settings, "squares", work_of(tmp_path, range(2)), tasks.square, silent)
    file.write_text("b")
    gather(settings, "squares", work_of(tmp_path, range(2)), tasks.square, silent)
    assert asked(tmp_path) == [0, 0, 1, 1]


@pytest.mark.parametrize("cores", [1, 2])
def test_a_failure_is_told(tmp_path: Path, cores: int) -> None:
    settings = Settings(6, cores=cores, folder=tmp_path)
    with pytest.raises(Unsuitable, match="three is not to my liking"):
        gather(settings, "failing", [0, 1, 2, 3, 4, 5], tasks.fail, silent)
    kept = [json.loads(line)["result"] for line in partial(settings, "failing").read_text().splitlines()[1:]]
    assert {0, 1, 2, 4, 5} >= set(kept)


def test_a_process_that_dies_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match="was killed"):
        gather(Settings(2, cores=2, folder=tmp_path), "dying", [1, 2], tasks.die, silent)


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unsuitable, match="cannot be used"):
        gather(Settings(1, folder=tmp_path / "file"), "squares", [1], tasks.fail, silent)


def run_and_signal(folder: Path, cores: int, signal_number: int) -> tuple[int, str]:
    """A run in a process of its own that gets a signal when all but the endless one of 14 tasks are kept."""
    command = [sys.executable, str(Path(tasks.__file__)), str(folder), str(cores), "14"]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )
    deadline = time.monotonic() + PATIENCE
    file = partial(Settings(14, folder=folder), "squares")
    while not file.exists() or file.read_text().count("\n") < 14:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal_number)
    _, words = process.communicate(timeout=PATIENCE)
    return process.returncode, words


@pytest.mark.slow
def test_the_command_says_how_far_it_got(tmp_path: Path) -> None:
    command = "from zermelo.cli import main; main()"
    arguments = ["lab", "fastest-cut-first", "--samples", "100000", "--set", "depth=3", "--out", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *arguments], stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    file = tmp_path / "fastest-cut-first.partial.jsonl"
    deadline = time.monotonic() + PATIENCE
    while not file.exists() or file.read_text().count("\n") < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "zermelo: interrupted after " in words.splitlines()[-1]
    assert "Traceback" not in words


@pytest.mark.parametrize("cores", [1, 2])
def test_ctrl_c_says_how_far_it_got_and_the_same_command_goes_on(tmp_path: Path, cores: int) -> None:
    code, words = run_and_signal(tmp_path, cores, signal.SIGINT)
    assert code == 130
    assert "interrupted after 13 of 14, which are kept: the same command goes on" in words
    settings = Settings(13, folder=tmp_path)
    assert gather(settings, "squares", work_of(tmp_path, range(13)), tasks.square, silent) == expected(range(13))
    assert asked(tmp_path) == [*range(13)]


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    code, _ = run_and_signal(tmp_path, 2, signal.SIGKILL)
    assert code == -signal.SIGKILL
    settings = Settings(13, folder=tmp_path)
    assert gather(settings, "squares", work_of(tmp_path, range(13)), tasks.square, silent) == expected(range(13))
    assert [number for number in asked(tmp_path) if number != 13] == [*range(13)]
