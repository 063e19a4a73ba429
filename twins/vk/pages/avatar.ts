import { type Html, html } from "../../shared/index.ts";

const colours = [
  ["#0077ff", "#5ac8fa"],
  ["#7b2ff7", "#f107a3"],
  ["#11998e", "#38ef7d"],
  ["#f7971e", "#ffd200"],
  ["#e1306c", "#fd7f4f"],
  ["#3a4f8f", "#6f8fd8"],
] as const;

/** The two colours of a community. */
export function coloursOf(id: number): readonly [string, string] {
  return colours[Math.abs(id) % colours.length] ?? colours[0];
}

/** A picture of the first letter, for those without another. */
export function avatar(name: string, id: number): Html {
  const [from, to] = coloursOf(id);
  const letter = [...name.replace(/^[^\p{L}\p{N}]+/u, "")].slice(0, 1).join("").toUpperCase() || "?";
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="200" height="200" fill="url(#g)"/><text x="100" y="104" text-anchor="middle" dominant-baseline="central" font-family="system-ui, Noto Sans, sans-serif" font-size="92" font-weight="600" fill="#fff">${letter}</text></svg>`;
}
