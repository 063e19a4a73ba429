import { z } from "zod";

/** What PostgreSQL said, in words for a person: its own name our tables and types. */
export interface DatabaseFault {
  readonly sentence: string;
  /** Nobody answers, or nobody can at the moment: not a fault of what was asked. */
  readonly unreachable: boolean;
  /** Somebody expected it: there is nothing more to find out. */
  readonly expected: boolean;
}

const databaseError = z.object({
  name: z.literal("PostgresError"),
  code: z.string(),
  message: z.string(),
  column_name: z.string().optional(),
});

/** Codes of the connection, which the driver gives. */
const lost = new Set(["CONNECT_TIMEOUT", "CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED"]);

/** By the beginning of PostgreSQL's code: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^(08|57P0)/, "PostgreSQL ended the connection."],
  [/^533/, "PostgreSQL takes no more connections."],
  [/^53/, "PostgreSQL has no room left: look at its disk and memory."],
  [/^(40|55P03|57014)/, "The database was busy with the same rows: try again."],
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

/** The fault of the database that an error is; undefined for every other error. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof Error && "code" in error && lost.has(String(error.code)))
    return { sentence: "PostgreSQL ended the connection.", unreachable: true, expected: true };
  const read = databaseError.safeParse(error);
  if (!read.success) return undefined;
  const { code, message, column_name } = read.data;
  // A trigger of ours names the column and brings a sentence; PostgreSQL's own checks name no column.
  if (code === "23514" && column_name) return { sentence: message, unreachable: false, expected: true };
  const known = sentences.find(([codes]) => codes.test(code))?.[1];
  return {
    sentence: `${known ?? "The database did not do it."} (PostgreSQL ${code})`,
    unreachable: /^(08|57P0|533)/.test(code),
    expected: false,
  };
}
