// The laboratory: the experiments that there are, and the table and the plots of one of them.

import { get } from "./api.js";
import { element } from "./board.js";
import { $, notice, themed } from "./common.js";

async function list() {
  const { folder, experiments } = await get("/lab");
  $("about").textContent = `Results are read from ${folder}. An experiment is run by zermelo lab NAME --out ${folder}.`;
  $("experiments").replaceChildren(...experiments.map(({ name, summary, source, run }) => {
    const card = element("div", { class: "card" },
      element("h2", {}, name), element("p", {}, summary), element("p", { class: "faint" }, source),
      element("p", { class: run ? "status proven" : "status" }, run ? "table and plot" : `not run: zermelo lab ${name}`));
    return run ? element("a", { href: `/lab?experiment=${encodeURIComponent(name)}` }, card) : card;
  }));
}

async function one(name) {
  const { head, rows, plots, notes } = await get(`/lab/${encodeURIComponent(name)}`);
  $("title").textContent = name;
  $("about").replaceChildren(element("a", { href: "/lab" }, "all experiments"));
  $("plots").replaceChildren(...plots.map((plot) =>
    element("img", { class: "plot", src: `/api/v1/lab/plots/${encodeURIComponent(plot)}`, alt: `plot ${plot}` })));
  $("table").replaceChildren(
    element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", {}, cell)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))));
  $("notes").replaceChildren(...notes.map((note) => element("p", {}, note)));
  $("result").hidden = false;
}

themed();
const name = new URLSearchParams(location.search).get("experiment");
(name ? one(name) : list()).catch((error) => notice(error.message));
