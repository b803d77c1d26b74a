"""`zermelo serve`: one address, and one sentence for whatever is wrong."""

from __future__ import annotations

import importlib.util
import signal
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest

from zermelo.cli import main

ROOT = Path(__file__).parents[2]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says when it does not begin."""
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--no-browser", *arguments])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    return said


def test_it_serves_until_it_is_interrupted() -> None:
    command = [sys.executable, "-c", "from zermelo.cli import main; main()", "serve", "hex", "--set", "size=3"]
    command += ["--player", "alphabeta(depth=2)", "--mode", "interpreted"]
    with subprocess.Popen([*command, "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        address = httpx.URL(run.stdout.readline().strip())
        with httpx.Client(follow_redirects=True, timeout=60) as client:
            assert "Zermelo" in client.get(address).text
            asked = {"game": address.params["game"], "set": {"size": 3}}
            told = client.post(address.copy_with(path="/api/v1/position", query=None), json=asked).json()
            assert told["summary"] == "hex(size=3)"
            about = client.post(address.copy_with(path="/api/v1/game", query=None), json=asked).json()
            assert {"name": "alphabeta(depth=2)"} in about["engines"]
        run.send_signal(signal.SIGINT)
        _, complaints = run.communicate(timeout=60)
    assert complaints == ""


def test_a_port_in_use_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port} is in use: name another with --port" in refused(capsys, "--port", str(port))


def test_other_machines_must_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert "add --open-to-others if that is meant" in refused(capsys, "--host", "0.0.0.0")


def test_a_game_that_is_not_there_is_said_before_anything_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no game is called hax: did you mean hex?" in refused(capsys, "hax")
    assert "size" in refused(capsys, "hex", "--set", "size=1000")
    assert "--set is about a game" in refused(capsys, "--set", "size=3")


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_the_extra_that_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    usual = importlib.util.find_spec

    def find(name: str, *more: Any) -> Any:
        return None if name == missing else usual(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    assert f"the page needs {missing}, which is not installed: pip install 'zermelo[web]'" in refused(capsys)


def test_what_the_browser_runs_is_in_the_package() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = told["tool"]["setuptools"]["package-data"]["zermelo"]
    package = ROOT / "src" / "zermelo"
    packed = {file for pattern in patterns for file in package.glob(pattern)}
    assert {file for file in (package / "web" / "static").rglob("*") if file.is_file()} <= packed
