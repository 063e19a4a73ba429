import { z } from "zod";
import { problem } from "../../http/index.ts";

/** What PostgreSQL says of a refused row; triggers of ours name the column and bring a sentence. */
const databaseError = z.object({
  name: z.literal("PostgresError"),
  code: z.string(),
  message: z.string(),
  constraint_name: z.string().optional(),
  column_name: z.string().optional(),
});

/** What to say when a unique index refuses a row, by the index's name. */
export type Conflicts = Readonly<Record<string, { readonly pointer: string; readonly detail: string }>>;

/** The problem that a refusal of the database means for the caller; anything else comes back as it is. */
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
