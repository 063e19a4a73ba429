import { z } from "zod";
import { problem } from "../../http/index.ts";

/** The values of a row by which its list is ordered. */
export type Place = readonly (string | number | boolean | null)[];

/** Encodes a place in a list as an opaque text. */
export function cursorOf(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Decodes a text of `cursorOf`; undefined for the first page; throws for anything else. */
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

/** The same for a list ordered by id. */
export function idAfter(after: string | undefined): string | undefined {
  return placeAfter(after, z.tuple([z.uuid()]))?.[0];
}

/** For a list ordered by time: the time in full precision, and the id. */
export const timeAndId = z.tuple([z.iso.datetime(), z.uuid()]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
