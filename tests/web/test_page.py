"""The page in a real browser, by mouse, by touch and by keyboard alone."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

import zermelo as z
from served import Running, Tab, until

SPOT = "#board [data-spot='{}']"


def tap(page: Page, *spots: str) -> None:
    for spot in spots:
        page.click(SPOT.format(spot))


def moves_in(page: Page) -> list[str]:
    return parse_qs(urlparse(page.url).query).get("moves", [""])[0].split(",")


def played(page: Page, *moves: str) -> None:
    """The address, which is the position, says that these were played."""
    page.wait_for_function("moves => new URLSearchParams(location.search).get('moves') === moves", arg=",".join(moves))


def known(page: Page) -> None:
    """Every move of the position is proven."""
    expect(page.locator("#status")).to_have_text(re.compile("proven|game over"))
    page.wait_for_function("() => document.querySelectorAll('#moves .token:not(.proven)').length === 0")


def test_a_drop_game_shows_the_exact_value_of_every_move(tab: Tab) -> None:
    page = tab.open("tic-tac-toe", moves="a1,b2")
    known(page)
    position = z.games.tic_tac_toe().position("a1 b2")
    letters = {}
    for row in page.locator("#moves .move").all():
        letters[row.locator(".text").inner_text()] = row.locator(".token").inner_text().split()[0]
    right = {m: "LDW"[1 + int(z.solve(position.play(m), mode="interpreted").value)] for m in position.moves()}
    assert letters == right
    badges = page.locator("#board .badge text").all_text_contents()
    assert sorted(text.split()[0] for text in badges) == sorted(right.values())
    assert "Draw" in page.inner_text("#worth")


def test_letters_are_the_movers(tab: Tab) -> None:
    page = tab.open("tic-tac-toe", position="XX-OO----")
    known(page)
    assert page.locator("#board .badge.win text").all_text_contents() == ["W 1"]
    tap(page, "a3")
    played(page, "a3")
    known(page)
    position = z.games.tic_tac_toe().position("XX-OO----").play("a3")  # O is to move: W is what the first player loses
    for kind, value in (("win", -1), ("draw", 0), ("loss", 1)):
        shown = page.locator("#moves .move", has=page.locator(f".token.{kind}")).locator(".text").all_inner_texts()
        right = [m for m in position.moves() if z.solve(position.play(m), mode="interpreted").value == value]
        assert sorted(shown) == sorted(right)


def test_a_column_is_tapped_anywhere(tab: Tab) -> None:
    page = tab.open("connect-four", set='{"width":4,"height":4}')
    tap(page, "2-4")
    played(page, "2")
    tap(page, "2-1")
    played(page, "2", "2")
    assert page.locator(SPOT.format("2-2")).get_attribute("data-whose") == " of the second player"


def test_from_and_to(tab: Tab) -> None:
    page = tab.open("breakthrough", set='{"width":3,"height":4,"pawn_rows":1}')
    tap(page, "a1")
    assert page.locator("#board .onward").count() == 2
    page.keyboard.press("Escape")
    assert page.locator("#board .onward").count() == 0
    tap(page, "a1", "b1", "b2")  # another pawn instead
    played(page, "b1b2")
    page.click(SPOT.format("a1"), force=True)  # not the one to move: nothing happens
    assert moves_in(page) == ["b1b2"]


def test_moves_that_are_tapped_alike_ask_which_is_meant(tab: Tab) -> None:
    page = tab.open("alike")
    tap(page, "a1", "b1")
    expect(page.locator("#board .choices.asks button")).to_have_count(2)
    page.click("#board .choices button:has-text('a1b1=N')")
    played(page, "a1b1=N")
    tap(page, "a1", "b1")  # complete, or the beginning of a longer one
    expect(page.locator("#board .choices.asks button")).to_have_count(1)
    tap(page, "c1")
    played(page, "a1b1=N", "a1b1c1")


def test_a_game_without_a_drawing_is_played_by_buttons_and_announces_its_end(tab: Tab) -> None:
    page = tab.open("counting")
    for count in range(1, 4):
        page.click("#board .choice[data-move='2']")
        played(page, *["2"] * count)
    expect(page.locator("#turn")).to_have_text("Game over: first player wins")
    expect(page.locator("#live")).to_contain_text("game over")
    assert page.locator("#board .choice").count() == 0


def test_dice_are_rolled_or_chosen(tab: Tab) -> None:
    page = tab.open("pig", set='{"goal":9}')
    tap(page, "die")
    played(page, "roll")
    expect(page.locator("#board .choice .die")).to_have_count(6)
    page.click("#board .choice[data-move='3']")
    played(page, "roll", "3")
    tap(page, "die")
    played(page, "roll", "3", "roll")
    page.keyboard.press("r")
    page.wait_for_function("() => new URLSearchParams(location.search).get('moves').split(',').length === 4")
    assert moves_in(page)[3] in "123456"


def test_not_known_is_no_draw_and_values_can_be_hidden(tab: Tab) -> None:
    page = tab.open("hex", set='{"size":9}')
    page.wait_for_selector("#moves .token.unknown")
    assert page.locator("#moves .token.draw").count() == 0
    page.keyboard.press("h")
    assert page.locator("#moves .token").count() == 0
    assert page.locator("#board .badge").count() == 0
    assert page.inner_text("#worth").lower() == "hidden"
    page.keyboard.press("h")
    page.wait_for_selector("#moves .token.unknown")
    page.keyboard.press("s")
    expect(page.locator("#progress")).to_contain_text("stopped")
    expect(page.locator("#stop")).to_have_text("Go on")


def test_an_engine_replies_and_undo_takes_back_both_plies(tab: Tab) -> None:
    page = tab.open("tic-tac-toe")
    page.select_option("[data-seat='1']", index=1)
    tap(page, "b2")
    page.wait_for_function("() => (new URLSearchParams(location.search).get('moves') ?? '').split(',').length === 2")
    assert moves_in(page)[0] == "b2"
    page.keyboard.press("u")
    page.wait_for_function("() => !new URLSearchParams(location.search).has('moves')")
    assert page.locator("#tree .step").count() == 2  # the variation is kept
    page.click("#swap")  # now the engine begins
    page.wait_for_function("() => new URLSearchParams(location.search).has('moves')")


def test_two_engines_play_to_the_end(tab: Tab) -> None:
    page = tab.open("tic-tac-toe", position="XX-OO----")
    for seat in ("0", "1"):
        page.select_option(f"[data-seat='{seat}']", index=1)
    expect(page.locator("#turn")).to_have_text("Game over: first player wins")


def test_the_address_is_the_position_and_wins_over_what_was_stored(tab: Tab) -> None:
    page = tab.open("tic-tac-toe", moves="a1,b2,c3")
    page.reload()
    page.wait_for_selector("#board svg")
    assert page.locator("#board .piece").count() == 3
    page.keyboard.press("ArrowLeft")
    played(page, "a1", "b2")
    tap(page, "c1")
    played(page, "a1", "b2", "c1")
    page.reload()
    page.wait_for_selector("#tree .variation")  # both third moves are still there
    assert moves_in(page) == ["a1", "b2", "c1"]
    page.keyboard.press("Home")
    page.keyboard.press("End")
    page.wait_for_selector(SPOT.format("c3") + " .piece")  # the main line is the older one
    page.goto(tab.server.address(game="tic-tac-toe", moves="b2"))
    page.wait_for_selector(SPOT.format("b2") + " .piece")
    assert page.locator("#board .piece").count() == 1


def test_the_keyboard_alone_plays_a_whole_game(tab: Tab) -> None:
    page = tab.open("tic-tac-toe")
    page.locator(SPOT.format("a1")).focus()
    for keys in (["Enter"], ["ArrowDown", "Enter"], ["ArrowUp", "ArrowRight", " "], ["ArrowDown", "Enter"],
                 ["ArrowUp", "ArrowRight", "Enter"]):  # fmt: skip
        before = page.url
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_function("before => location.href !== before", arg=before)
    played(page, "a1", "a2", "b1", "b2", "c1")
    expect(page.locator("#turn")).to_have_text("Game over: first player wins")
    page.keyboard.press(",")
    played(page, "a1", "a2", "b1", "b2")


def test_every_spot_has_a_name_for_those_who_do_not_see_it(tab: Tab) -> None:
    page = tab.open("tic-tac-toe", moves="b2")
    known(page)
    names = [spot.get_attribute("aria-label") for spot in page.locator("#board [data-spot]").all()]
    assert len(names) == 9
    assert names[4] == "b2, X of the first player"
    assert re.fullmatch(r"a1, empty, move a1, a1 (wins|draws|loses).*, proven", names[0] or "")
    for control in page.locator("button:visible, select:visible, input:visible").all():
        name = control.get_attribute("aria-label") or control.inner_text() or control.get_attribute("title")
        assert (name or "").strip()


def test_moves_and_positions_can_be_typed(tab: Tab) -> None:
    tab.expected = "400"
    page = tab.open("tic-tac-toe")
    page.fill("#typed", "a1 b2")
    page.press("#typed", "Enter")
    played(page, "a1", "b2")
    page.fill("#typed", "XX-OO----")
    page.press("#typed", "Enter")
    page.wait_for_function("() => new URLSearchParams(location.search).get('position') === 'XX-OO----'")
    page.fill("#typed", "XXX")
    page.press("#typed", "Enter")
    expect(page.locator("#notice")).to_contain_text("is no position")


def test_a_review_marks_the_mistakes(tab: Tab) -> None:
    best = z.solve(z.games.tic_tac_toe().position("a1 b1"), mode="interpreted").best[0]
    page = tab.open("tic-tac-toe", moves=f"a1,b1,{best}")  # b1 loses
    page.click("#sweep")
    expect(page.locator("#progress")).to_contain_text("all positions")
    page.wait_for_selector("#graph .dot.mistake")
    assert page.locator("#tree .mistake").all_inner_texts() == ["b1?"]
    page.locator("#graph .dot").first.click()
    page.wait_for_function("() => !new URLSearchParams(location.search).has('moves')")


def test_lines_can_be_walked(tab: Tab) -> None:
    page = tab.open("tic-tac-toe", moves="a1,b2,c3")
    known(page)
    page.wait_for_function("() => document.querySelectorAll('#lines .line:first-child .step').length === 6")
    page.locator("#lines .line").first.locator(".step").nth(1).click()
    page.wait_for_function("() => new URLSearchParams(location.search).get('moves').split(',').length === 5")


PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("tab", [PHONE], indirect=True)
def test_a_phone_shows_all_of_it_and_is_played_by_touch(tab: Tab) -> None:
    page = tab.open("tic-tac-toe")
    page.tap(SPOT.format("b2"))
    played(page, "b2")
    known(page)
    assert page.evaluate("() => scrollY") == 0  # the board stays in sight
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375
    box = page.locator(SPOT.format("a1")).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 40


@pytest.mark.parametrize("tab", [{"color_scheme": "dark"}], indirect=True)
def test_dark_is_dark(tab: Tab) -> None:
    page = tab.open("tic-tac-toe")
    assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != dark


@pytest.mark.parametrize("tab", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript_it_says_so(tab: Tab) -> None:
    tab.page.goto(tab.server.address(game="hex"))
    assert "needs JavaScript" in tab.page.inner_text("body")


def test_a_game_of_ones_own_needs_no_extra_code(tab: Tab) -> None:
    page = tab.open("chomp.py")
    known(page)
    assert page.inner_text("#title") == "chomp(rows=2, cols=3)"
    best = page.locator("#moves .move", has=page.locator(".token.best"))
    assert best.locator(".text").all_inner_texts() == ["c2"]  # the only bite that wins
    tap(page, "c2")
    played(page, "c2")


def test_texts_of_a_game_stay_texts(tab: Tab) -> None:
    page = tab.open("markup")
    page.wait_for_selector("#moves .move")
    assert page.locator("main img").count() == 0
    assert "<img src=x onerror=alert(1)>1" in page.inner_text("#moves")


def test_a_drawing_that_raises_is_said_and_play_goes_on(tab: Tab) -> None:
    tab.expected = "400"
    page = tab.open("raises")
    page.click("#board .choice[data-move='1']")
    played(page, "1")
    page.click("#board .choice[data-move='1']")
    expect(page.locator("#notice")).to_contain_text("ZeroDivisionError: no picture for two plies")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => !new URLSearchParams(location.search).has('moves')")


def test_seven_tabs_all_answer_though_each_would_search_for_ever(chromium: Browser, server: Running) -> None:
    context = chromium.new_context()
    pages = [context.new_page() for _ in range(7)]
    for page in pages:
        page.goto(server.address(game="hex", set='{"size":9}'))
        page.wait_for_selector("#board svg")
        expect(page.locator("#progress")).to_contain_text(re.compile("searching|proven|queue|asking"))
    expect(pages[0].locator("#progress")).to_contain_text("paused: other tabs are searching")
    pages[0].click("#stop")  # go on here
    expect(pages[0].locator("#progress")).not_to_contain_text("paused")
    context.close()


def test_a_tab_that_is_closed_searches_no_more(tab: Tab, api: httpx.Client) -> None:
    page = tab.open("hex", set='{"size":9}')
    expect(page.locator("#progress")).to_contain_text("proven")
    assert api.get("/api/v1/about").json()["searching"] > 0
    page.close()
    until(lambda: api.get("/api/v1/about").json()["searching"] == 0)
