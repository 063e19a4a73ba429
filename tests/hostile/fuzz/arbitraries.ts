import fc from "fast-check";
import { regressionSeed } from "../../support/seed.ts";

/** Runs per property; set FUZZ_RUNS for a longer search. */
export const numRuns = Number(process.env.FUZZ_RUNS ?? 150);

/** Tries the inputs of this run's seed, and then those of the seed that every run had before. */
export async function holds<Input>(property: fc.IRawProperty<Input>, runs = numRuns): Promise<void> {
  await fc.assert(property, { numRuns: runs });
  await fc.assert(property, { numRuns: runs, seed: regressionSeed });
}

const pieces = [
  ...[
    "<b>",
    "</b>",
    "<a href='",
    "javascript:",
    "data:text/html,",
    "'>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<script>",
  ],
  ...[
    "&",
    "&#x",
    "&lt;",
    ";",
    "*",
    "**",
    "_",
    "`",
    "```",
    "~~",
    "||",
    "[",
    "](",
    ")",
    "![",
    ">",
    "# ",
    "| ",
    "\n",
    "\t",
  ],
  ...["{{", "}}", "{%", "%}", "'", '"', "\\", "%00", "$1", "--", "/*"],
  ...[
    "\u0000",
    "\u001b",
    "\u200b",
    "\u202e",
    "\ufeff",
    "\ud800",
    "\udc00",
    "👨‍👩‍👧",
    "ё",
    "𝒳",
    "https://example.com/",
  ],
];

/** Text made of what parsers commonly fail on. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 60 })
  .map((parts) => parts.join(""));

/** Values of every JSON type, with names that are special in JavaScript. */
export const hostileJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, -1, 1e308, Number.MAX_SAFE_INTEGER + 2, "", "null", "../../etc/passwd"),
    hostileText,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom("__proto__", "constructor", "toString", "text", "id", "url"), fc.string()),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

/** A valid object with one field replaced by anything. */
export function spoiled(good: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .tuple(fc.constantFrom(...Object.keys(good), "unknown_field"), hostileJson)
    .map(([field, value]) => ({ ...good, [field]: value }));
}

/** A valid object with one of its values, at any depth, replaced by anything. */
export function spoiledWithin(good: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...placesIn(good)), hostileJson)
    .map(([place, value]) => replaced(good, place, value));
}

function placesIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...placesIn(inner).map((rest) => [key, ...rest]),
  ]);
}

function replaced(good: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(good))
    return good.map((item, index) => (String(index) === key ? replaced(item, rest, value) : item));
  return { ...Object(good), [key]: replaced(Object(good)[key], rest, value) };
}
