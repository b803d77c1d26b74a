// The value over the game: what the first player may hope for after each move, and where somebody went wrong.

import { drawn, element } from "./board.js";

const WIDE = 420, HIGH = 90, EDGE = 8;

/** Mark what lowered the mover's prospects: the move, and from what to what. Certain only if both values are. */
export function markMistakes(nodes) {
  for (const node of nodes) {
    node.mistake = null;
    const before = node.parent?.value, after = node.value;
    if (!before || !after || before.first_goodness === null || after.first_goodness === null) continue;
    if (before.status === "unknown" || after.status === "unknown" || node.parent.turn === 2) continue;
    const lost = (before.first_goodness - after.first_goodness) * (node.parent.turn === 1 ? -1 : 1);
    const sure = before.status === "proven" && after.status === "proven";
    if (lost > (sure ? 1e-9 : 0.15)) node.mistake = `${sure ? "mistake" : "dubious"}: from ${before.words} to ${after.words}`;
  }
}

/** Draw the line of play; `onNode` goes where one taps. */
export function graph(place, nodes, current, onNode) {
  const known = nodes.filter((node) => node.value && node.value.first_goodness !== null);
  if (nodes.length < 2 || !known.length) {
    place.replaceChildren();
    return;
  }
  const x = (node) => EDGE + ((WIDE - 2 * EDGE) * nodes.indexOf(node)) / (nodes.length - 1);
  const y = (node) => EDGE + (HIGH - 2 * EDGE) * (1 - node.value.first_goodness);
  const svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "group", "aria-label": "value over the game, the first player's above" });
  svg.append(drawn("line", { class: "middle", x1: EDGE, x2: WIDE - EDGE, y1: HIGH / 2, y2: HIGH / 2 }));
  svg.append(drawn("polyline", { class: "course", points: known.map((node) => `${x(node)},${y(node)}`).join(" ") }));
  for (const node of nodes) {
    const at = known.includes(node) ? y(node) : HIGH / 2;
    const kind = `dot ${node.value?.status ?? "unknown"}${node.mistake ? " mistake" : ""}${node === current ? " current" : ""}`;
    const words = `${node.ply ? `after ${node.ply}. ${node.move}` : "the beginning"}: ${node.value?.words ?? "not known"}`;
    const dot = node.mistake
      ? drawn("path", { class: kind, d: `M${x(node)} ${at - 6}l6 11h-12z` })
      : drawn("circle", { class: kind, cx: x(node), cy: at, r: node === current ? 5 : 3.5 });
    dot.append(drawn("title"));
    dot.firstChild.textContent = node.mistake ? `${words}; ${node.mistake}` : words;
    dot.addEventListener("click", () => onNode(node));
    svg.append(dot);
  }
  const mistakes = nodes.filter((node) => node.mistake).length;
  const told = known.length < nodes.length ? `${known.length} of ${nodes.length} positions known` : mistakes ? `${mistakes} marked ▲` : "no mistake";
  place.replaceChildren(svg, element("p", { class: "faint" }, told));
}
