// What stands beside the board: the moves with their worth, lines of play, the tree of variations, the legend.

import { element, renew, token } from "./board.js";

const ORDER = { proven: 0, bound: 1, heuristic: 2, unknown: 3 };

/** All moves, the best first; `onMove` plays one. */
export function moves(place, view, values, best, hidden, onMove) {
  const known = view.moves.map((move) => ({ move, value: values.get(move.text) }));
  const good = ({ value }) => value?.goodness ?? -1;
  const plies = ({ value }) => (value?.plies ?? 0) * (good({ value }) >= 0.5 ? 1 : -1);
  known.sort((a, b) => good(b) - good(a) || (ORDER[a.value?.status] ?? 4) - (ORDER[b.value?.status] ?? 4) || plies(a) - plies(b));
  if (hidden) known.sort((a, b) => view.moves.indexOf(a.move) - view.moves.indexOf(b.move));
  renew(place,
    known.map(({ move, value }) => {
      const row = element("button", { type: "button", class: "move", role: "listitem", "data-move": move.text, onclick: () => onMove(move.text) });
      row.append(element("span", { class: "text" }, move.text));
      if (!hidden) {
        row.append(value ? token(value.badge, best.has(move.text)) : token({ text: "?", kind: "open", status: "unknown", words: "not known yet" }));
        if (value) row.setAttribute("aria-label", value.badge.words);
      }
      return row;
    }));
}

/** Lines of best play, every move of which can be tapped; `onLine` gets the moves up to the one that was. */
export function lines(place, found, onLine) {
  place.replaceChildren(
    ...found.map((line) =>
      element("p", { class: "line" }, ...line.flatMap((move, index) => [
        element("button", { type: "button", class: "step", onclick: () => onLine(line.slice(0, index + 1)) }, move), " "]))));
}

/** The tree of variations: the first child goes on, the others stand in brackets before it does. */
export function tree(place, game, onNode) {
  const words = [];
  const step = (node, into) => {
    const made = element("button", {
      type: "button", class: `step${node === game.current ? " current" : ""}${node.mistake ? " mistake" : ""}`,
      title: node.mistake ?? "", onclick: () => onNode(node), "aria-current": node === game.current ? "true" : false,
    }, `${node.move}${node.mistake ? "?" : ""}`);
    into.push(element("span", { class: "ply" }, `${node.ply}.`), made, " ");
  };
  const walk = (from, into) => {
    let node = from;
    while (node.children.length) {
      const [main, ...others] = node.children;
      step(main, into);
      for (const other of others) {
        const aside = [];
        step(other, aside);
        walk(other, aside);
        into.push(element("span", { class: "variation" }, "(", ...aside, ") "));
      }
      node = main;
    }
  };
  walk(game.root, words);
  place.replaceChildren(...(words.length ? words : [element("span", { class: "faint" }, "no move has been played")]));
  const current = place.querySelector(".current");
  if (current) place.scrollTop += current.getBoundingClientRect().bottom - place.getBoundingClientRect().bottom; // not the page
}

/** What letters, frames and stars mean. */
export function legend(place, view) {
  const signs = [];
  const sign = (text, kind, status, words, best = false) =>
    signs.push(element("span", { class: "sign" }, token({ text, kind, status, words }, best), ` ${words}`));
  const [low, high] = view.values;
  if (low === -1 && high === 1 && !view.chance) {
    sign("W", "win", "proven", "wins");
    sign("D", "draw", "proven", "draws");
    sign("L", "loss", "proven", "loses");
    sign("≥D", "open", "bound", "at least a draw");
  } else if (low === -1 && high === 1) sign("62%", "score", "proven", "share of games won");
  else sign(low === -high ? "+4" : "61", "score", "proven", low === -high ? "score for the player to move" : "score of the first player");
  sign("~", "score", "heuristic", "an estimate");
  sign("?", "open", "unknown", "not known");
  sign("★", "win", "proven", "among the best", true);
  if (!view.chance) signs.push(element("span", { class: "sign faint" }, "W 5: wins in 5 plies"));
  place.replaceChildren(...signs);
}
