"""Proofs, search trees, tables and books, and the laboratory: by the API, and in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

import zermelo as z
from served import TOKEN, Running, Tab, running
from zermelo import games
from zermelo.knowledge.building import build_table
from zermelo.web.catalogue import Catalogue
from zermelo.web.proofs import named_proof
from zermelo.web.serving import application, own_games

WON = "XX-OO----"  # X is to move and wins at once, or loses a move later


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pages")
    z.prove(games.tic_tac_toe(), mode="interpreted").save(made / "draw.proof")
    board = games.tic_tac_toe()
    build_table(board, made / "ends", position=board.position("xoxo-----"), mode="interpreted")
    (made / "star.csv").write_text("method,nodes\nstar1,12\n")
    (made / "star.md").write_text("| method | nodes |\n|---|---|\n| star1 | 12 |\n\nSeed 0.\n")
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15">x</text></svg>'
    (made / "star.svg").write_text(picture)
    (made / "secret.txt").write_text("not for everybody")
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Running]:
    proofs = {"draw.proof": named_proof(folder / "draw.proof", None, {})}
    own = own_games(["tic-tac-toe"], {}, [folder / "ends"])
    catalogue = Catalogue([name for name in games.names() if name != "tic-tac-toe"], own, proofs)
    app = application(catalogue, TOKEN, {"mode": "interpreted", "memory": "8MB"}, lab=folder)
    with running(app) as answering:
        yield answering


def done(api: httpx.Client, path: str, **asked: object) -> dict[str, object]:
    """The answer of a job."""
    number = api.post(f"/api/v1/{path}", json=asked).json()["job"]
    while True:
        found = api.get(f"/api/v1/jobs/{number}?wait=20").json()
        if found["state"] in ("done", "failed", "stopped"):
            return found["answer"] or found


# proofs


def test_a_walk_ends_where_the_proof_says(api: httpx.Client) -> None:
    """Every reply is tried at every step of the longest defence; each line is no longer than was said."""
    for side in (0, 1):
        step = done(api, "open-proof", proof="draw.proof", side=side)
        assert step["sides"] == [0, 1]
        moves: list[str] = []
        while step["role"] != "over":
            for branch in step["branches"]:
                line = api.post("/api/v1/proof", json={"side": side, "moves": [*moves, branch["text"]]}).json()
                assert len(line["line"]) == branch["longest"]
            if step["role"] == "opponent":
                assert {branch["text"] for branch in step["branches"]} == {m["text"] for m in step["view"]["moves"]}
            moves.append(step["line"][0])
            step = api.post("/api/v1/proof", json={"side": side, "moves": moves}).json()
        score = step["view"]["result"]
        assert score >= 0 if side == 0 else score <= 0


def test_a_move_that_is_not_in_the_proof(api: httpx.Client) -> None:
    first = done(api, "open-proof", proof="draw.proof", side=0)
    other = next(m["text"] for m in first["view"]["moves"] if m["text"] != first["branches"][0]["text"])
    step = api.post("/api/v1/proof", json={"side": 0, "moves": [other]}).json()
    assert step["role"] == "outside"
    assert step["words"] == f"The proof plays {first['branches'][0]['text']} here and says nothing of {other}."


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"proof": "other.proof"}, "no proof is called 'other.proof' here"),
        ({"proof": "../draw.proof"}, "no proof is called"),
        ({"side": 2}, "side is 0 for the first player's strategy"),
        ({"moves": ["z9"]}, "'z9' is not a legal move here"),
    ],
)
def test_what_is_refused(api: httpx.Client, asked: dict[str, object], words: str) -> None:
    answer = api.post("/api/v1/proof", json=asked)
    assert answer.status_code in (400, 404)
    assert words in answer.json()["error"]


def test_a_certificate_of_other_rules(tmp_path: Path) -> None:
    z.prove(games.tic_tac_toe(), mode="interpreted", at_least=0).save(tmp_path / "p")
    with pytest.raises(z.Unsuitable, match="are not those that .* was made with"):
        named_proof(tmp_path / "p", "tic-tac-toe", {"rows": "3", "cols": "4"})
    (tmp_path / "p").write_bytes(b"something else")
    with pytest.raises(z.ZermeloError):
        named_proof(tmp_path / "p", None, {})


def test_the_proof_page(tab: Tab) -> None:
    page = tab.page
    page.goto(f"{tab.server.base}/proof?proof=draw.proof&side=0&token={tab.server.token}")
    replies = page.locator("#replies .reply")
    expect(replies).to_have_count(8)  # the strategy has made its first move by itself
    expect(page.locator("#claim")).to_have_text("The first player scores at least 0")
    replies.nth(3).locator(".why").click()
    expect(page.locator(".out .step").first).to_have_text(replies.nth(3).locator(".text").inner_text())
    free = page.locator("#board [data-spot]:not(:has(.piece))").first
    free.click()
    expect(page.locator("#walk .step")).to_have_count(3)  # a reply, and the answer to it
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#walk .step")).to_have_count(1)
    while page.locator("#role").inner_text().lower() != "the end":
        shown = page.locator("#walk .step").count()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#walk .step")).not_to_have_count(shown)
    assert "as claimed" in page.inner_text("#words")


# search trees


def test_a_tree_adds_up_and_opens_as_it_was_searched(api: httpx.Client) -> None:
    asked = {"game": "connect-four", "set": {"width": 4, "height": 4}, "moves": ["2"]}
    root = done(api, "tree", **asked, depth=4)
    position = games.connect_four(width=4, height=4).position("2")
    whole = z.search(position, "alphabeta(depth=4, table=off, order=order)", mode="interpreted")
    assert root["value"] == whole.value
    assert root["nodes"] == 1 + sum(move["nodes"] for move in root["moves"])
    for move in root["moves"]:
        low, high = move["window"]
        child = done(api, "tree", **asked | {"moves": ["2", move["text"]]}, depth=3, low=low, high=high)
        assert (child["value"], child["nodes"]) == (move["value"], move["nodes"])


def test_what_was_cut(api: httpx.Client) -> None:
    found = done(api, "tree", game="tic-tac-toe", position=WON, depth=2, low=0, high=1)
    states = [move["state"] for move in found["moves"]]
    assert states[states.index("cut") :] == ["cut"] * states.count("cut")
    assert found["kind"] == "at least"


def test_dice_are_averaged(api: httpx.Client) -> None:
    found = done(api, "tree", game="pig", set={"goal": 5}, moves=["roll"], depth=1)
    assert found["why"] == "the mean of all outcomes"
    mean = sum(move["value"] for move in found["moves"]) / 6
    assert found["value"] == pytest.approx(mean)


def test_the_tree_page(tab: Tab) -> None:
    page = tab.page
    page.goto(f'{tab.server.base}/tree?game=hex&set={{"size":4}}&token={tab.server.token}')
    page.wait_for_selector(".branch")
    assert page.locator("#tree > ul > li > .branch").count() == 8  # of 16: the rest is one line
    expect(page.locator(".more")).to_contain_text("8 more")
    page.locator(".branch").nth(1).click()
    page.wait_for_selector("li[aria-expanded=true]")
    assert page.locator("#board .piece").count() == 1
    expect(page.locator("li[aria-expanded=true] .cut")).to_contain_text("not looked at")


# tables and books


def test_a_table_says_what_is_so(api: httpx.Client) -> None:
    told = api.post("/api/v1/shelf", json={"game": "tic-tac-toe", "position": "xoxo-----"}).json()
    (table,) = told["tables"]
    assert (table["name"], table["holds"]) == ("ends", True)
    for one in table["moves"]:
        after = games.tic_tac_toe().position("xoxo-----").play(one["move"])
        assert one["score"] == z.solve(after, mode="interpreted").value
    (before,) = api.post("/api/v1/shelf", json={"game": "tic-tac-toe"}).json()["tables"]
    assert before["holds"] is False


def test_the_table_page(tab: Tab) -> None:
    page = tab.page
    page.goto(f"{tab.server.base}/shelf?game=tic-tac-toe&position=xoxo-----&token={tab.server.token}")
    page.wait_for_selector("#found .worth")
    page.locator("#found .step").first.click()
    page.wait_for_function("() => new URLSearchParams(location.search).get('moves')")
    page.click("#back")
    page.wait_for_function("() => !new URLSearchParams(location.search).get('moves')")


# the laboratory


def test_results_are_shown_and_nothing_else(api: httpx.Client) -> None:
    listed = api.get("/api/v1/lab").json()["experiments"]
    assert [entry["name"] for entry in listed if entry["run"]] == ["star"]
    shown = api.get("/api/v1/lab/star").json()
    assert (shown["head"], shown["rows"]) == (["method", "nodes"], [["star1", "12"]])
    assert (shown["plots"], shown["notes"]) == (["star.svg"], ["Seed 0."])
    assert api.get("/api/v1/lab/plots/star.svg").headers["content-type"].startswith("image/svg")
    for path in ("lab/plots/secret.txt", "lab/secret", "lab/plots/..%2fdraw.proof", "lab/plots/%2e%2e%2fsecret.txt"):
        assert api.get(f"/api/v1/{path}").status_code == 404


def test_the_laboratory_page(tab: Tab) -> None:
    page = tab.page
    page.goto(f"{tab.server.base}/lab?token={tab.server.token}")
    page.click("#experiments a")
    expect(page.locator("#table td")).to_have_text(["star1", "12"])
    page.wait_for_function("() => document.querySelector('.plot').naturalWidth > 0")
