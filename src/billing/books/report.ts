import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { readSettings } from "../catalogue/catalogue.ts";

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
type Operation = z.infer<typeof operationSchema>;

const daySchema = z.object({
  day: z.string().describe("In the workspace's time zone"),
  revenue_rub: z.number().describe("What was paid; of Stars the nominal price, if there is one"),
  revenue_stars: z.int().describe("What was paid in Stars"),
  refunded_rub: z.number().describe("What went back on this day, whenever it was paid"),
  refunded_stars: z.int(),
  tokens_sold: z.int().describe("Paid for, the gift of a package included"),
  tokens_given: z.int().describe("Welcome and referral bonuses, and what operators gave or took"),
  tokens_taken_back: z.int().describe("Because their payment was refunded"),
  tokens_spent: z.int().describe("On work that was done, less what was refunded of it"),
  cost_usd: z.number().describe("What calls of providers have cost"),
  cost_rub: z.number(),
  margin_rub: z.number().describe("What the spent tokens are worth, less what the calls have cost"),
  operations: z.array(operationSchema),
});

export const reportSchema = z
  .object({
    from: z.date(),
    to: z.date(),
    usd_rub: z.number().describe("The rate that dollars were counted at"),
    token_rub: z.number().describe("What a token was counted as worth"),
    days: z.array(daySchema),
    operations: z.array(operationSchema).describe("Of all days together"),
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
  const days = await sql<Omit<Report["days"][number], "cost_rub" | "margin_rub" | "operations">[]>`
    select day::text, revenue_rub::float8, revenue_stars, refunded_rub::float8, refunded_stars, tokens_sold, tokens_given,
      tokens_taken_back, tokens_spent, cost_usd::float8
    from billing.report_days(${workspaceId}, ${from}, ${to})`;
  const works = await sql<(Worked & { readonly day: string })[]>`
    select day::text, operation, works, tokens_spent, calls, cost_usd::float8
    from billing.report_operations(${workspaceId}, ${from}, ${to})`;
  const margined = <Row extends { tokens_spent: number; cost_usd: number }>(row: Row) => ({
    ...row,
    cost_rub: kopecks(row.cost_usd * usdRub),
    margin_rub: kopecks(row.tokens_spent * token_rub - row.cost_usd * usdRub),
  });
  return {
    ...{ from, to, usd_rub: usdRub, token_rub },
    days: days.map((row) => ({
      ...margined(row),
      operations: works.filter(({ day }) => day === row.day).map(({ day: _day, ...work }) => margined(work)),
    })),
    operations: total(works).map(margined),
  };
}

type Worked = Omit<Operation, "cost_rub" | "margin_rub">;

/** The same kinds of work of all days, the most expensive in tokens first. */
function total(works: readonly Worked[]): readonly Worked[] {
  const sums = new Map<string | null, Worked>();
  for (const { operation, ...each } of works) {
    const sum = sums.get(operation) ?? { works: 0, tokens_spent: 0, calls: 0, cost_usd: 0 };
    sums.set(operation, {
      operation,
      works: sum.works + each.works,
      tokens_spent: sum.tokens_spent + each.tokens_spent,
      calls: sum.calls + each.calls,
      cost_usd: sum.cost_usd + each.cost_usd,
    });
  }
  return [...sums.values()].toSorted((one, other) => other.tokens_spent - one.tokens_spent);
}

const kopecks = (rub: number) => Math.round(rub * 100) / 100;
