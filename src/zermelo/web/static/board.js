// A board that can be played on: the picture that the rules draw, with what its moves are worth laid over it.
// The picture comes from Python as SVG; its groups with data-spot are the spots, here made into buttons. A move is a path
// of taps on spots; moves without one, and moves that are tapped alike, are plain buttons. This file stands alone, for
// notebooks use it too.

const SVG = "http://www.w3.org/2000/svg";
const RANK = { proven: 3, bound: 2, heuristic: 1, unknown: 0 };

export function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inside);
  return made;
}

export function drawn(name, attributes = {}, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** Show these buttons, each with its move in data-move. Those that are there stay: one that is replaced while somebody
 *  presses it is never clicked. */
export function renew(place, made) {
  const there = [...place.children];
  const same = there.length === made.length && there.every((old, index) => old.dataset.move === made[index].dataset.move);
  if (!same) {
    place.replaceChildren(...made);
    return;
  }
  there.forEach((old, index) => {
    old.disabled = made[index].disabled;
    const label = made[index].getAttribute("aria-label");
    if (label === null) old.removeAttribute("aria-label");
    else old.setAttribute("aria-label", label);
    old.replaceChildren(...made[index].childNodes);
  });
}

export class BoardView {
  /** `place`: where it goes. `onMove` gets the text of a move that a person made. */
  constructor(place, { onMove }) {
    this.onMove = onMove;
    this.picture = element("div", { class: "picture" });
    this.choices = element("div", { class: "choices", role: "group", "aria-label": "moves" });
    place.replaceChildren(this.picture, this.choices);
    this.view = null;
    this.values = new Map();
    this.best = new Set();
    this.hidden = false;
    this.locked = false;
    this.path = [];
    this.picture.addEventListener("click", (event) => this.#tapped(event.target));
    this.picture.addEventListener("mousedown", (event) => event.preventDefault()); // a click leaves the focus where it is
    this.picture.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Show a position, as the server describes it. */
  show(view) {
    const focused = document.activeElement?.closest?.("[data-spot]")?.dataset.spot;
    const inside = focused !== undefined && this.picture.contains(document.activeElement);
    this.view = view;
    this.path = [];
    this.picture.replaceChildren(this.#painted(view));
    this.spots = new Map([...this.picture.querySelectorAll("[data-spot]")].map((spot) => [spot.dataset.spot, spot]));
    this.overlay = drawn("g", { class: "overlay", "pointer-events": "none" });
    this.picture.querySelector("svg")?.append(this.overlay);
    for (const spot of this.spots.values()) {
      spot.setAttribute("role", "button");
      spot.setAttribute("tabindex", "-1");
    }
    const first = this.spots.get(inside ? focused : "") ?? this.spots.values().next().value;
    first?.setAttribute("tabindex", "0");
    if (inside) first?.focus();
    this.refresh();
  }

  /** What is known of moves, by their texts, and which are best. */
  know(values, best) {
    this.values = values;
    this.best = best;
    this.refresh();
  }

  /** Draw again what lies over the picture. */
  refresh() {
    if (!this.view) return;
    this.overlay.replaceChildren();
    this.#markLast();
    const next = this.#next();
    for (const spot of this.spots.values()) spot.classList.remove("live", "chosen");
    for (const step of this.path) for (const spot of this.#named(step)) spot.classList.add("chosen");
    for (const step of next.keys()) for (const spot of this.#named(step)) spot.classList.add("live");
    this.#markTaps(next);
    if (!this.hidden) for (const [step, moves] of next) this.#badge(step, moves);
    this.#label(next);
    this.#offer();
  }

  /** Take back taps that have not made a move yet. */
  cancel() {
    const any = this.path.length > 0;
    this.path = [];
    if (any) this.refresh();
    return any;
  }

  #painted(view) {
    if (!view.svg) return element("pre", { class: "printed" }, view.printed);
    const parsed = new DOMParser().parseFromString(view.svg, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return element("pre", { class: "printed" }, view.printed);
    for (const bad of parsed.querySelectorAll("script, foreignObject, a")) bad.remove();
    const svg = document.importNode(parsed, true);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `board, ${view.words}`);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    const [, , width] = svg.getAttribute("viewBox").split(" ");
    svg.style.maxWidth = `${Math.max(220, Math.min(2.1 * width, 680))}px`;
    return svg;
  }

  #named(step) {
    return [...this.spots.values()].filter((spot) => spot.dataset.spot === step || spot.dataset.group === step);
  }

  /** The moves that are still possible after the taps so far. */
  #possible() {
    return this.view.moves.filter(
      (move) => move.path.length && this.path.every((step, index) => move.path[index] === step));
  }

  /** The next steps of paths, each with the moves that go on so. */
  #next() {
    const next = new Map();
    for (const move of this.#possible()) {
      const step = move.path[this.path.length];
      if (step !== undefined) next.set(step, [...(next.get(step) ?? []), move]);
    }
    return next;
  }

  #tapped(target) {
    const spot = target.closest?.("[data-spot]");
    if (!spot || !this.view || this.locked) return;
    const { spot: name, group } = spot.dataset;
    let next = this.#next();
    let step = next.has(name) ? name : next.has(group) ? group : null;
    if (step === null) {
      const again = this.path.at(-1) === name;
      this.path = [];
      next = this.#next();
      step = again ? null : next.has(name) ? name : next.has(group) ? group : null;
    }
    if (step === null) {
      this.refresh();
      return;
    }
    this.path.push(step);
    const complete = this.#complete();
    if (complete.length === 1 && this.#possible().length === 1) this.#make(complete[0].text);
    else this.refresh();
  }

  #complete() {
    return this.#possible().filter((move) => move.path.length === this.path.length);
  }

  #make(text) {
    this.path = [];
    this.onMove(text);
  }

  #pressed(event) {
    const spot = event.target.closest?.("[data-spot]");
    if (!spot) return;
    if (event.key === "Enter" || event.key === " ") this.#tapped(spot);
    else if (event.key === "Escape" && this.path.length) this.cancel();
    else if (event.key.startsWith("Arrow") && !event.altKey && !event.ctrlKey && !event.metaKey) this.#go(spot, event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the focus to the nearest spot in a direction. */
  #go(from, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const at = (spot) => [Number(spot.dataset.x), Number(spot.dataset.y)];
    const [x, y] = at(from);
    let nearest = null;
    for (const spot of this.spots.values()) {
      const along = (at(spot)[0] - x) * dx + (at(spot)[1] - y) * dy;
      const aside = Math.abs((at(spot)[0] - x) * dy) + Math.abs((at(spot)[1] - y) * dx);
      if (along > 1 && (!nearest || along + 3 * aside < nearest.far)) nearest = { spot, far: along + 3 * aside };
    }
    if (!nearest) return;
    from.setAttribute("tabindex", "-1");
    nearest.spot.setAttribute("tabindex", "0");
    nearest.spot.focus();
  }

  #markLast() {
    if (!this.view.last) return;
    for (const name of new Set([...this.view.last.path, this.view.last.at])) {
      const place = this.view.spots[name];
      if (place) this.overlay.append(drawn("circle", { class: "last", cx: place.x, cy: place.y, r: 18.5 }));
    }
  }

  /** Frames around what was tapped, dots where one can go on. */
  #markTaps(next) {
    if (!this.path.length) return;
    const side = { width: 40, height: 40, rx: 6 };
    for (const place of this.path.map((step) => this.view.spots[step]).filter(Boolean)) {
      this.overlay.append(drawn("rect", { class: "tapped", x: place.x - 20, y: place.y - 20, ...side }));
    }
    for (const place of [...next.keys()].map((step) => this.view.spots[step]).filter(Boolean)) {
      this.overlay.append(drawn("circle", { class: "onward", cx: place.x, cy: place.y, r: 7 }));
    }
  }

  /** The best that is known of several moves. */
  #foremost(moves) {
    const known = moves.map((move) => this.values.get(move.text)).filter(Boolean);
    return known.sort((a, b) => (b.goodness ?? -1) - (a.goodness ?? -1) || RANK[b.status] - RANK[a.status])[0];
  }

  #badge(step, moves) {
    const known = this.#foremost(moves);
    const place = this.view.spots[this.view.spots[step] ? step : moves[0].at];
    if (!known || !place) return;
    const spot = this.spots.get(this.view.spots[step] ? step : moves[0].at);
    const taken = Boolean(spot?.querySelector(".piece"));
    const best = moves.some((move) => this.best.has(move.text));
    const mark = badge(known.badge, best);
    const aside = taken ? `translate(${place.x + 7} ${place.y + 12}) scale(0.75)` : `translate(${place.x} ${place.y})`;
    mark.setAttribute("transform", aside);
    this.overlay.append(mark);
  }

  /** Names for people who do not see the board. */
  #label(next) {
    for (const [name, spot] of this.spots) {
      const moves = next.get(name) ?? next.get(spot.dataset.group) ?? [];
      const known = this.hidden ? null : this.#foremost(moves);
      const holds = spot.dataset.piece ? `${spot.dataset.piece}${spot.dataset.whose ?? ""}` : "empty";
      const words = [name, holds];
      if (moves.length && moves[0].path.length > this.path.length + 1) words.push("can move");
      else if (moves.length) words.push(`move ${moves[0].text}`);
      if (known) words.push(known.badge.words);
      spot.setAttribute("aria-label", words.join(", "));
      const begins = this.view.moves.some((move) => move.path[0] === name || move.path[0] === spot.dataset.group);
      spot.setAttribute("aria-disabled", String(!(moves.length || begins) || this.locked));
    }
  }

  /** Buttons: for moves that have no place, and for those among which taps do not decide. */
  #offer() {
    const placeless = this.view.moves.filter((move) => !move.path.length);
    const meant = this.path.length ? this.#complete() : [];
    const shown = meant.length ? meant : this.path.length ? [] : placeless;
    renew(this.choices,
      shown.map((move) => {
        const known = this.hidden ? null : this.values.get(move.text);
        const button = element("button", {
          type: "button", class: "choice", disabled: this.locked, "data-move": move.text,
          onclick: () => this.#make(move.text),
        });
        button.append(...face(move.text, this.view.turn === 2));
        if (move.likelihood !== undefined) {
          button.append(element("small", {}, ` ${(100 * move.likelihood).toFixed(1).replace(".0", "")} %`));
        }
        if (known) button.append(" ", token(known.badge, this.best.has(move.text)));
        return button;
      }));
    this.choices.classList.toggle("asks", meant.length > 0);
  }
}

/** What a move is worth, as a mark on the board around the point 0 0: filled if proven, framed if not. */
export function badge(known, best) {
  const width = Math.max(18, 7 * known.text.length + 9);
  const made = drawn("g", { class: `badge ${known.kind} ${known.status}${best ? " best" : ""}` });
  if (best) made.append(drawn("rect", { class: "halo", x: -width / 2 - 3, y: -12, width: width + 6, height: 24, rx: 12 }));
  made.append(drawn("rect", { class: "body", x: -width / 2, y: -9, width, height: 18, rx: 9 }));
  const text = drawn("text", { y: 0.5, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 11.5 });
  text.textContent = known.text;
  made.append(text);
  return made;
}

/** The same in a line of text. */
export function token(known, best = false) {
  const made = element("span", { class: `token ${known.kind} ${known.status}${best ? " best" : ""}`, title: known.words });
  made.textContent = known.text;
  return made;
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** The text of a move; a roll of dice as dice. */
function face(text, rolled) {
  if (!rolled || !/^[XO]?[1-6]{1,2}$/.test(text)) return [text];
  return [...text].map((sign) => (PIPS[sign] ? die(Number(sign)) : sign));
}

function die(shown) {
  const svg = drawn("svg", { class: "die", viewBox: "0 0 24 24", "aria-label": String(shown), role: "img" });
  svg.append(drawn("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 }));
  for (const pip of PIPS[shown]) {
    svg.append(drawn("circle", { cx: 6 + 6 * (pip % 3), cy: 6 + 6 * Math.floor(pip / 3), r: 2.2 }));
  }
  return svg;
}
