"""Every way in that must be closed, as the request that must fail."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import httpx
import pytest

from served import TOKEN, Running
from zermelo.web.guard import BODY

BEARER = {"Authorization": f"Bearer {TOKEN}"}
ASKED = {"game": "tic-tac-toe"}
POSITION = "/api/v1/position"


@pytest.fixture
def stranger(server: Running) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:1", "", "[::2]", "0.0.0.0"],
)
def test_another_name_for_this_machine_is_refused(stranger: httpx.Client, host: str) -> None:
    answer = stranger.get("/", headers={**BEARER, "Host": host})
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST:1234"])
def test_its_own_names_are_answered(stranger: httpx.Client, host: str) -> None:
    assert stranger.get("/", headers={**BEARER, "Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/static/start.js", "/api/v1/games", "/api/v1/analysis?q={}", "/nowhere"])
def test_nothing_is_told_without_the_token(stranger: httpx.Client, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "zermelo_token=wrong"}, {"Authorization": TOKEN}):
        answer = stranger.get(path, headers=headers)
        assert answer.status_code == 401
        assert "error" in answer.json()
    assert stranger.get("/?token=wrong").status_code == 401


def test_the_token_goes_from_the_address_into_a_cookie(stranger: httpx.Client) -> None:
    answer = stranger.get(f"/?game=hex&token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?game=hex")
    assert answer.headers["set-cookie"] == f"zermelo_token={TOKEN}; HttpOnly; SameSite=Strict; Path=/"
    stranger.cookies.set("zermelo_token", TOKEN)
    assert stranger.get("/").status_code == 200
    assert stranger.get(f"{stranger.base_url}//evil.example/?token={TOKEN}").headers["location"] == "/evil.example/"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_are_refused(api: httpx.Client, headers: dict[str, str]) -> None:
    assert api.post(POSITION, json=ASKED, headers=headers).status_code == 403
    assert api.get("/api/v1/games", headers=headers).status_code == 403


def test_another_port_of_this_machine_is_another_site(api: httpx.Client, server: Running) -> None:
    assert api.post(POSITION, json=ASKED, headers={"Origin": f"http://127.0.0.1:{server.port + 1}"}).status_code == 403
    assert api.post(POSITION, json=ASKED, headers={"Origin": server.base}).status_code == 200


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data", ""])
def test_forms_are_not_read(api: httpx.Client, kind: str) -> None:
    assert api.post(POSITION, content=json.dumps(ASKED), headers={"Content-Type": kind}).status_code == 415


def test_large_bodies_are_refused_whatever_length_they_claim(api: httpx.Client, server: Running) -> None:
    large = json.dumps({**ASKED, "position": "x" * 2 * BODY}).encode()
    assert api.post(POSITION, content=large, headers={"Content-Type": "application/json"}).status_code == 413
    with socket.create_connection(("127.0.0.1", server.port)) as line:  # in pieces, without a length
        head = f"POST {POSITION} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
        line.sendall(f"{head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        line.settimeout(30)
        try:
            for start in range(0, len(large), 1 << 16):
                piece = large[start : start + (1 << 16)]
                line.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            line.sendall(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert b" 413 " in line.recv(1 << 16).split(b"\r\n")[0]


def test_every_answer_tells_the_browser_to_be_strict(api: httpx.Client, stranger: httpx.Client) -> None:
    for answer in (api.get("/"), api.get("/nowhere"), api.post(POSITION, json={}), stranger.get("/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers or "uvicorn" in answer.headers["server"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../serving.py", "/static/%2e%2e/serving.py", "/static/..%2fserving.py",
        "/static/%2e%2e%2f%2e%2e%2fversion.py", "/static//etc/passwd", "/static/", "/static/nothing.js", "/etc/passwd",
        "/static/board.html/..",
    ],
)  # fmt: skip
def test_no_path_reaches_a_file(server: Running, path: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as line:  # as it is: clients tidy paths up
        line.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
        assert b" 404 " in line.makefile("rb").readline()


@pytest.mark.parametrize(
    "game",
    [
        "os:system", "os:mkdir", "./own_games.py:counting", "/etc/passwd", "../chomp.py", "openspiel:tic_tac_toe",
        "openspiel", "graph", "graph.json", "nowhere", "__init__", "tic_tac_toe.py", "zermelo.games.hex:hex", "",
        "a" * 10000, 7, None, ["hex"],
    ],
)  # fmt: skip
def test_only_listed_games_are_loaded(api: httpx.Client, game: object) -> None:
    answer = api.post(POSITION, json={"game": game})
    assert answer.status_code in (400, 404)
    assert len(answer.json()["error"]) < 400


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("hex", {"size": 100000}), ("hex", {"size": [3]}),
        ("hex", {"side": 3}), ("hex", {"size": 10**30}), ("hex", {"size": "3; import os"}),
        ("othello", {"rows": 10**8}), ("dark-chess", {"pieces": "K" * 300}),
        ("uniform-tree", {"depth": 10**9}), ("tic-tac-toe", {f"p{i}": 1 for i in range(40)}), ("tic-tac-toe", ["rows"]),
        ("chomp.py", {"rows": 9}), ("breakthrough", {"width": 10**9, "height": 10**9}), ("pig", {"goal": 10**9}),
    ],
)  # fmt: skip
def test_parameters_out_of_bounds_are_a_sentence(api: httpx.Client, game: str, given: object) -> None:
    answer = api.post(POSITION, json={"game": game, "set": given})
    assert answer.status_code == 400
    assert len(answer.json()["error"].splitlines()) == 1


def test_methods_are_names_and_nothing_else(api: httpx.Client) -> None:
    for method in ("gtp(command=touch /tmp/x)", "alphabeta(depth=3)", "os:system", "program:x"):
        number = api.post("/api/v1/search", json={**ASKED, "method": method}).json()["job"]
        told = api.get(f"/api/v1/jobs/{number}", params={"wait": "20"}).json()
        assert told["state"] == "failed"
        assert "no method is called" in told["error"]
