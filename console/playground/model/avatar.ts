/** An avatar for a chat without a picture: letters and a colour that stay the same for the same title. */
export interface Face {
  readonly initials: string;
  /** One of the pairs of colours in the style sheet, from 0. */
  readonly palette: number;
}

const palettes = 8;

export function faceOf(title: string): Face {
  return { initials: initialsOf(title), palette: hash(title) % palettes };
}

function initialsOf(title: string): string {
  const words = title.match(/[\p{L}\d]+/gu) ?? [];
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? "");
  return letters.join("").toLocaleUpperCase() || [...title.trim()][0] || "?";
}

/** FNV-1a: short, and spreads similar titles apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
