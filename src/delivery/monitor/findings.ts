import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

/** The reasons of alerts. */
export const alertReasons = [
  "dead_deliveries",
  "failed_permanent_threshold",
  "paused_channels_threshold",
  "sending_leases_recovered",
  "claimed_leases_recovered",
  "silence_detected",
  "source_failed",
  "webhook_disabled",
  "page_faults",
  "orphan_events",
  "bot_error_spike",
  "fallback_rate_high",
  "operator_missing",
  "operator_silent",
  "accounts_stopped",
  "billing_discrepancy",
  "payment_refused",
  "payment_trouble",
  "llm_no_credits",
] as const;
export type AlertReason = (typeof alertReasons)[number];

/** One or more equal cases: which channel, source or account, which error, how often. */
const exampleShape = z.object({
  count: z.int(),
  channel_id: z.string().optional(),
  channel: z.string().optional(),
  platform: z.string().optional(),
  source_id: z.string().optional(),
  account: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  since: z.string().optional(),
  action: z.string().optional(),
  missing: z.enum(["channel", "message", "delivery"]).optional(),
});

export const findingSchema = z.object({
  reason: z.enum(alertReasons),
  count: z.int(),
  threshold: z.int(),
  examples: z.array(exampleShape),
});

export type Finding = z.infer<typeof findingSchema>;
export type FindingExample = z.infer<typeof exampleShape>;

export interface Thresholds {
  readonly failed_permanent_threshold: number;
  readonly paused_channels_threshold: number;
  readonly alert_cooldown_seconds: number;
}

export interface WorkspaceFindings {
  readonly workspaceId: string;
  readonly findings: readonly Finding[];
}

/** The workspaces that have something to alert about; raises no alert. */
export async function findTroubles(
  sql: Sql,
  workspaceId: string | undefined,
  thresholds: Partial<Thresholds>,
  now: Date,
): Promise<WorkspaceFindings[]> {
  const rows = await sql`
    select workspace_id, reason, count, threshold, examples
    from delivery.monitor_findings(${workspaceId ?? null}, ${sql.json({ ...thresholds })}, ${now})
    order by workspace_id, reason`;
  const found = new Map<string, Finding[]>();
  for (const { workspace_id, ...finding } of rows) {
    const known = found.get(workspace_id) ?? [];
    found.set(workspace_id, [...known, findingSchema.parse(finding)]);
  }
  return [...found].map(([id, findings]) => ({ workspaceId: id, findings }));
}

/** The thresholds of a workspace, or the defaults if none is given. */
export async function thresholdsOf(
  sql: Sql | Transaction,
  workspaceId: string | undefined,
  overrides: Partial<Thresholds>,
): Promise<Thresholds> {
  const [row] = await sql<[Thresholds]>`
    select failed_permanent_threshold, paused_channels_threshold, alert_cooldown_seconds
    from delivery.monitor_thresholds(${workspaceId ?? null}, ${sql.json({ ...overrides })})`;
  return { ...row };
}
