// The tree page: what alpha-beta looked at, opened on demand. Each position is searched when it is opened, with the depth and
// the window that its parent gave it, so what is shown is what the search did there.

import * as address from "./address.js";
import { job } from "./api.js";
import { BoardView, element } from "./board.js";
import { $, notice, themed } from "./common.js";

const SHOWN = 8;
const where = address.read();
const board = new BoardView($("board"), { onMove: () => {} });
let running = null;

const number = (value) => (value === null ? "∞" : Number.isInteger(value) ? String(value) : value.toFixed(3));
const windowed = ([low, high]) => `(${low === null ? "−∞" : number(low)}, ${high === null ? "∞" : number(high)})`;
const bound = { exact: "=", "at most": "≤", "at least": "≥" };

async function look(moves, depth, low, high) {
  running = job("tree", { ...where, moves: [...where.moves, ...moves], depth, low, high });
  $("stop").hidden = false;
  $("progress").textContent = "searching …";
  try {
    return await running.done;
  } finally {
    $("stop").hidden = true;
    $("progress").textContent = "";
  }
}

function show(view) {
  board.locked = true;
  board.show({ ...view, moves: [] });
  $("turn").textContent = view.words;
  $("turn").className = `turn turn-${view.result === null ? view.turn : "over"}`;
}

/** The moves of a position, in the order in which they were tried; what was cut is one line. */
function branches(found, path, level) {
  const looked = found.moves.filter((move) => move.state !== "cut");
  const cut = found.moves.filter((move) => move.state === "cut");
  const list = element("ul", { role: "group" });
  const add = (moves) => list.append(...moves.map((move) => branch(move, found, path, level)));
  add(looked.slice(0, SHOWN));
  const rest = looked.slice(SHOWN);
  if (rest.length) {
    const more = element("li", {}, element("button", {
      type: "button", class: "more", onclick: () => (more.remove(), add(rest), list.append(...tail)),
    }, `${rest.length} more, ${rest.reduce((sum, move) => sum + move.nodes, 0).toLocaleString("en")} nodes`));
    list.append(more);
  }
  const tail = cut.length
    ? [element("li", { class: "cut" }, `✂ ${cut.length} ${cut.length === 1 ? "move" : "moves"} not looked at (${cut.slice(0, 12).map((move) => move.text).join(" ")}${cut.length > 12 ? " …" : ""}): ${found.why}`)]
    : [];
  list.append(...tail);
  return list;
}

function branch(move, parent, path, level) {
  const item = element("li", { role: "treeitem", "aria-expanded": "false", "aria-level": level });
  const value = move.value === null ? "?" : `${bound[move.kind]} ${number(move.value)}`;
  const row = element("button", { type: "button", class: `branch ${move.state} ${move.kind.replace(" ", "-")}`, title: move.why },
    element("span", { class: "text" }, move.text), element("span", { class: "value" }, value),
    element("span", { class: "faint" }, `${windowed(move.window)} · ${move.nodes.toLocaleString("en")} ${move.nodes === 1 ? "node" : "nodes"}`),
    element("span", { class: "faint reason" }, move.why));
  item.append(row);
  row.addEventListener("click", () => toggle(item, [...path, move.text], parent.turn === 2 ? parent.depth : parent.depth - 1, move.window, level));
  return item;
}

async function toggle(item, path, depth, [low, high], level) {
  const inside = item.querySelector("ul, p.leaf");
  if (inside) {
    inside.remove();
    item.setAttribute("aria-expanded", "false");
    return;
  }
  try {
    const found = await look(path, depth, low, high);
    show(found.view);
    item.append(found.moves.length ? branches(found, path, level + 1) : element("p", { class: "leaf faint" }, `${number(found.value)}: ${found.why}`));
    item.setAttribute("aria-expanded", "true");
  } catch (error) {
    notice(error.message === "stopped" ? "" : error.message);
  }
}

async function begin() {
  notice("");
  $("tree").replaceChildren();
  const depth = Number($("depth").value);
  try {
    const found = await look([], depth, null, null);
    $("title").textContent = found.view.summary;
    show(found.view);
    $("worth").textContent = `${bound[found.kind] ?? "?"} ${number(found.value)} in ${found.nodes.toLocaleString("en")} nodes, ${depth} plies deep`;
    $("tree").append(found.moves.length ? branches(found, [], 1) : element("p", { class: "faint" }, found.why));
    $("analyse").href = address.write(where).replace(/^[^?]*/, "/");
  } catch (error) {
    notice(error.message === "stopped" ? "stopped" : error.message);
  }
}

$("how").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
$("stop").addEventListener("click", () => running?.end());
window.addEventListener("pagehide", () => running?.end());
themed();
begin();
