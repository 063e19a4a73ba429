import { isHexColour } from "./safe-style.ts";

/** Colours of a brand; each is used only if it is written as `#rrggbb` or another hexadecimal form. */
export interface BrandColours {
  readonly text?: string;
  readonly accent?: string;
  readonly background?: string;
}

/** The class of the element that holds an article; the style block reaches nothing outside it. */
export const articleClass = "molva-article";

/** One style block of our own making, or nothing if no colour is usable. */
export function brandStyle({ text, accent, background }: BrandColours): string {
  const rules = [
    ...rule("", [
      ["color", text],
      ["background-color", background],
    ]),
    ...rule(" h2", [["border-left", accent && `4px solid ${hex(accent)}`, accent]]).map((each) =>
      each.replace("}", "; padding-left: 12px}"),
    ),
    ...rule(" a", [["color", accent]]),
    ...rule(" th", [["border-bottom", accent && `2px solid ${hex(accent)}`, accent]]),
    ...rule(" blockquote", [["border-left", accent && `3px solid ${hex(accent)}`, accent]]),
  ];
  return rules.length === 0 ? "" : `<style>${rules.join("")}</style>`;
}

/** A property with its value, and the colour that must be usable if it is not the value itself. */
type Declaration = readonly [name: string, value: string | undefined, colour?: string | undefined];

function rule(selector: string, declarations: readonly Declaration[]): string[] {
  const kept = declarations.flatMap(([name, value, colour = value]) =>
    value !== undefined && colour !== undefined && isHexColour(colour.trim())
      ? [`${name}: ${value.trim()}`]
      : [],
  );
  return kept.length === 0 ? [] : [`.${articleClass}${selector} {${kept.join("; ")}}`];
}

const hex = (colour: string): string => colour.trim();
