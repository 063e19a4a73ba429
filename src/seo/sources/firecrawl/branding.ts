import { z } from "zod";
import { limits } from "../limits.ts";
import { lineOf, listOf, objectOf, webAddress } from "../shapes.ts";

export interface Branding {
  /** Each is `#rrggbb`. */
  readonly colors: {
    readonly background: string;
    readonly text: string;
    readonly accent: string;
    readonly primary: string;
    readonly secondary: string;
  };
  readonly fonts: { readonly heading: string | null; readonly body: string | null };
  readonly logoUrl: string | null;
}

/** The document's defaults, for sites whose colours could not be read. */
export const plainBranding: Branding = {
  colors: {
    background: "#ffffff",
    text: "#333333",
    accent: "#0066cc",
    primary: "#0066cc",
    secondary: "#333333",
  },
  fonts: { heading: null, body: null },
  logoUrl: null,
};

/** Colours and fonts end in a style sheet: only what is exactly a colour or a name passes. */
const colour = z.string().transform(hexOf).nullable().catch(null);
const family = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,59}$/u)
  .nullable()
  .catch(null);
const address = webAddress.nullable().catch(null);

const shape = objectOf({
  colors: objectOf({
    background: colour,
    textPrimary: colour,
    text: colour,
    accent: colour,
    primary: colour,
    secondary: colour,
  }),
  fonts: listOf(z.object({ family, role: lineOf(40) }), 20),
  typography: objectOf({ fontFamilies: objectOf({ heading: family, primary: family }) }),
  logo: address,
  images: objectOf({ logo: address }),
});

/** Undefined if nothing of it could be read. */
export function brandingFrom(given: unknown): Branding | undefined {
  const { colors, fonts, typography, logo, images } = shape.parse(given);
  const known = plainBranding.colors;
  const primary = colors.primary ?? colors.accent ?? known.primary;
  const families = typography.fontFamilies;
  const body =
    families.primary ?? fonts.find(({ role }) => role === "body")?.family ?? fonts[0]?.family ?? null;
  const branding: Branding = {
    colors: {
      background: colors.background ?? known.background,
      text: colors.textPrimary ?? colors.text ?? known.text,
      accent: colors.accent ?? colors.primary ?? known.accent,
      primary,
      secondary: colors.secondary ?? known.secondary,
    },
    fonts: {
      heading: families.heading ?? fonts.find(({ role }) => role === "heading")?.family ?? body,
      body,
    },
    logoUrl: (logo ?? images.logo)?.slice(0, limits.url) ?? null,
  };
  const found = [...Object.values(colors), body, branding.logoUrl].some((value) => value !== null);
  return found ? branding : undefined;
}

/** `#rrggbb` of a colour in hexadecimal or `rgb()`; null for anything else. */
function hexOf(text: string): string | null {
  const given = text.trim().toLowerCase();
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(given)?.[1];
  if (hex) {
    const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
    return `#${long.slice(0, 6)}`;
  }
  const parts = /^rgba?\(\s?(\d{1,3})\s?[, ]\s?(\d{1,3})\s?[, ]\s?(\d{1,3})/.exec(given);
  if (!parts) return null;
  const bytes = parts.slice(1, 4).map(Number);
  return bytes.every((byte) => byte <= 255)
    ? `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`
    : null;
}
