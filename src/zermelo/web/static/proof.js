// The proof page: a walk through a certificate. The strategy makes its move by itself; every reply of the opponent can be
// tried, on the board or in the list, and "why not?" plays one out to the end.

import * as address from "./address.js";
import { job, post } from "./api.js";
import { BoardView, element } from "./board.js";
import { $, notice, themed, tokens } from "./common.js";

const STEP_AFTER = 350;

class Walk {
  constructor() {
    const query = new URLSearchParams(location.search);
    this.proof = query.get("proof");
    this.side = query.has("side") ? Number(query.get("side")) : null;
    this.moves = tokens(query.get("moves"));
    this.board = new BoardView($("board"), { onMove: (move) => this.play(move) });
    this.shown = 0;
  }

  question(moves = this.moves) {
    return { proof: this.proof, side: this.side, moves };
  }

  async open() {
    $("progress").textContent = "checking the proof …";
    $("checked").hidden = true;
    const begun = await job("open-proof", this.question([])).done;
    $("checked").hidden = false;
    $("progress").textContent = `${begun.positions.toLocaleString("en")} positions, checked from the rules alone`;
    $("title").textContent = begun.view.summary;
    this.offerSides(begun);
    await this.arrive();
  }

  offerSides({ sides, side }) {
    this.side = side;
    $("sides-label").hidden = sides.length < 2;
    $("side").replaceChildren(...sides.map((one) => element("option", { value: one }, one === 0 ? "the first player" : "the second player")));
    $("side").value = side;
  }

  play(move) {
    this.moves = [...this.moves, move];
    return this.arrive(move);
  }

  async arrive(said = "") {
    const turn = ++this.shown;
    clearTimeout(this.timer);
    let step;
    try {
      step = await post("/proof", this.question());
    } catch (error) {
      notice(error.message);
      return;
    }
    if (turn !== this.shown) return;
    notice("");
    this.step = step;
    const query = new URLSearchParams({ ...(this.proof ? { proof: this.proof } : {}), side: this.side });
    if (this.moves.length) query.set("moves", JSON.stringify(this.moves));
    history.replaceState(null, "", `${location.pathname}?${query}`);
    this.draw(said);
    if (step.role === "claimant") this.timer = setTimeout(() => this.play(step.branches[0].text), STEP_AFTER);
  }

  draw(said) {
    const { step } = this;
    $("claim").textContent = `${step.claim[0].toUpperCase()}${step.claim.slice(1)}`;
    this.board.locked = step.role !== "opponent";
    this.board.show(step.role === "opponent" ? step.view : { ...step.view, moves: [] });
    $("turn").textContent = step.view.words;
    $("turn").className = `turn turn-${step.view.result === null ? step.view.turn : "over"}`;
    $("role").textContent = { claimant: "The strategy's move", opponent: "Try a reply", over: "The end", outside: "Not in the proof" }[step.role];
    $("words").textContent = step.words;
    $("replies").replaceChildren(...step.branches.map((branch) => this.reply(branch)));
    $("line-card").hidden = !step.line.length;
    $("line").replaceChildren(this.steps(step.line, (count) => this.follow(step.line.slice(0, count))));
    $("walk").replaceChildren(this.moves.length
      ? this.steps(this.moves, (count) => this.to(count))
      : element("span", { class: "faint" }, "the position of the claim"));
    $("back").disabled = $("start").disabled = !this.moves.length;
    $("forward").disabled = !step.line.length;
    $("analyse").href = address.write({ game: step.view.game, set: step.view.parameters, position: step.view.began, moves: step.view.history }).replace(/^[^?]*/, "/");
    $("live").textContent = [said, step.words].filter(Boolean).join("; ");
  }

  reply({ text, longest, ends }) {
    const left = ends ? "the end" : longest === null ? "" : `${longest} more at most`;
    const row = element("div", { class: "reply", role: "listitem" });
    row.append(
      element("button", { type: "button", class: "move", onclick: () => this.play(text) },
        element("span", { class: "text" }, text), element("span", { class: "faint" }, left)));
    if (this.step.role === "opponent") {
      row.append(element("button", { type: "button", class: "why", "aria-label": `why not ${text}?`, onclick: () => this.why(text, row) }, "why not?"));
    }
    return row;
  }

  /** What becomes of a reply: the strategy against the longest defence, to the end. */
  async why(text, row) {
    try {
      const after = await post("/proof", this.question([...this.moves, text]));
      const line = [text, ...after.line];
      row.querySelector(".out")?.remove();
      row.append(element("p", { class: "out" }, this.steps(line, (count) => this.follow(line.slice(0, count)))));
    } catch (error) {
      notice(error.message);
    }
  }

  steps(moves, onStep) {
    return element("span", {}, ...moves.flatMap((move, index) => [
      element("button", { type: "button", class: "step", onclick: () => onStep(index + 1) }, move), " "]));
  }

  follow(line) {
    this.moves = [...this.moves, ...line];
    return this.arrive(line.at(-1));
  }

  to(count) {
    this.moves = this.moves.slice(0, count);
    return this.arrive("back");
  }

  /** Back to where a reply can be tried: what the strategy played goes with it. */
  back() {
    const backwards = this.step.role === "opponent" && this.moves.length > 1 ? 2 : 1;
    return this.to(Math.max(0, this.moves.length - backwards));
  }

  forward() {
    if (this.step.line.length) this.play(this.step.line[0]);
  }
}

const walk = new Walk();
$("start").addEventListener("click", () => walk.to(0));
$("back").addEventListener("click", () => walk.back());
$("forward").addEventListener("click", () => walk.forward());
$("side").addEventListener("change", () => {
  walk.side = Number($("side").value);
  walk.moves = [];
  walk.open().catch((error) => notice(error.message));
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, [data-spot]")) return;
  const act = { ArrowLeft: () => walk.back(), ArrowRight: () => walk.forward(), Home: () => walk.to(0) }[event.key];
  if (!act) return;
  act();
  event.preventDefault();
});
themed();
walk.open().catch((error) => {
  $("progress").textContent = "";
  notice(error.message);
});
