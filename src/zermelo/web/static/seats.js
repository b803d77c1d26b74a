// Who sits where: a person or an engine on either side, swapped at any time.

import { element } from "./board.js";

const NAMES = ["First player", "Second player"];

export class Seats {
  /** `onChange` is told when somebody else sits down. */
  constructor(place, onChange) {
    this.place = place;
    this.onChange = onChange;
    this.seats = [{ who: "person", seconds: 1 }, { who: "person", seconds: 1 }];
    this.engines = [];
  }

  /** The engines that can play this game, the best one first. */
  offer(engines) {
    this.engines = engines.map((engine) => engine.name);
    for (const seat of this.seats) if (seat.who !== "person" && !this.engines.includes(seat.who)) seat.who = "person";
    this.#draw();
  }

  /** Whether an engine is to move; chance is nobody. */
  isEngine(turn) {
    return turn < 2 && this.seats[turn].who !== "person";
  }

  get anyEngine() {
    return this.isEngine(0) || this.isEngine(1);
  }

  get onlyEngines() {
    return this.isEngine(0) && this.isEngine(1);
  }

  /** What to ask for when an engine is to move. */
  asked(turn) {
    const { who, seconds } = this.seats[turn];
    return { method: who === "engine" ? null : who, seconds };
  }

  swap() {
    this.seats.reverse();
    this.#draw();
    this.onChange();
  }

  #draw() {
    const rows = this.seats.map((seat, turn) => {
      const choose = element("select", { "aria-label": NAMES[turn], "data-seat": turn });
      choose.append(element("option", { value: "person" }, "person"));
      for (const name of this.engines) {
        choose.append(element("option", { value: name }, name === this.engines[0] ? `engine: ${name} (suits best)` : `engine: ${name}`));
      }
      choose.value = seat.who;
      choose.addEventListener("change", () => {
        seat.who = choose.value;
        this.#draw();
        this.onChange();
      });
      const limit = element("select", { "aria-label": `seconds a move, ${NAMES[turn].toLowerCase()}`, disabled: seat.who === "person" });
      for (const seconds of [0.1, 0.3, 1, 3, 10]) limit.append(element("option", { value: seconds }, `${seconds} s a move`));
      limit.value = String(seat.seconds);
      limit.addEventListener("change", () => {
        seat.seconds = Number(limit.value);
      });
      return element("p", { class: "seat" }, element("span", { class: `colour ${["first", "second"][turn]}` }), `${NAMES[turn]} `, choose, " ", limit);
    });
    this.place.replaceChildren(...rows, element("button", { type: "button", id: "swap", onclick: () => this.swap() }, "Swap sides"));
  }
}
