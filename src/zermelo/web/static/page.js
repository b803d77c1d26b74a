// The board page: one game, its tree of variations, what the server knows of each position, and who plays.

import * as address from "./address.js";
import { analyse, job, post } from "./api.js";
import { BoardView } from "./board.js";
import { $, notice } from "./common.js";
import { graph, markMistakes } from "./graph.js";
import * as panels from "./panels.js";
import { Seats } from "./seats.js";
import { GameTree } from "./tree.js";

const ANALYSIS_SECONDS = 600, REVIEW_SECONDS = 3, ROLL_AFTER = 500;
const MOST_STREAMS = 4; // browsers keep six connections to a server for all tabs together

class Page {
  constructor() {
    this.where = address.read();
    this.game = new GameTree();
    this.board = new BoardView($("board"), { onMove: (move) => this.play(move) });
    this.seats = new Seats($("seats"), () => this.refresh());
    this.hidden = localStorage.getItem("hidden") === "yes";
    this.halted = false; // a person pressed Stop
    this.shown = 0; // counts positions, so that late answers are known to be late
    this.closeStream = null;
    this.thinking = null;
    this.tabs = new BroadcastChannel("zermelo");
    this.tabs.onmessage = () => this.giveWay();
  }

  question(node = this.game.current) {
    const { game, set, position } = this.where;
    return { game, set, position, moves: this.game.moves(node) };
  }

  // where one stands

  async open() {
    this.restore();
    this.game.follow(this.where.moves);
    await this.arrive();
    const { engines } = await post("/game", { game: this.where.game, set: this.where.set });
    this.seats.offer(engines);
  }

  get shelf() {
    const { game, set, position } = this.where;
    return `tree ${JSON.stringify([game, set, position])}`;
  }

  /** The variations of this tab; the address says where in them one stands. */
  restore() {
    try {
      this.game.unpack(JSON.parse(sessionStorage.getItem(this.shelf) ?? "[]"));
    } catch {
      this.game = new GameTree();
    }
  }

  play(move) {
    this.goto(this.game.play(move), `${move}`);
  }

  goto(node, said = "") {
    this.game.current = node;
    this.halted = false;
    return this.arrive(said);
  }

  /** Show the current position, and go on from there. */
  async arrive(said = "") {
    const turn = ++this.shown;
    this.leave();
    const node = this.game.current;
    try {
      node.view ??= await post("/position", this.question(node));
    } catch (error) {
      if (turn === this.shown) this.refused(error, node);
      return;
    }
    if (turn !== this.shown) return;
    node.turn = node.view.turn;
    if (node.view.result !== null) node.value ??= ended(node.view);
    notice("");
    history.replaceState(null, "", address.write({ ...this.where, moves: this.game.moves() }));
    for (const page of ["tree", "shelf"]) $(`to-${page}`).href = `/${page}${location.search}`;
    sessionStorage.setItem(this.shelf, JSON.stringify(this.game.packed()));
    this.board.show(node.view);
    this.announce(said, node.view);
    this.refresh();
  }

  /** A position that cannot be shown: say why, and go back to one that can. */
  refused(error, node) {
    notice(error.message);
    if (node.parent && !node.view) {
      this.game.remove(node);
      if (this.game.current.view) {
        this.board.show(this.game.current.view);
        this.refresh(false);
      }
    }
  }

  /** Stop whatever is under way for a position. */
  leave() {
    this.closeStream?.();
    this.closeStream = null;
    this.thinking?.end();
    this.thinking = null;
    clearTimeout(this.rolling);
  }

  // what happens there

  /** Draw everything again, and begin what is to be done: an engine's move, a roll, an analysis. */
  refresh(act = true) {
    const node = this.game.current, { view } = node;
    if (!view) return;
    const over = view.result !== null, chance = view.turn === 2 && !over;
    this.board.locked = this.seats.isEngine(view.turn) && !over && !this.halted;
    this.draw();
    $("roll").hidden = !chance;
    if (!act || over) return;
    if (this.seats.isEngine(view.turn) && !this.halted) this.reply();
    else if (chance && this.seats.anyEngine && !this.halted) this.rolling = setTimeout(() => this.roll(), ROLL_AFTER);
    else this.look();
  }

  draw() {
    const node = this.game.current, { view } = node;
    if (!view) return; // it is on its way
    const best = new Set(node.value?.best ?? []);
    const over = view.result !== null;
    this.board.hidden = this.hidden;
    this.board.know(node.values, best);
    $("title").textContent = view.summary;
    document.title = `${view.game} · Zermelo`;
    $("turn").textContent = over ? `Game over: ${view.words}` : view.words;
    $("turn").className = `turn turn-${over ? "over" : view.turn}`;
    $("text").textContent = view.text || "(the start)";
    $("worth").textContent = this.hidden ? "hidden" : over ? view.words : node.value ? worth(node.value, view) : "…";
    $("status").textContent = this.hidden ? "" : over ? "game over" : node.value?.status ?? "";
    $("status").className = `status ${this.hidden ? "" : node.value?.status ?? ""}`;
    panels.moves($("moves"), view, node.values, best, this.hidden, (move) => this.play(move));
    $("moves-card").hidden = over;
    panels.lines($("lines"), this.hidden ? [] : node.value?.lines ?? [], (line) => this.along(line));
    $("lines-card").hidden = this.hidden || !(node.value?.lines ?? []).length;
    panels.legend($("legend"), view);
    $("legend").hidden = this.hidden;
    const course = this.game.whole();
    markMistakes(this.hidden ? [] : course);
    if (this.hidden) $("graph").replaceChildren();
    else graph($("graph"), course, node, (each) => this.goto(each));
    panels.tree($("tree"), this.game, (each) => this.goto(each));
    $("hide").setAttribute("aria-pressed", String(this.hidden));
    $("hide").textContent = this.hidden ? "Show values" : "Hide values";
    $("stop").textContent = this.halted ? "Go on" : "Stop";
    $("back").disabled = $("start").disabled = $("undo").disabled = !node.parent;
    $("forward").disabled = $("end").disabled = !node.children.length;
  }

  /** Ask what every move is worth, unless that is known. */
  look() {
    const node = this.game.current;
    if (this.closeStream || this.halted || node.value?.complete) {
      if (node.value?.complete) this.progress("");
      return;
    }
    this.progress("asking …");
    this.newer = 0;
    this.tabs.postMessage("asks");
    this.closeStream = analyse({ ...this.question(), seconds: ANALYSIS_SECONDS }, this.listeners(node));
  }

  /** Another tab has begun to listen: after some of them, this one stops, or the next tab could not even be loaded. */
  giveWay() {
    if (!this.closeStream || ++this.newer < MOST_STREAMS) return;
    this.halted = true;
    this.leave();
    this.draw();
    this.progress("paused: other tabs are searching");
  }

  listeners(node) {
    return {
      state: ({ state, waiting }) => this.progress(state === "queued" ? `waiting for its turn, ${waiting} in the queue` : "searching …"),
      progress: (told) => this.progress(inWords(told)),
      move: (told) => node.values.set(told.move, told),
      value: (told) => {
        node.value = told;
        this.drawSoon();
      },
      done: () => {
        this.closeStream = null;
        this.progress(node.value?.complete ? "" : "stopped: what was found stays");
        this.drawSoon();
      },
      failed: ({ error }) => {
        this.closeStream = null;
        this.progress("");
        notice(error);
      },
    };
  }

  /** Values come fast: draw once a frame at most. */
  drawSoon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  /** Have the engine that is to move make its move. */
  async reply() {
    const turn = this.shown, node = this.game.current;
    if (this.thinking) return;
    this.closeStream?.();
    this.closeStream = null;
    const { method, seconds } = this.seats.asked(node.view.turn);
    this.progress(`${method} is thinking …`);
    this.thinking = job("search", { ...this.question(), method, seconds });
    try {
      const answer = await this.thinking.done;
      if (turn !== this.shown) return;
      this.thinking = null;
      this.goto(this.game.play(answer.move), `the engine plays ${answer.move}`);
    } catch (error) {
      if (turn !== this.shown) return;
      this.thinking = null;
      this.halted = true;
      this.refresh(false);
      if (error.message !== "stopped") notice(error.message);
    }
  }

  /** Let chance choose, each outcome as often as the rules say. */
  roll() {
    const { view } = this.game.current;
    if (view?.turn !== 2 || !view.moves.length) return;
    let left = Math.random();
    const outcome = view.moves.find((move) => (left -= move.likelihood ?? 1 / view.moves.length) < 0) ?? view.moves.at(-1);
    this.goto(this.game.play(outcome.text), `rolled ${outcome.text}`);
  }

  // what a person does

  along(line) {
    for (const move of line) this.game.play(move);
    this.goto(this.game.current, line.at(-1));
  }

  back() {
    if (this.game.current.parent) this.goto(this.game.current.parent, "back");
  }

  forward() {
    if (this.game.current.children.length) this.goto(this.game.current.children[0], this.game.current.children[0].move);
  }

  /** Take back: to where a person was to move last, dice and an engine's reply included. */
  undo() {
    if (this.board.cancel()) return;
    let node = this.game.current.parent;
    while (node?.parent && (node.turn === 2 || (this.seats.isEngine(node.turn) && !this.seats.onlyEngines))) node = node.parent;
    if (!node) return;
    if (this.seats.isEngine(node.turn)) this.halted = true;
    this.game.current = node;
    this.arrive("taken back");
  }

  hide() {
    this.hidden = !this.hidden;
    localStorage.setItem("hidden", this.hidden ? "yes" : "no");
    this.draw();
  }

  stop() {
    this.halted = !this.halted;
    if (this.halted) {
      this.leave();
      this.progress("stopped: what was found stays");
    }
    this.refresh(!this.halted);
  }

  /** What was typed: moves from here, or else the text of a position, or a whole game. */
  async typed(text) {
    const { game, set } = this.where;
    text = text.trim();
    if (!text) return;
    try {
      const view = this.game.current.view;
      const words = text.split(/[\s,]+/);
      if (view?.moves.some((move) => move.text.toLowerCase() === words[0].toLowerCase())) {
        const found = await post("/position", { ...this.question(), moves: [...this.game.moves(), ...words] });
        return this.along(found.history.slice(view.history.length));
      }
      if (text.includes("\n")) {
        const found = await post("/record", { game, set, text });
        return this.begin(found.position, found.moves);
      }
      await post("/position", { game, set, position: text });
      return this.begin(text, []);
    } catch (error) {
      notice(error.message);
    }
  }

  begin(position, moves) {
    this.where = { ...this.where, position };
    this.game = new GameTree();
    this.game.follow(moves);
    this.halted = false;
    return this.arrive("new position");
  }

  /** Find the value of every position of the game, one after the other. */
  async sweep() {
    this.leave();
    const turn = this.shown;
    for (const node of this.game.whole()) {
      if (turn !== this.shown) return;
      if (node.value?.complete) continue;
      try {
        node.view ??= await post("/position", this.question(node));
      } catch (error) {
        return notice(error.message);
      }
      node.turn = node.view.turn;
      if (node.view.result !== null) node.value = ended(node.view);
      else await new Promise((resolve) => {
        const on = this.listeners(node);
        const ends = () => (resolve(), this.drawSoon());
        this.closeStream = analyse({ ...this.question(node), seconds: REVIEW_SECONDS },
          { ...on, done: ends, failed: (told) => (on.failed(told), resolve()) });
      });
      this.closeStream = null;
    }
    this.progress("all positions of the game were looked at");
    this.draw();
  }

  // what it says

  progress(words) {
    $("progress").textContent = words;
  }

  announce(said, view) {
    $("live").textContent = [said, view.result === null ? view.words : `game over, ${view.words}`].filter(Boolean).join("; ");
  }
}

/** The value of a position where the game is over. */
function ended(view) {
  const [low, high] = view.values;
  return {
    status: "proven", value: view.result, bounds: [view.result, view.result], words: view.words, best: [], lines: [],
    complete: true, first_goodness: (view.result - low) / (high - low),
  };
}

/** A value in words; where dice decide between winning and losing, how often the first player wins. */
function worth(value, { chance, values: [low, high] }) {
  if (!chance || low !== -1 || high !== 1 || value.value === null || Math.abs(value.value) === 1) return value.words;
  return `${value.status === "proven" ? "" : "about "}${(100 * value.first_goodness).toFixed(1)} % for the first player`;
}

function inWords({ state, doing, move, nodes, seconds, depth, proven, moves }) {
  if (state === "compiling") return `${doing}: ${seconds.toFixed(0)} s`;
  const deep = depth ? `, depth ${depth}` : "";
  return `${move}: ${doing}${deep}; ${proven} of ${moves} moves proven, ${nodes.toLocaleString("en")} positions, ${seconds.toFixed(1)} s`;
}

export { Page };
