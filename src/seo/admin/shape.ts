/** What the administration shows over HTTP. */
import { z } from "zod";

const usdAndRub = { usd: z.number(), rub: z.number().describe("By USD_RUB_RATE") };

export const statisticsSchema = z
  .object({
    users: z.object({ all: z.int(), paid: z.int(), free: z.int() }),
    projects: z.int(),
    publications_7d: z.int(),
    revenue_30d_rub: z.number().describe("Paid less what went back of it; of Stars the nominal price"),
    api_cost_30d: z.object(usdAndRub),
    tariffs: z
      .array(z.object({ package: z.string(), people: z.int() }))
      .describe("People by the package that they bought last"),
    last_payments: z.array(
      z.object({
        ...{ name: z.string().nullable(), package: z.string(), amount: z.number(), currency: z.string() },
        at: z.date(),
      }),
    ),
    referrals: z.object({
      invited: z.int(),
      payments: z.int().describe("Payments that earned a bonus"),
      tokens: z.int().describe("Tokens given for them less what was taken back, each counted once"),
    }),
  })
  .meta({ id: "SeoStatistics" });

export const monitoringSchema = z
  .object({
    works: z.object({ queued: z.int(), running: z.int(), failed_1h: z.int() }),
    oldest_waits_seconds: z.int().describe("How long the oldest work has waited to be begun"),
    unanswered_updates: z.int(),
    broken_connections: z.int(),
    broken_schedules: z.int(),
    sources: z.record(z.string(), z.boolean()).describe("Which services have keys"),
  })
  .meta({ id: "SeoMonitoring" });

export const costsSchema = z
  .object({
    days: z.int(),
    usd_rub: z.number(),
    total: z.object({ ...usdAndRub, calls: z.int() }),
    providers: z.array(z.object({ provider: z.string(), calls: z.int(), ...usdAndRub })),
  })
  .meta({ id: "SeoApiCosts" });

export const failuresSchema = z
  .object({
    items: z.array(
      z.object({
        ...{ at: z.date(), user_id: z.int() },
        what: z.string().describe("The kind of work, or the platform of a publication"),
        ...{ code: z.string(), message: z.string().nullable() },
      }),
    ),
  })
  .meta({ id: "SeoFailures" });

export const personCardSchema = z
  .object({
    ...{ id: z.int(), username: z.string().nullable(), name: z.string().nullable(), balance: z.int() },
    ...{ created_at: z.date(), last_activity: z.date() },
    blocked_at: z.date().nullable().describe("When they were found to have blocked the bot"),
    ...{ projects: z.int(), publications: z.int(), paid_rub: z.number(), referred: z.int() },
  })
  .meta({ id: "SeoPersonCard" });
