import { isHexColour } from "../../content/index.ts";

/** Keeps colours and text decoration of a `style` attribute; undefined if nothing is left. */
export function safeStyle(style: string): string | undefined {
  const kept = style
    .slice(0, 1000)
    .split(";")
    .flatMap((declaration) => {
      const colon = declaration.indexOf(":");
      const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
      const value = declaration.slice(colon + 1).trim();
      return properties.get(name)?.(value) ? [`${name}: ${value}`] : [];
    });
  return kept.length === 0 ? undefined : kept.join("; ");
}

/** Whether a value is a colour that cannot be anything else in CSS. */
export function isColour(value: string): boolean {
  return (
    isHexColour(value) || /^[a-z]{3,24}$/i.test(value) || /^(?:rgb|hsl)a?\([\d.,%/ -]{1,40}\)$/i.test(value)
  );
}

const decorationWords: ReadonlySet<string> = new Set([
  ...["none", "underline", "overline", "line-through", "solid", "double", "dotted", "dashed", "wavy"],
]);
const isDecoration = (value: string): boolean =>
  value.split(" ").every((word) => decorationWords.has(word.toLowerCase()));

const properties: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["color", isColour],
  ["background-color", isColour],
  ["text-decoration", isDecoration],
  ["text-decoration-line", isDecoration],
  ["text-decoration-style", isDecoration],
  ["text-decoration-color", isColour],
]);
