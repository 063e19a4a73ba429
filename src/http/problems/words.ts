import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

/**
 * For `safeParse`: error messages for people. A message of the schema itself is kept; zod's own speak of types and of `>=`.
 */
export const inOurWords = {
  error: (issue: RawIssue): string | undefined => wordsFor(issue),
};

function wordsFor(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "It is missing"
        : `${typeNames[issue.expected] ?? "Another type"} is needed`;
    case "too_small":
      return bound(issue.origin, Number(issue.minimum), issue.inclusive !== false, "small");
    case "too_big":
      return bound(issue.origin, Number(issue.maximum), issue.inclusive !== false, "big");
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_format":
      return formatNames[issue.format] ?? "It is not of the right form";
    case "unrecognized_keys":
      return `Unknown: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : "It fits none of the forms that are known";
    case "invalid_key":
      return "The name is not allowed";
    case "not_multiple_of":
      return `A multiple of ${issue.divisor} is needed`;
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): string {
  const [only, ...others] = values.map(String);
  return others.length === 0 ? `${only} is needed` : `One of ${[only, ...others].join(", ")} is needed`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "Text",
  number: "A number",
  int: "A whole number",
  boolean: "true or false",
  array: "A list",
  object: "An object",
  record: "An object",
  date: "A time",
  null: "null",
};

const formatNames: Readonly<Record<string, string>> = {
  email: "An e-mail address is needed",
  url: "A web address is needed",
  uuid: "An id such as 0198c0de-0000-7000-8000-000000000000 is needed",
  datetime: "A time with its zone is needed, as in 2026-11-15T12:00:00Z",
  date: "A date is needed, as in 2026-11-15",
};

const counted: Readonly<Record<string, string>> = { string: "characters", array: "entries", set: "entries" };

function bound(origin: string, limit: number, inclusive: boolean, side: "small" | "big"): string {
  const things = counted[origin];
  if (things) {
    if (side === "small" && limit === 1) return "It must not be empty";
    return side === "small"
      ? `At least ${limit} ${things} are needed`
      : `At most ${limit} ${things} are allowed`;
  }
  if (inclusive) return side === "small" ? `At least ${limit} is needed` : `At most ${limit} is allowed`;
  return side === "small" ? `More than ${limit} is needed` : `Less than ${limit} is needed`;
}
