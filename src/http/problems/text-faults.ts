import { pointerTo } from "./from-zod.ts";
import type { ProblemError } from "./problem.ts";

/** Far deeper than anything people send. Deeper nesting would overflow the stack of every reader, the database included. */
const deepest = 64;

/** Finds text that the database cannot store: lone surrogates and NUL. */
export function* textFaults(value: unknown, path: readonly PropertyKey[] = []): Generator<ProblemError> {
  if (typeof value === "string") {
    if (!value.isWellFormed())
      yield {
        pointer: pointerTo(path),
        detail: "The text holds half of a surrogate pair: it is not valid Unicode",
      };
    if (value.includes("\0")) yield { pointer: pointerTo(path), detail: "The text holds a NUL character" };
  } else if (path.length > deepest) {
    yield { pointer: pointerTo(path), detail: `The body is nested more than ${deepest} levels deep` };
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* textFaults(inner, [...path, key]);
      if (!key.isWellFormed() || key.includes("\0"))
        yield {
          pointer: pointerTo(path),
          detail: "A field's name is not valid Unicode or holds a NUL character",
        };
    }
  }
}
