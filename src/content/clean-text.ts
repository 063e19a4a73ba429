import { type ContentError, positionAt } from "./problem.ts";

/** What no text may contain: a lone surrogate, or NUL. */
export function findForbidden(source: string): ContentError | undefined {
  const nul = source.indexOf("\0");
  if (nul >= 0) {
    const position = positionAt(source, nul);
    return { code: "nul_character", message: `NUL character ${at(position)}`, position };
  }
  const lone = source.search(/\p{Surrogate}/u);
  if (lone >= 0) {
    const position = positionAt(source, lone);
    return { code: "lone_surrogate", message: `half of a surrogate pair ${at(position)}`, position };
  }
  return undefined;
}

export function at(position: { line: number; column: number }): string {
  return `at line ${position.line}, column ${position.column}`;
}

const letterThatJoins =
  "[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}" +
  "\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}" +
  "\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]";

/**
 * Invisible characters, each kept only where it has a visible effect: joiners inside an emoji or in scripts that use them to
 * shape letters, tag characters in a flag, direction marks. Overrides and isolates, which can disguise a text, are removed; so
 * are zero-width spaces, fillers and control codes.
 */
const keptOrInvisible = new RegExp(
  [
    "(?<flag>\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{1,8}\\u{E007F})",
    "(?<joinedEmoji>(?<=[\\p{Extended_Pictographic}\\uFE0F\\p{Emoji_Modifier}])\\u200D(?=\\p{Extended_Pictographic}))",
    `(?<joinedLetter>(?<=${letterThatJoins})[\\u200C\\u200D](?=${letterThatJoins}))`,
    "(?<lineEnd>\\r\\n?|\\u0085|\\u2028|\\u2029|\\u000B|\\u000C)",
    "(?<invisible>[\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u009F\\u200B-\\u200D\\u2060-\\u2064\\u206A-\\u206F" +
      "\\u202A-\\u202E\\u2066-\\u2069\\uFEFF\\uFFF9-\\uFFFB\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u3164\\uFFA0" +
      "\\u{E0000}-\\u{E007F}\\u{E0100}-\\u{E01EF}])",
  ].join("|"),
  "gu",
);

/** A cheap test: ordinary text is returned unchanged. */
const suspicious = new RegExp(
  "[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B-\\u200D\\u2028-\\u202E" +
    "\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E01EF}]",
  "u",
);

/**
 * Removes characters that hide or disguise text and makes every line end `\n`. `onRemoved` gets the place and length of each
 * removed character, `onShortened` those of each line end that was two characters.
 */
export function cleanText(
  text: string,
  onRemoved: (index: number, length: number) => void = () => {},
  onShortened: (index: number) => void = () => {},
): string {
  if (!suspicious.test(text)) return text;
  return text.replace(keptOrInvisible, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    const place = rest.at(-3);
    const index = typeof place === "number" ? place : 0;
    if (has(groups, "lineEnd")) {
      if (found.length > 1) onShortened(index);
      return "\n";
    }
    if (!has(groups, "invisible")) return found;
    onRemoved(index, found.length);
    return "";
  });
}

function has(groups: unknown, name: string): boolean {
  return typeof groups === "object" && groups !== null && Reflect.get(groups, name) !== undefined;
}
