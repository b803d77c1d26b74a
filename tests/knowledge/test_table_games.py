"""Tables of the package's games against counts that others found, and builds that are killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zermelo import games
from zermelo.knowledge.building import build_table
from zermelo.knowledge.manifest import read_manifest
from zermelo.knowledge.table import Table
from zermelo.knowledge.verifying import verify_table

AWARI = {
    "capture": [(5, 0, 7), (25, 13, 40), (127, 63, 174), (596, 138, 631), (2209, 0, 2159), (5781, 1540, 5055),
                (15095, 4431, 12298), (38104, 8235, 29243)],
    "keep": [(5, 0, 7), (24, 13, 41), (121, 64, 179), (577, 143, 645), (2161, 0, 2207), (5707, 1545, 5124),
             (14944, 4483, 12397), (37806, 8333, 29443)],
    "forbidden": [(5, 0, 7), (24, 14, 40), (122, 63, 179), (579, 144, 642), (2163, 0, 2205), (5696, 1549, 5131),
                  (14922, 4484, 12418), (37765, 8349, 29468)],
}  # fmt: skip
"""Won, drawn and lost for the player to move, with 1 stone, 2 stones, and so on: by a brute force of our own, kept with
the facts about the game."""


def counts(folder: Path) -> list[tuple[int, int, int]]:
    return [(tier.won, tier.drawn, tier.lost) for tier in read_manifest(folder).tiers if tier.name != "0"]


@pytest.mark.parametrize("slam", AWARI)
def test_awari_with_few_stones(slam: str, tmp_path: Path) -> None:
    build_table(games.awari(slam=slam), tmp_path / "t", highest="3", mode="interpreted")
    assert counts(tmp_path / "t") == AWARI[slam][:3]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("slam", AWARI)
def test_awari_with_eight_stones(slam: str, threads: int, tmp_path: Path) -> None:
    game = games.awari(slam=slam)
    for memory in ("2GB", "1MB"):  # with notes of the moves, and without
        build_table(game, tmp_path / memory, highest="8", threads=threads, memory=memory)
        assert counts(tmp_path / memory) == AWARI[slam]
    assert verify_table(tmp_path / "1MB", game).wrong is None


@pytest.mark.slow  # when it is killed depends on the machine
@pytest.mark.parametrize("times", [30])
def test_builds_that_are_killed_go_on(times: int, tmp_path: Path) -> None:
    """Whenever it is killed, what it goes on with is right in the end."""
    command = [sys.executable, "-c", "from zermelo.cli import main; main()", "table", "build", "awari", "--tiers", "4"]
    whole = build_table(games.awari(), tmp_path / "whole", highest="4", mode="interpreted")
    chance, caught = random.Random(5), 0
    for attempt in range(times):
        folder = tmp_path / str(attempt)
        command_here = [*command, "--out", str(folder), "--mode", "interpreted"]
        process = subprocess.Popen(command_here, stdout=subprocess.DEVNULL)
        while not (folder / "work").exists():
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        caught += not read_manifest(folder).complete
        again = build_table(games.awari(), folder, highest="4", mode="interpreted")
        assert [tier.sha256 for tier in again.tiers] == [tier.sha256 for tier in whole.tiers]
    assert caught > 0


def test_values_are_looked_up_with_the_points_so_far(tmp_path: Path) -> None:
    game = games.awari()
    build_table(game, tmp_path / "t", highest="3", mode="interpreted")
    table = Table.open(tmp_path / "t", game)
    for number in range(0, 364, 41):
        state = game.start.copy()
        assert game.unindex(state, 3, number)
        position = game.position()
        fresh = type(position)(game, state)
        assert table.probe(fresh).score == max(
            (found.score for _, found in table.moves(fresh)), default=table.probe(fresh).score
        )
