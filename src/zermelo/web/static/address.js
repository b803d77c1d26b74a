// The address is the position: which game, its parameters, where play began, and the moves since.

/** What an address says. */
export function read(search = location.search) {
  const query = new URLSearchParams(search);
  let set = {};
  try {
    set = JSON.parse(query.get("set") ?? "{}");
  } catch {
    set = {};
  }
  return {
    game: query.get("game") ?? "tic-tac-toe",
    set: set !== null && typeof set === "object" && !Array.isArray(set) ? set : {},
    position: query.get("position") ?? "",
    moves: readMoves(query.get("moves") ?? ""),
  };
}

function readMoves(text) {
  if (!text.startsWith("[")) return text.split(",").filter(Boolean);
  try {
    return JSON.parse(text).map(String);
  } catch {
    return [];
  }
}

/** The address of a position. */
export function write({ game, set, position, moves }) {
  const query = new URLSearchParams({ game });
  if (Object.keys(set).length) query.set("set", JSON.stringify(set));
  if (position) query.set("position", position);
  const plain = moves.every((move) => move && !/[,[]/.test(move));
  if (moves.length) query.set("moves", plain ? moves.join(",") : JSON.stringify(moves));
  return `${location.pathname}?${query}`;
}
