import { Refused } from "../../api/index.ts";

/** What the server said about a field of the draft, or about a part of that field. */
export function faultUnder(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof Refused)) return undefined;
  return error.problem.errors?.find(
    (each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`),
  )?.detail;
}
