// Tables and books: what they hold, and what they say of a position and its moves.

import * as address from "./address.js";
import { post } from "./api.js";
import { BoardView, element } from "./board.js";
import { $, notice, themed } from "./common.js";

const where = address.read();
const board = new BoardView($("board"), { onMove: (move) => go([...where.moves, move]) });

const score = (value) => (value === null ? "?" : Number.isInteger(value) ? String(value) : value.toFixed(3));
const worth = ({ value, status, bounds }) => (status === "bound" ? `${score(bounds[0])} to ${score(bounds[1])}` : score(value ?? null));
const count = (value) => (value === null ? "" : value.toLocaleString("en"));

function card(title, ...inside) {
  return element("div", { class: "card scroll" }, element("h2", {}, title), ...inside);
}

function listed(head, rows) {
  return element("table", {},
    element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", {}, cell)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))));
}

const step = (move) => element("button", { type: "button", class: "step", onclick: () => go([...where.moves, move]) }, move);

function table({ name, values, bytes, tiers, holds, score: worth, plies, moves }) {
  const made = [];
  if (holds) {
    const soon = plies === null ? "" : `, in ${plies} plies`;
    made.push(element("p", { class: "worth" }, `${score(worth)} for the first player${soon}`),
      listed(["move", "score", "plies"], moves.map((one) => [step(one.move), score(one.score), count(one.plies)])));
  } else made.push(element("p", { class: "faint" }, "this position is not in the table"));
  const about = element("details", {}, element("summary", {}, `${tiers.length} tiers, ${count(bytes)} bytes`),
    listed(["tier", "positions", "won", "drawn", "lost", "longest"],
      tiers.map((tier) => [tier.name, ...["positions", "won", "drawn", "lost", "longest"].map((field) => count(tier[field]))])));
  return card(`Table ${name}, ${values}`, ...made, about);
}

function book({ name, positions, known, value, status, bounds, moves }) {
  const about = element("p", { class: "faint" }, `${count(positions)} positions`);
  if (!known) return card(`Book ${name}`, about, element("p", { class: "faint" }, "this position is not in the book"));
  const rows = moves.map((move) => [step(move.move), worth(move), move.status ?? "", count(move.games ?? null), move.rejected ? "rejected" : ""]);
  return card(`Book ${name}`, about, element("p", { class: "worth" }, `${worth({ value, status, bounds })} for the first player, ${status}`),
    listed(["move", "value", "status", "games", ""], rows));
}

async function go(moves) {
  try {
    const found = await post("/shelf", { game: where.game, set: where.set, position: where.position, moves });
    where.moves = moves;
    history.replaceState(null, "", address.write(where));
    notice("");
    $("title").textContent = found.view.summary;
    board.show(found.view);
    $("turn").textContent = found.view.words;
    $("turn").className = `turn turn-${found.view.result === null ? found.view.turn : "over"}`;
    const cards = [...found.tables.map(table), ...(found.book ? [book(found.book)] : [])];
    if (!cards.length) cards.push(card("Nothing on the shelf", element("p", {}, "Start the server with a table or a book of the game: zermelo serve GAME --table DIR --book FILE")));
    $("found").replaceChildren(...cards);
    $("back").disabled = !moves.length;
    $("analyse").href = address.write(where).replace(/^[^?]*/, "/");
  } catch (error) {
    notice(error.message);
  }
}

$("back").addEventListener("click", () => go(where.moves.slice(0, -1)));
themed();
go(where.moves);
