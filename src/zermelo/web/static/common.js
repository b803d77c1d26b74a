// What all pages share: dark and light, what went wrong, moves in an address.

export const $ = (id) => document.getElementById(id);

export function notice(sentence) {
  $("notice").textContent = sentence;
  $("notice").hidden = !sentence;
}

/** The button that changes between dark and light. */
export function themed() {
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    localStorage.setItem("theme", name);
    $("theme").textContent = name === "dark" ? "Light" : "Dark";
  };
  $("theme").addEventListener("click", () => set(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  set(localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
}

/** A list of moves that stands in an address as JSON. */
export function tokens(text) {
  try {
    const found = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}
