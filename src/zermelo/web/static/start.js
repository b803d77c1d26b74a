// Puts the page together: buttons and keys, the list of games, dark and light.

import { get, post } from "./api.js";
import { element } from "./board.js";
import { $, notice, themed } from "./common.js";
import { Page } from "./page.js";

const page = new Page();

const actions = {
  start: () => page.goto(page.game.root, "the beginning"), back: () => page.back(), forward: () => page.forward(),
  end: () => page.goto(page.game.whole().at(-1), "the end"), undo: () => page.undo(), hide: () => page.hide(),
  stop: () => page.stop(), roll: () => page.roll(), sweep: () => page.sweep(),
  promote: () => (page.game.promote(), page.draw()), remove: () => (page.game.remove(), page.arrive("deleted")),
  new: () => page.begin("", []),
  copy: () => copied($("text").textContent),
  record: async () => copied((await post("/record", page.question())).text),
};
for (const [id, act] of Object.entries(actions)) {
  $(id).addEventListener("click", async () => {
    try {
      await act();
    } catch (error) {
      notice(error.message);
    }
  });
}

const keys = {
  ArrowLeft: "back", ArrowRight: "forward", ",": "back", ".": "forward", Home: "start", End: "end", u: "undo", h: "hide",
  s: "stop", r: "roll",
};
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (event.key === "Escape") page.board.cancel();
  else if (action) actions[action]();
  else return;
  event.preventDefault();
});

$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  page.typed($("typed").value);
  $("typed").value = "";
});

window.addEventListener("pagehide", () => page.leave());
window.addEventListener("pageshow", (event) => event.persisted && page.refresh());
window.addEventListener("popstate", () => location.reload());

async function copied(text) {
  await navigator.clipboard.writeText(text);
  page.progress("copied");
}

async function list() {
  const { games, own } = await get("/games");
  const option = ({ name, summary }) => element("option", { value: name, title: summary ?? "" }, name);
  $("game").replaceChildren(...own.map(option), ...games.map(option));
  $("game").value = page.where.game;
  const listed = games.find((each) => each.name === page.where.game);
  if (listed && Object.keys(listed.parameters).length) parameters(page.game.current.view?.parameters ?? listed.parameters);
}

/** Fields for the parameters of the game; another game begins with them. */
function parameters(now) {
  const fields = Object.entries(now).map(([name, value]) => element("label", {}, name, element("input", { name, value: String(value) })));
  $("parameters").replaceChildren(...fields, element("button", { type: "submit" }, "Begin"));
  $("parameters-card").hidden = false;
  $("parameters").addEventListener("submit", (event) => {
    event.preventDefault();
    const set = JSON.stringify(Object.fromEntries(new FormData($("parameters"))));
    location.assign(`/?${new URLSearchParams({ game: page.where.game, set })}`);
  });
}

$("game").append(element("option", { value: page.where.game }, page.where.game));
$("game").addEventListener("change", () => location.assign(`/?${new URLSearchParams({ game: $("game").value })}`));
themed();
page.open().catch((error) => notice(error.message)).then(list).catch((error) => notice(error.message));
