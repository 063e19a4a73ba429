import { z } from "zod";
import { type IdColumn, idsByPrefix, type Sql } from "../kernel/db/index.ts";
import { fewestDigits, idRange, isUuid } from "../kernel/ids/index.ts";
import { problem } from "./problems/index.ts";

/** An id in a path, a query or a body: whole, or its beginning as lists print it. */
export const idText = z
  .string()
  .trim()
  .max(36)
  .refine(
    (text) => idRange(text) !== undefined && text.replaceAll("-", "").length >= fewestDigits,
    "An id such as 0198c0de-0000-7000-8000-000000000000 is needed, or enough of its beginning",
  )
  .describe("The id, or enough of its beginning");

/**
 * Completes an id that `idText` has accepted. A whole id is returned as it is, whether or not it exists.
 *
 * @example
 * const id = await wholeId(sql, workspaceId, idColumns.delivery, request.params.id);
 */
export async function wholeId(
  sql: Sql,
  workspaceId: string,
  column: IdColumn,
  given: string,
  pointer = "",
): Promise<string> {
  if (isUuid(given)) return given.toLowerCase();
  const found = await idsByPrefix(sql, workspaceId, column, given);
  const [only, ...others] = found;
  if (only === undefined) throw problem("not_found", { detail: `There is no ${column.what} ${given}.` });
  if (others.length === 0) return only;
  throw problem("ambiguous_id", {
    detail: `More than one ${column.what} begins with ${given}: ${found.join(", ")}.`,
    errors: found.map((id) => ({ pointer, detail: id })),
  });
}
