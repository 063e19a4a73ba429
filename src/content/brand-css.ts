/** Colours of a brand; each is used only if it is written as `#rrggbb` or another hexadecimal form. */
export interface BrandColours {
  readonly text?: string;
  readonly accent?: string;
  readonly background?: string;
}

/** The class of the element that holds an article; the rules reach nothing outside it. */
export const articleClass = "molva-article";

/** `#fc0`, `#ffcc00`, and both with transparency. */
export function isHexColour(value: string): boolean {
  return /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value);
}

/** The rules of one style block, or nothing if no colour is usable. Nothing of them can be anything but a colour. */
export function brandCss(brand: BrandColours): string {
  const [text, accent, background] = [brand.text, brand.accent, brand.background].map(usable);
  return [
    ...rule("", [text && `color: ${text}`, background && `background-color: ${background}`]),
    ...rule(" h2", [accent && `border-left: 4px solid ${accent}; padding-left: 12px`]),
    ...rule(" a", [accent && `color: ${accent}`]),
    ...rule(" th", [accent && `border-bottom: 2px solid ${accent}`]),
    ...rule(" blockquote", [accent && `border-left: 3px solid ${accent}`]),
  ].join("");
}

function usable(colour: string | undefined): string | undefined {
  const value = colour?.trim();
  return value !== undefined && isHexColour(value) ? value : undefined;
}

function rule(selector: string, declarations: readonly (string | undefined)[]): string[] {
  const kept = declarations.filter((each) => each !== undefined);
  return kept.length === 0 ? [] : [`.${articleClass}${selector} {${kept.join("; ")}}`];
}
