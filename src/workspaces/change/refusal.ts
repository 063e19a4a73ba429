import { z } from "zod";
import { problem } from "../../http/index.ts";

/** PostgreSQL's error for a refused row; our triggers set the column and a sentence for people. */
const databaseError = z.object({
  name: z.literal("PostgresError"),
  code: z.string(),
  message: z.string(),
  constraint_name: z.string().optional(),
  column_name: z.string().optional(),
});

/** Messages for violations of unique indexes, by the name of the index. */
export type Conflicts = Readonly<Record<string, { readonly pointer: string; readonly detail: string }>>;

/** Turns an error of the database into a problem for the caller; any other error is returned unchanged. */
export function refusalFrom(error: unknown, conflicts: Conflicts = {}): unknown {
  const read = databaseError.safeParse(error);
  if (!read.success) return error;
  const { code, message, constraint_name, column_name } = read.data;
  const conflict = code === "23505" ? conflicts[constraint_name ?? ""] : undefined;
  if (conflict) return problem("conflict", { detail: conflict.detail, errors: [conflict] });
  // Raised by our own functions only: foreign keys report another code.
  if (code === "23001") return problem("conflict", { detail: message });
  if (code === "23514" && column_name) {
    return problem("unprocessable", {
      detail: message,
      errors: [{ pointer: `/${column_name}`, detail: message }],
    });
  }
  return error;
}
