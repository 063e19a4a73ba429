import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

export const snapshotSchema = z.object({
  total_logs: z.int(),
  error_logs: z.int(),
  fallback_logs: z.int(),
  fallback_rate_pct: z.number().describe("Share of questions that no rule answered, in per cent"),
});
export type Snapshot = z.output<typeof snapshotSchema>;

/** The bot's monitor settings. */
export const monitorRules = z.object({
  window_minutes: z.int(),
  errors: z.int(),
  fallback_rate_pct: z.number(),
  min_questions: z.int().describe("With fewer questions than this their share says nothing"),
});
export type MonitorRules = z.output<typeof monitorRules>;

export interface MonitorLook {
  readonly rules: MonitorRules;
  readonly snapshot: Snapshot;
  /** Reasons for an alert. */
  readonly reasons: readonly string[];
}

/** Undefined if the workspace has no bot. */
export async function lookAtBot(sql: Sql, workspaceId: string, now: Date): Promise<MonitorLook | undefined> {
  const [row] = await sql`
    select b.monitor_minutes as window_minutes, b.monitor_errors as errors,
      b.monitor_fallback_pct::float8 as fallback_rate_pct, b.monitor_min_questions as min_questions
    from shopbot.bots b where b.workspace_id = ${workspaceId}`;
  if (!row) return undefined;
  const rules = monitorRules.parse(row);
  const snapshot = await botSnapshot(sql, workspaceId, now, rules.window_minutes);
  const reasons = await sql<{ action: string }[]>`
    select action from shopbot.monitor_alerts(${workspaceId}, ${rules.window_minutes}, ${now})`;
  return { rules, snapshot, reasons: reasons.map(({ action }) => action) };
}

async function botSnapshot(sql: Sql, workspaceId: string, now: Date, minutes: number): Promise<Snapshot> {
  const [row] = await sql`
    select total_logs, error_logs, fallback_logs, fallback_rate_pct::float8 as fallback_rate_pct
    from shopbot.monitor_snapshot(${workspaceId}, ${minutes}, ${now})`;
  return snapshotSchema.parse(row);
}

/** Checks every bot; alerts go the same way as all others. */
export async function watchBots(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<{ action: string }[]>`select action from shopbot.monitor(p_now => ${now})`;
  return rows.map(({ action }) => action);
}

/** Deletes dialogues after three months, a few thousand rows at a time. */
export async function forgetOldDialogues(sql: Sql, now: Date): Promise<void> {
  for (let forgotten = 1; forgotten > 0; ) {
    const [row] = await sql<[{ forgotten: number }]>`select shopbot.forget(p_now => ${now}) as forgotten`;
    forgotten = row.forgotten;
  }
}
