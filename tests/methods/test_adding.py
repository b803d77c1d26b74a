"""A search is added by one file: it is then listed, chosen by its text, and has all that the others have."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import oracles
import zermelo as z
from zermelo import minimax
from zermelo.cli import main
from zermelo.methods.registry import methods

FILE = '''
"""Alpha-beta that looks at moves backwards."""

from zermelo.core.method import Method


def backwards(mode, parts):
    visit, opposes = parts.nodes.visit, parts.nodes.opposes
    descend, arrange, pick = parts.table.descend, parts.ordering.arrange, parts.ordering.pick

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        done, lower, upper = visit(ws, ply, depth)
        if done:
            return lower
        n = arrange(ws, ply, -1)
        best = alpha
        for i in range(n):
            pick(ws, ply, i, n)
        for i in range(n - 1, -1, -1):
            descend(ws, ply, ws.moves[ply][i], depth)
            if opposes(ws, ply):
                value = -search(ws, ply + 1, depth - 1, -beta, -best)
            else:
                value = search(ws, ply + 1, depth - 1, best, beta)
            if ws.stop != 0:
                return best
            best = max(best, value)
            if best >= beta:
                break
        return best

    return search


METHOD = Method(name="backwards", summary="alpha-beta from the other end", source="this test", kernel=backwards)
'''


@pytest.fixture
def _added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "backwards.py").write_text(FILE)
    monkeypatch.setattr(minimax, "__path__", [*minimax.__path__, str(tmp_path)])
    methods.cache_clear()
    yield
    sys.modules.pop("zermelo.minimax.backwards", None)
    methods.cache_clear()


@pytest.mark.usefixtures("_added")
def test_one_file_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    position = z.games.tic_tac_toe().position("a1 b2")
    for mode in ("interpreted", "compiled"):
        answer = z.solve(position, method="backwards(table=off)", mode=mode)
        assert (answer.value, answer.status, answer.method) == (oracles.value(position), "proven", "backwards")
        assert answer.complete
    assert z.best_move(position, "backwards(depth=3)", mode="interpreted") in position.moves()
    proof = z.prove(position, at_least=0, method="backwards(mode=interpreted)")
    assert z.verify(position.game, proof, mode="interpreted").holds
    with pytest.raises(z.UnknownName, match=r"no method is called backward: did you mean backwards\?"):
        z.request("backward")
    with pytest.raises(SystemExit) as left:
        main(["methods"])
    assert left.value.code == 0
    assert "alpha-beta from the other end" in capsys.readouterr().out
