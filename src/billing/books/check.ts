import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

export const findingSchema = z
  .object({
    finding: z.string().describe("What kind of fault it is"),
    subject: z.string().describe("The transfer, person, work, payment or call"),
    message: z.string(),
  })
  .meta({ id: "BillingFinding" });
export type Finding = z.infer<typeof findingSchema>;

export const checkSchema = z
  .object({
    right: z.boolean().describe("Whether nothing is wrong"),
    checked_at: z.date(),
    transfers: z.int(),
    people: z.int(),
    held: z.int().describe("Tokens that are held for work now"),
    debt: z.int().describe("Tokens that people owe after refunded payments"),
    findings: z.array(findingSchema).describe("The first hundred faults"),
  })
  .meta({ id: "BillingCheck" });
export type Check = z.infer<typeof checkSchema>;

const most = 100;

/** Checks the books of a workspace, and returns what is wrong. */
export async function checkBooks(sql: Sql, workspaceId: string, now: Date): Promise<Check> {
  const findings = await sql<Finding[]>`
    select finding, subject, message from billing.check_books(${workspaceId}, ${now})
    order by finding, subject limit ${most}`;
  const [totals] = await sql<[Pick<Check, "transfers" | "people" | "held" | "debt">]>`
    select count(*) as transfers, coalesce(sum(in_progress), 0)::bigint as held, coalesce(-sum(debt), 0)::bigint as debt,
      (select count(*) from billing.users u where u.workspace_id = ${workspaceId}) as people
    from billing.transfers t where t.workspace_id = ${workspaceId}`;
  return { right: findings.length === 0, checked_at: now, ...totals, findings };
}

/** The nightly check of every workspace; a finding becomes an event, and with it an alert. */
export async function checkAllBooks(
  sql: Sql,
  now: Date,
): Promise<{ workspace_id: string; findings: number }[]> {
  return sql<{ workspace_id: string; findings: number }[]>`
    select workspace_id, findings from billing.check_all_books(${now})`;
}
