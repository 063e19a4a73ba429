import { z } from "zod";
import { codeOf } from "../errors/index.ts";

/** An error of PostgreSQL in words for a person: its own messages name our tables and types. */
export interface DatabaseErrorDescription {
  readonly sentence: string;
  /** The database does not answer or takes no connections: the request itself may be right. */
  readonly unreachable: boolean;
  /** An expected error, so no stack is needed. */
  readonly expected: boolean;
}

const databaseError = z.object({
  name: z.literal("PostgresError"),
  code: z.string(),
  message: z.string(),
  column_name: z.string().optional(),
});

/** Codes that the driver gives to connection errors. */
const lost = new Set(["CONNECT_TIMEOUT", "CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED"]);

/** By the beginning of PostgreSQL's code: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^(08|57P0)/, "PostgreSQL ended the connection."],
  [/^533/, "PostgreSQL takes no more connections."],
  [/^53/, "PostgreSQL has no room left: look at its disk and memory."],
  [/^(40|55P03|57014)/, "The database was busy with the same rows: try again."],
  [/^25006/, "PostgreSQL is a standby and takes no writes."],
  [/^42501/, "The database's user may not do this: connect as the owner of Molva's tables."],
  [
    /^(42P01|42703|42883|3F000)/,
    "The database is not the one of this version: `molva migrate` brings it up to date.",
  ],
  [/^22/, "A value has a form that the database does not take; nothing was changed."],
  [/^23503/, "Something that this needs is not there, or something still needs this; nothing was changed."],
  [/^23505/, "There is already one like it; nothing was changed."],
  [/^23/, "The database does not allow such a value; nothing was changed."],
];

/** Of several hosts, none takes writes at the moment. */
const noPrimary =
  "No host of the database takes writes at the moment: see to it that one of them is the primary.";

/** Returns undefined for an error that did not come from the database. */
export function describeDatabaseError(error: unknown): DatabaseErrorDescription | undefined {
  if (lost.has(codeOf(error) ?? ""))
    return { sentence: "PostgreSQL ended the connection.", unreachable: true, expected: true };
  if (codeOf(error) === "CONNECTION_NO_PRIMARY")
    return { sentence: noPrimary, unreachable: true, expected: true };
  const read = databaseError.safeParse(error);
  if (!read.success) return undefined;
  const { code, message, column_name } = read.data;
  // Our triggers set the column and a sentence for people; PostgreSQL's own checks set no column.
  if (code === "23514" && column_name) return { sentence: message, unreachable: false, expected: true };
  const known = sentences.find(([codes]) => codes.test(code))?.[1];
  return {
    sentence: `${known ?? "The database did not do it."} (PostgreSQL ${code})`,
    unreachable: /^(08|57P0|533|25006)/.test(code),
    expected: false,
  };
}
