import { z } from "zod";
import { problem } from "../../http/index.ts";

/** What a row is found again by: the values that its list is ordered by. */
export type Place = readonly (string | number | boolean | null)[];

/** A place in a list as text that callers pass on without reading it. */
export function cursorOf(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The place that `cursorOf` wrote down, or nothing for the first page; anything else is refused. */
export function placeAfter<Values extends z.ZodType>(
  after: string | undefined,
  values: Values,
): z.output<Values> | undefined {
  if (after === undefined) return undefined;
  const read = values.safeParse(parsed(after));
  if (read.success) return read.data;
  const detail = "Give the `next` of the page before.";
  throw problem("invalid_request", { detail: `after: ${detail}`, errors: [{ pointer: "/after", detail }] });
}

/** The same for a list in the order of its rows' ids. */
export function idAfter(after: string | undefined): string | undefined {
  return placeAfter(after, z.tuple([z.uuid()]))?.[0];
}

/** For a list in the order of time: the time with all its digits, and the id. */
export const timeAndId = z.tuple([z.iso.datetime(), z.uuid()]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
