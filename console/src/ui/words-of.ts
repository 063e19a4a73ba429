import { Refused, Unreachable } from "../api/index.ts";
import type { Texts } from "../texts/index.ts";

/** What to tell a person about an error. */
export function wordsOf(error: Error, texts: Texts): string {
  if (error instanceof Unreachable) return texts.faults.unreachable;
  if (error instanceof Refused) {
    const known: Readonly<Record<string, string>> = texts.faults.byCode;
    return known[error.problem.code ?? ""] ?? error.problem.detail ?? texts.faults.unexpected;
  }
  return texts.faults.unexpected;
}

/** What the server said about one field of a form, by its JSON pointer. */
export function faultOf(error: Error | null, pointer: string): string | undefined {
  return error instanceof Refused ? error.fault(pointer) : undefined;
}
