"""No file runs code: what a forged file says is refused in one sentence, nothing is imported and nothing is created."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Outcome, Runner
from zermelo import games
from zermelo.certificates.certificate import MAGIC, Certificate, Damaged
from zermelo.certificates.checker import verify
from zermelo.certificates.explaining import explain
from zermelo.certificates.proving import prove
from zermelo.lab.experiment import Settings
from zermelo.lab.gather import is_table, partial
from zermelo.rules import Position, ZermeloError

EVIL = "open('touched', 'w').close()\ndef game(**anything):\n    open('called', 'w').close()\nfactory = game\n"
GRAPH = {"root": "A", "nodes": {"A": {"turn": "max", "moves": ["B"]}, "B": {"value": 1}}}
LOOP = {
    "root": "A", "repetition": "draw",
    "nodes": {"A": {"turn": "max", "moves": ["B"]}, "B": {"turn": "min", "moves": ["A", "C"]}, "C": {"value": 1}},
}  # fmt: skip


@pytest.fixture(scope="module")
def made() -> bytes:
    return prove(games.tic_tac_toe(), at_least=0, mode="interpreted").encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with code that leaves traces if it is run, and files that leave none if they are only read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    (tmp_path / "evil.py").write_text(EVIL)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text(EVIL)
    (tmp_path / "x.json").write_text(json.dumps(GRAPH))
    return tmp_path


def forged(data: bytes, change: Callable[[dict[str, Any]], None] | bytes) -> bytes:
    """A certificate with another header and a checksum that fits."""
    begin = len(MAGIC) + 8
    length = int.from_bytes(data[begin - 4 : begin], "little")
    if isinstance(change, bytes):
        text = change
    else:
        header = json.loads(data[begin : begin + length])
        change(header)
        text = json.dumps(header).encode()
    body = data[: begin - 4] + len(text).to_bytes(4, "little") + text + data[begin + length : -32]
    return body + hashlib.sha256(body).digest()


def files(folder: Path) -> set[Path]:
    return {file for file in folder.rglob("*") if "__pycache__" not in file.parts}


def refused(outcome: Outcome) -> None:
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("zermelo: ")
    assert outcome.err.count("\n") == 1
    assert len(outcome.err) < 1100
    assert "Traceback" not in outcome.err


def run_all(zermelo: Runner, folder: Path, data: bytes, *more: str) -> Iterator[Outcome]:
    """What every command says of a certificate; whatever it is, no trace may be left."""
    (folder / "x.proof").write_bytes(data)
    before, modules = files(folder), set(sys.modules)
    for command, *options in (["verify"], ["verify", "--anyway", "--json"], ["explain"], ["explain", "--svg", "p"]):
        yield zermelo(command, "x.proof", *options, *more)
        assert files(folder) == before
    fresh = {name for name in set(sys.modules) - modules if not name.startswith("zermelo")}
    assert not {name for name in fresh if "evil" in name or "package" in name}
    for path in ("x.proof", Path("x.proof")):
        for judge in (verify, lambda path: explain(Certificate.load(path))):
            with pytest.raises(ZermeloError):
                judge(path)  # type: ignore[operator]
    assert files(folder) == before


NAMES: list[Any] = [
    "os:system", "subprocess:getoutput", "builtins:exec", "evil:game", "evil:factory", "package:game", "evil",
    "package", "evil.py", "./evil.py", "evil.py:game", "package/__init__.py:game", "../x.json", "x.json", "./x.json",
    "/etc/passwd", "~/x.json", "~/evil.py", "file:///etc/passwd", "graph", "zermelo.games.graph:graph",
    "zermelo.rules.files:save", "../tic-tac-toe", "tic_tac_toe", "tic-tac-toe ", "TIC-TAC-TOE", "__init__", "",
    "openspiel:tic_tac_toe(rows=3)", "openspiel:efg_game(filename=/etc/passwd)", "openspiel:efg_game",
    "openspiel:crossword", "openspiel:../x", "openspiel:", "openspiel", "openspiel:evil:game", "x" * 100_000,
    7, 1.5, True, [], ["tic-tac-toe"], {}, {"tic-tac-toe": 1},
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=lambda name: repr(name)[:40])
def test_forged_games(zermelo: Runner, folder: Path, made: bytes, name: Any) -> None:
    spiel = isinstance(name, str) and name.startswith("openspiel")
    for parameters in ({}, {"game": "efg_game(filename=x.json)"}) if spiel else ({"file": "x.json"},):

        def change(header: dict[str, Any], parameters: Any = parameters) -> None:
            header["game"], header["parameters"] = name, parameters

        for outcome in run_all(zermelo, folder, forged(made, change)):
            refused(outcome)


def test_a_game_that_the_file_does_not_name(zermelo: Runner, folder: Path, made: bytes) -> None:
    def change(header: dict[str, Any]) -> None:
        header["game"] = None

    for outcome in run_all(zermelo, folder, forged(made, change)):
        refused(outcome)
        assert "name it yourself with --game" in outcome.err


def test_settings_do_not_open_the_door(zermelo: Runner, folder: Path, made: bytes) -> None:
    def change(header: dict[str, Any]) -> None:
        header["game"] = "evil:game"

    for outcome in run_all(zermelo, folder, forged(made, change), "--set", "rows=3"):
        refused(outcome)


PARAMETERS: list[Any] = [
    None, 7, "rows=3", [["rows", 3]], {"rows": [3]}, {"rows": {"rows": 3}}, {"rows": "3"}, {"rows": None},
    {"rows": True}, {"rows": 3.0}, {"rows": 10**30}, {"rows": -(10**18)}, {"rows": 10**18},
    {"rows": float("nan")}, {"file": "x.json"},
    {"__class__": 3}, {"x" * 100_000: 1}, {"rows": "x" * 100_000}, {"rows": [[[[[]]]]]},
]  # fmt: skip


@pytest.mark.parametrize("parameters", PARAMETERS, ids=lambda given: repr(given)[:40])
def test_forged_parameters(zermelo: Runner, folder: Path, made: bytes, parameters: Any) -> None:
    def change(header: dict[str, Any]) -> None:
        header["parameters"] = parameters

    if parameters is None:  # which is to give none
        return
    for outcome in run_all(zermelo, folder, forged(made, change)):
        refused(outcome)


@pytest.mark.parametrize("name", [n for n in games.names() if n not in ("graph", "openspiel")])
def test_parameters_of_every_game(name: str, folder: Path) -> None:
    """Only numbers, switches and plain words are declared, and what is too large is refused before it takes room."""
    before = files(folder)
    for parameter in inspect.signature(games.factory(name)).parameters.values():
        assert parameter.annotation in ("int", "bool", "float", "str")
        games.from_file(name, {parameter.name: parameter.default})
        unfit = [None, [], {}, b"x", (3,), "../x", "x.json", "/etc/passwd", "a\nb", "x" * 300, 1 << 63, float("inf")]
        for value in unfit:
            with pytest.raises(ZermeloError):
                games.from_file(name, {parameter.name: value})
        for value in (0, -1, 10**6, 2**31, 2**62) if parameter.annotation == "int" else ():
            try:
                built = games.from_file(name, {parameter.name: value})
            except ZermeloError:
                continue
            assert built.has_chance or built.max_plies * built.max_moves < 10**8  # with chance nothing is checked
    assert files(folder) == before


def test_a_game_that_somebody_installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is listed, but what it does with what a file says nobody here knows."""

    class Point:
        name = "evil"

        def load(self) -> Any:
            raise AssertionError("it was loaded")

    monkeypatch.setattr(games, "_plugins", lambda: {"evil": Point()})
    assert "evil" in games.names()
    with pytest.raises(ZermeloError, match="name it yourself with --game"):
        games.from_file("evil")


HEADERS: list[bytes] = [
    b"", b"null", b"7", b'"text"', b"[]", b"{}", b"[" * 100_000, b'{"proofs": 7}', b'{"proofs": "ab"}',
    b'{"proofs": []}', b'{"proofs": {"claim": 1}}', b'{"proofs": [null]}', b"1" * 5000, b"\xff\xfe",
]  # fmt: skip


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: repr(header)[:30])
def test_headers_that_are_something_else(zermelo: Runner, folder: Path, made: bytes, header: bytes) -> None:
    for outcome in run_all(zermelo, folder, forged(made, header)):
        refused(outcome)
        assert "header cannot be read" in outcome.err


CHANGES: list[tuple[str, Any]] = [
    ("start", None), ("start", []), ("start", "text"), ("start", {"text": None}), ("start", {"text": 7}),
    ("start", {"state": 7}), ("start", {"state": "00" * 1000}), ("start", {"state": "ff"}), ("start", {"text": "@@"}),
    ("start", {"text": "x" * 100_000}), ("moves", None), ("moves", 7), ("moves", [7]), ("moves", [None]),
    ("moves", [["a1"]]), ("moves", ["os:system"]), ("graph", 7), ("graph", "x.json"), ("graph", []),
    ("graph", {"root": "x.json"}), ("graph", {**GRAPH, "file": "x.json"}),
    ("graph", {**GRAPH, "values": [-(10**400), 1]}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), CHANGES, ids=lambda value: repr(value)[:40])
def test_forged_positions_and_graphs(zermelo: Runner, folder: Path, made: bytes, key: str, value: Any) -> None:
    def change(header: dict[str, Any]) -> None:
        header[key] = value

    for outcome in run_all(zermelo, folder, forged(made, change)):
        refused(outcome)


@pytest.mark.parametrize("key", ["game", "parameters", "graph", "start", "moves", "proofs"])
def test_headers_that_lack_something(zermelo: Runner, folder: Path, made: bytes, key: str) -> None:
    for outcome in run_all(zermelo, folder, forged(made, lambda header: header.pop(key))):
        refused(outcome)


NUMBERS = [10**400, -(10**400), float("nan"), float("inf"), [], {}, "1", True, 10**30]


@pytest.mark.parametrize("key", ["value", "ours", "positions", "longest", "bytes", "width"])
def test_forged_numbers(made: bytes, key: str) -> None:
    for number in NUMBERS:

        def change(header: dict[str, Any], number: Any = number) -> None:
            header["proofs"][0][key] = number

        with pytest.raises(Damaged, match="header cannot be read"):
            Certificate.decode(forged(made, change))


def test_states_that_no_rule_has_looked_at(folder: Path) -> None:
    """A state given as bytes may be anything: rules are run on it as Python, which looks where it reads."""
    (folder / "loop.json").write_text(json.dumps(LOOP))
    game = games.load("loop.json")
    start = game.position("@B")
    certificate = prove(start, at_least=0, mode="interpreted")
    assert "state" in certificate.about["start"]
    assert verify(Certificate.decode(certificate.encode())).mode == "interpreted"
    for node in ("ffffff7f", "00000080", "10000000", "0000000000000000"):

        def change(header: dict[str, Any], node: str = node) -> None:
            header["start"] = {"state": node}

        with pytest.raises(ZermeloError):
            verify(Certificate.decode(forged(certificate.encode(), change)))
    four = games.connect_four(width=4, height=4)
    full = Position(four, four.State(mine=1 << 60, filled=(1 << 64) - 1, plies=3))  # type: ignore[misc]
    data = prove(four.position("1122334"), at_least=-1, mode="interpreted").encode()

    def filled(header: dict[str, Any]) -> None:
        header["start"], header["moves"] = {"state": full.state.tobytes().hex()}, []

    with contextlib.suppress(ZermeloError):
        assert verify(Certificate.decode(forged(data, filled))).mode == "interpreted"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"root": ' * 50_000, "1" * 5000, '{"root": 1' + "0" * 4000 + "}"])
@pytest.mark.parametrize("command", [("solve", "x.json"), ("proof-graph", "x.json"), ("lab", "set-cover", "x.json")])
def test_json_that_is_too_much(zermelo: Runner, folder: Path, command: tuple[str, ...], text: str) -> None:
    (folder / "x.json").write_text(text)
    refused(zermelo(*command))


@pytest.mark.parametrize("key", ["value", "estimate", "weight", "values"])
def test_numbers_of_graph_files(zermelo: Runner, folder: Path, key: str) -> None:
    for number in ("1" + "0" * 400, "NaN", "-Infinity", "[]", "{}", '"1"', "true", "null"):
        leaf = f'"{key}": {number}' if key in ("value", "estimate") else '"value": 1'
        weight = number if key == "weight" else "1"
        values = f', "values": [{number}, 1]' if key == "values" and number != "null" else ""
        if key == "values" and not values:
            continue
        coin = f'{{"turn": "chance", "moves": {{"B": {weight}}}}}'
        (folder / "x.json").write_text(f'{{"root": "A"{values}, "nodes": {{"A": {coin}, "B": {{{leaf}}}}}}}')
        refused(zermelo("solve", "x.json"))


ORDERS = [
    "[" * 100_000, '[{"game": "os:system"}]', "7", '{"a": 1}', "1" * 5000,
    '[{"game": "graph", "parameters": {}, "order": ["os:system"], "cut": {}}]',
    '[{"game": "graph", "parameters": {}, "order": "hash", "cut": {}}]',
    '[{"game": "graph", "parameters": {}, "order": [["hash"]], "cut": {}}]',
    '[{"game": "graph", "parameters": [], "order": [], "cut": {}}]',
    '[{"game": "graph", "parameters": {}, "order": [], "cut": {"__class__": 1}}]',
    '[{"game": "graph", "parameters": {}, "order": [], "cut": {"size": 1' + "0" * 400 + "}}]",
    '[{"game": "graph", "parameters": {}, "order": [], "cut": {"depth": 1' + "0" * 400 + "}}]",
    '[{"game": "graph", "parameters": {}, "order": [], "cut": {"form": ["weighted"]}}]',
]  # fmt: skip


@pytest.mark.parametrize("text", ORDERS, ids=lambda text: text[:60])
def test_forged_orders(zermelo: Runner, folder: Path, text: str) -> None:
    (folder / "x.order.json").write_text(text)
    before = files(folder)
    refused(zermelo("solve", "x.json", "--method", "alphabeta"))
    assert files(folder) == before


RESULTS = ["7", '"os:system"', "[]", "{}", "[[1]]", '[["a", "b", "c"]]', "[[1, 0, 1]]", "[[NaN, NaN, NaN]]", "null"]


@pytest.mark.parametrize("result", RESULTS)
def test_forged_results_of_experiments(zermelo: Runner, folder: Path, result: str, monkeypatch: Any) -> None:
    """An unfinished run whose results were changed."""
    import zermelo.lab.skat as skat
    from zermelo.lab.gather import Interrupted

    arguments = ("lab", "skat", "--samples", "1", "--cores", "1", "--out", "lab")

    def one(task: Any) -> Any:
        if partial(Settings(1), "skat").read_text().count("\n") > 1:
            raise Interrupted("enough")
        return [[1, 1.0, 61.0]]

    one.__name__ = "search_deals"
    monkeypatch.setattr(skat, "search_deals", one)
    assert zermelo(*arguments).code == 130
    file = folder / "lab" / "skat.partial.jsonl"
    head, first, *_ = file.read_text().split("\n")
    task = first.partition(', "result": ')[0]
    file.write_text(f'{head}\n{task}, "result": {result}}}\n{"[" * 100_000}\n')
    before = files(folder)
    refused(zermelo(*arguments))
    assert files(folder) == before


def test_tables_of_numbers() -> None:
    assert is_table([[1, 2.5], [0, 3]], 2, 2)
    for other in ([[1, 2]], [[1], [2]], [[1, 2], [3, -1]], [[1, 2], [3, True]], [[1, 2], "ab"], "ab", None):
        assert not is_table(other, 2, 2)
