import { type BrandColours, brandCss } from "../../content/index.ts";

/** One style block of our own making, or nothing if no colour is usable. */
export function brandStyle(brand: BrandColours): string {
  const css = brandCss(brand);
  return css === "" ? "" : `<style>${css}</style>`;
}
