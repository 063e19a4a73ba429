import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { readSettings } from "../catalogue/catalogue.ts";

const daySchema = z.object({
  day: z.string().describe("In the workspace's time zone"),
  revenue_rub: z.number().describe("What was paid; of Stars the nominal price"),
  tokens_sold: z.int().describe("Paid for, the gift of a package included"),
  tokens_given: z.int().describe("Welcome and referral bonuses, and what operators gave or took"),
  tokens_taken_back: z.int().describe("Because their payment was refunded"),
  tokens_spent: z.int().describe("On work that was done, less what was refunded of it"),
  cost_usd: z.number().describe("What calls of providers have cost"),
  cost_rub: z.number(),
});

const operationSchema = z.object({
  operation: z
    .string()
    .nullable()
    .describe("Null: calls for no work in particular; refund: work given back after it was done"),
  works: z.int(),
  tokens_spent: z.int(),
  calls: z.int(),
  cost_usd: z.number(),
  cost_rub: z.number(),
  margin_rub: z.number().describe("What the tokens are worth, less what the calls have cost"),
});

export const reportSchema = z
  .object({
    from: z.date(),
    to: z.date(),
    usd_rub: z.number().describe("The rate that dollars were counted at"),
    token_rub: z.number().describe("What a token was counted as worth"),
    days: z.array(daySchema),
    operations: z.array(operationSchema),
  })
  .meta({ id: "BillingReport" });
export type Report = z.infer<typeof reportSchema>;

export interface ReportQuery {
  readonly from: Date;
  readonly to: Date;
  readonly usdRub: number;
}

/** What was sold and spent, what it cost, and the margin of each kind of work. */
export async function readReport(
  sql: Sql,
  workspaceId: string,
  { from, to, usdRub }: ReportQuery,
): Promise<Report> {
  if (from >= to)
    throw problem("unprocessable", { detail: "The report would end before it begins: give a later end." });
  const { token_rub } = await readSettings(sql, workspaceId);
  const days = await sql<Omit<Report["days"][number], "cost_rub">[]>`
    select day::text, revenue_rub::float8, tokens_sold, tokens_given, tokens_taken_back, tokens_spent, cost_usd::float8
    from billing.report_days(${workspaceId}, ${from}, ${to})`;
  const operations = await sql<Omit<Report["operations"][number], "cost_rub" | "margin_rub">[]>`
    select operation, works, tokens_spent, calls, cost_usd::float8
    from billing.report_operations(${workspaceId}, ${from}, ${to})`;
  return {
    ...{ from, to, usd_rub: usdRub, token_rub },
    days: days.map((row) => ({ ...row, cost_rub: kopecks(row.cost_usd * usdRub) })),
    operations: operations.map((row) => ({
      ...row,
      cost_rub: kopecks(row.cost_usd * usdRub),
      margin_rub: kopecks(row.tokens_spent * token_rub - row.cost_usd * usdRub),
    })),
  };
}

const kopecks = (rub: number) => Math.round(rub * 100) / 100;
