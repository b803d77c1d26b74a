// What the page asks the server. Answers are JSON; what goes wrong is an Error whose message is the server's sentence.

const ROOT = "/api/v1";

async function answered(response) {
  const data = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(data.error || `the server answered ${response.status}`);
  return data;
}

async function asked(path, options) {
  try {
    return await answered(await fetch(ROOT + path, options));
  } catch (error) {
    if (error instanceof TypeError) throw new Error("the server is not there any more: start zermelo serve again");
    throw error;
  }
}

export const get = (path) => asked(path, {});

export const post = (path, body) =>
  asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Listen to what every move of a position is worth. `on` has a function for each kind of event: state, progress, move,
 *  value, done, failed. Returns a function that ends it. EventSource would ask again by itself after the end, which would
 *  begin the search again, so it is closed with the last event. */
export function analyse(question, on) {
  const source = new EventSource(`${ROOT}/analysis?q=${encodeURIComponent(JSON.stringify(question))}`);
  let open = true;
  const close = () => {
    open = false;
    source.close();
  };
  for (const kind of ["state", "progress", "move", "value", "done", "failed"]) {
    source.addEventListener(kind, (event) => {
      if (!open) return;
      if (kind === "done" || kind === "failed") close();
      on[kind]?.(JSON.parse(event.data));
    });
  }
  source.onerror = () => {
    if (!open) return;
    close();
    on.failed?.({ error: "the server is not there any more: start zermelo serve again" });
  };
  return close;
}

/** A search that runs on the server. `done` is a promise of its answer; `end` stops it. */
export function job(kind, question) {
  let number = null;
  let ended = false;
  const end = () => {
    ended = true;
    if (number !== null) fetch(`${ROOT}/jobs/${number}`, { method: "DELETE", keepalive: true }).catch(() => {});
  };
  const done = (async () => {
    number = (await post(`/${kind}`, question)).job;
    if (ended) end();
    for (;;) {
      const found = await get(`/jobs/${number}?wait=20`);
      if (found.state === "done") return found.answer;
      if (found.state === "failed" || found.state === "stopped") throw new Error(found.error || "stopped");
    }
  })();
  return { done, end };
}
