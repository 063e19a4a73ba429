import { type AuditFilter, type AuditRow, auditRows, placeInAudit } from "../../audit/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { cursorOf, placeAfter } from "../requests/cursor.ts";
import { type Page, type PageQuery, pageLimit } from "../requests/paging.ts";

/** Entries of the audit, newest first. */
export async function auditPage(
  sql: Sql,
  { limit = pageLimit.usual, after, ...filter }: PageQuery & AuditFilter,
): Promise<Page<AuditRow>> {
  const found = await auditRows(sql, filter, { limit: limit + 1, after: placeAfter(after, placeInAudit) });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    items: rows.map(({ place: _, ...row }) => row),
    next: found.length > limit && last ? cursorOf(last.place) : null,
  };
}
