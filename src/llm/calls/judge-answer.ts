import type { z } from "zod";
import type { ObjectAnswer, TextAnswer } from "../ask.ts";
import type { Failure } from "../failures.ts";
import type { Said } from "../providers/model-call.ts";

/** Whether a model's output is a valid answer. `errors` can be repaired by the model in another attempt. */
export type Judged<T> =
  | { readonly ok: true; readonly answer: T }
  | { readonly ok: false; readonly failure: Failure; readonly errors?: string };

/** Any text is an answer, a refusal included. */
export function judgeText({ text, refusal, truncated }: Said): Judged<TextAnswer> {
  if (text.trim() !== "") return { ok: true, answer: { text, refused: false, truncated } };
  if (refusal.trim() !== "") return { ok: true, answer: { text: refusal, refused: true, truncated } };
  return { ok: false, failure: { class: "empty", message: "the model said nothing" } };
}

/** JSON of the right shape, however it is wrapped. */
export function judgeObject<T>(
  { text, refusal, truncated }: Said,
  schema: z.ZodType<T>,
): Judged<ObjectAnswer<T>> {
  if (text.trim() === "")
    return refusal.trim() === ""
      ? { ok: false, failure: { class: "empty", message: "the model said nothing" } }
      : { ok: false, failure: { class: "refused", message: "the model declined" } };
  // What broke off may close its brackets and still lack its end.
  const value = jsonIn(text) ?? (truncated ? undefined : jsonIn(closed(text)));
  if (value === undefined)
    return invalid(truncated ? "The JSON breaks off before its end: say it shorter." : "It is not JSON.");
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, answer: { object: read.data } };
  const issues = read.error.issues
    .slice(0, 8)
    .map(({ path, message }) => `${path.join(".") || "the whole"}: ${message}`);
  return invalid(issues.join("\n"));
}

function invalid(errors: string): Judged<never> {
  const [first = ""] = errors.split("\n");
  return {
    ok: false,
    failure: { class: "invalid_answer", message: `not of the shape asked for: ${first}` },
    errors,
  };
}

/** Extracts the JSON of an answer: bare, inside fences or prose, or with a trailing comma. */
export function jsonIn(text: string): unknown {
  const [, inFences, ...closed] = text.split("```");
  const fenced = closed.length > 0 ? inFences?.replace(/^json/i, "") : undefined;
  const braces = text.slice(text.search(/[[{]/), Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1);
  for (const part of [text, fenced, braces, braces.replace(/,(\s*[\]}])/g, "$1")]) {
    if (part === undefined || part.trim() === "") continue;
    try {
      const value: unknown = JSON.parse(part);
      if (typeof value === "object" && value !== null) return value;
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}

/** The text with the brackets that it leaves open, in their order. */
function closed(text: string): string {
  const open: string[] = [];
  let quoted = false;
  for (let at = Math.max(0, text.search(/[[{]/)); at < text.length; at += 1) {
    const sign = text[at];
    if (quoted && sign === "\\") at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === "{") open.unshift("}");
    else if (sign === "[") open.unshift("]");
    else if (sign === "}" || sign === "]") open.shift();
  }
  return text.trimEnd() + (quoted ? '"' : "") + open.join("");
}
