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

/** What was there already, by the index that says so. */
const conflicts: Readonly<Record<string, { readonly pointer: string; readonly detail: string }>> = {
  channels_workspace_id_platform_target_id_key: {
    pointer: "/target_id",
    detail: "The workspace already has a channel on this chat. allow_duplicate asks for another one.",
  },
  workspace_endpoints_active_secret: {
    pointer: "/secret",
    detail: "Another enabled endpoint has this secret, and a secret opens one endpoint only.",
  },
  workspace_endpoints_active_source: {
    pointer: "",
    detail: "The source has another enabled endpoint.",
  },
  pull_sources_pkey: {
    pointer: "/source_id",
    detail: "The workspace already has a source with this id.",
  },
};

/** The problem that a refusal of the database means for the caller; anything else comes back as it is. */
export function refusalFrom(error: unknown): unknown {
  const read = databaseError.safeParse(error);
  if (!read.success) return error;
  const { code, message, constraint_name, column_name } = read.data;
  const conflict = code === "23505" ? conflicts[constraint_name ?? ""] : undefined;
  if (conflict) return problem("conflict", { detail: conflict.detail, errors: [conflict] });
  if (code === "23514" && column_name) {
    return problem("unprocessable", {
      detail: message,
      errors: [{ pointer: `/${column_name}`, detail: message }],
    });
  }
  return error;
}
