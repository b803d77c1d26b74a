"""check, warmup, cache and bench."""

from __future__ import annotations

import os

import pytest


def test_check_finds_nothing_wrong(zermelo, nim):
    done = zermelo("check", nim("nim_right"), "--games", 5, "--seed", 3)
    assert done.code == 0
    assert "5 random games" in done.out
    assert "no problem found" in done.out


def test_check_reports_each_problem_on_a_line(zermelo, nim):
    done = zermelo("check", nim("nim_wrong", "SCORE = 5\n"), "--games", 5)
    assert done.code == 1
    problems = [line for line in done.out.splitlines() if line.startswith("- ")]
    assert len(problems) == 1
    assert "outside the declared values" in problems[0]


def test_check_wants_a_game(zermelo):
    assert zermelo("check", "tic-tac-toe", "--games", 0).code == 2


def test_warmup_has_nothing_to_do_for_interpreted_games(zermelo, nim):
    done = zermelo("warmup", nim("nim_slow"))
    assert (done.code, done.out) == (0, "nim runs interpreted: there is nothing to compile\n")


@pytest.mark.slow
def test_warmup_compiles(zermelo):
    done = zermelo("warmup", "connect-four", "--set", "width=4", "--set", "height=4")
    assert done.code == 0
    assert "solve (mtdf) and search (mcts) ready in" in done.out
    assert "kernels are kept in" in done.out
    answered = zermelo("solve", "connect-four", "--set", "width=4", "--set", "height=4", "--json").json
    assert (answered["value"], answered["mode"]) == (0, "compiled")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    for number in range(3):
        (tmp_path / f"old-{number}.kernel").write_bytes(bytes(1024))
    return tmp_path


def test_cache_tells_its_size(zermelo, cache):
    done = zermelo("cache")
    assert done.out.splitlines() == [f"folder   {cache}", "kernels  3", "size     3.0 KB"]


@pytest.mark.skipif(os.name != "posix", reason="files have no owners here")
def test_cache_tells_that_it_is_refused(zermelo, cache):
    cache.chmod(0o777)
    *rows, refused = zermelo("cache").out.splitlines()
    assert len(rows) == 3
    assert refused.startswith(f"refused  {cache} can be written by others")
    assert "chmod go-w" in refused


def test_cache_is_cleared(zermelo, cache):
    assert zermelo("cache", "--clear").out == f"3 kernels deleted from {cache}\n"
    assert not list(cache.iterdir())
    assert "size     0 bytes" in zermelo("cache").out


@pytest.fixture
def benchmarks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "bench_quick.py").write_text("open('ran', 'a').write('quick ')")
    (folder / "bench_wrong.py").write_text("raise SystemExit(3)")
    return tmp_path


def test_bench_runs_what_is_named(zermelo, benchmarks):
    assert zermelo("bench", "quick").code == 0
    assert (benchmarks / "ran").read_text() == "quick "


def test_bench_runs_all_and_reports_failures(zermelo, benchmarks):
    done = zermelo("bench")
    assert (done.code, done.err) == (1, "zermelo: failed: wrong\n")
    assert (benchmarks / "ran").read_text() == "quick "


def test_bench_without_benchmarks(zermelo, benchmarks, tmp_path_factory, monkeypatch):
    assert "did you mean quick?" in zermelo("bench", "quik").err
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    done = zermelo("bench")
    assert done.code == 2
    assert "come with the source tree" in done.err


def test_python_runs_the_package_as_the_command(process):
    module = "import runpy; runpy.run_module('zermelo', run_name='__main__', alter_sys=True)"
    assert process("--help", code=module) == process("--help")
