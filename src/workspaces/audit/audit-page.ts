import { z } from "zod";
import { type AuditFilter, auditRowSchema, auditRows, placeInAudit } from "../../audit/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { cursorOf, placeAfter } from "../requests/cursor.ts";
import { type Page, type PageQuery, pageLimit } from "../requests/paging.ts";

const presentName = z.string().nullable();

/** Names are not part of the chains, because they can change. */
export const auditEntrySchema = auditRowSchema
  .extend({
    actor_name: presentName.describe("The present name of the operator or token"),
    subject_name: presentName.describe("The same of the subject"),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Entries of the audit, newest first. */
export async function auditPage(
  sql: Sql,
  { limit = pageLimit.usual, after, ...filter }: PageQuery & AuditFilter,
): Promise<Page<AuditEntry>> {
  const found = await auditRows(sql, filter, { limit: limit + 1, after: placeAfter(after, placeInAudit) });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const names = await namesOf(
    sql,
    rows.flatMap(({ actor, subject }) => [whoOf(actor), whoOf(subject)]),
  );
  return {
    items: rows.map(({ place: _, ...row }) => ({
      ...row,
      actor_name: names.get(whoOf(row.actor)) ?? null,
      subject_name: names.get(whoOf(row.subject)) ?? null,
    })),
    next: found.length > limit && last ? cursorOf(last.place) : null,
  };
}

function whoOf(someone: { readonly kind: string; readonly id: string | null } | null): string {
  return `${someone?.kind}:${someone?.id}`;
}

/** The names of operators and tokens that are still there. */
async function namesOf(sql: Sql, all: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ who: string; name: string }[]>`
    select who, workspaces.actor_name(who) as name from unnest(${[...new Set(all)]}::text[]) as who`;
  return new Map(rows.filter(({ who, name }) => name !== who).map(({ who, name }) => [who, name]));
}
