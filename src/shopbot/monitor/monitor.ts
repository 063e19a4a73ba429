import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

/** How the bot did lately. */
export const snapshotSchema = z.object({
  total_logs: z.int(),
  error_logs: z.int(),
  fallback_logs: z.int(),
  fallback_rate_pct: z.number().describe("Share of questions that no rule answered, in per cent"),
});
export type Snapshot = z.output<typeof snapshotSchema>;

/** The bot monitor's window and what is too much in it: the bot's own settings. */
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
  /** What an alert would name now. */
  readonly reasons: readonly string[];
}

/** How the bot of a workspace does; nothing when it has none. */
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

/** One round over every bot; what it finds goes the way of every other alert. */
export async function watchBots(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<{ action: string }[]>`select action from shopbot.monitor(p_now => ${now})`;
  return rows.map(({ action }) => action);
}

/** Forgets dialogues after three months, a few thousand rows at a time. */
export async function forgetOldDialogues(sql: Sql, now: Date): Promise<void> {
  for (let forgotten = 1; forgotten > 0; ) {
    const [row] = await sql<[{ forgotten: number }]>`select shopbot.forget(p_now => ${now}) as forgotten`;
    forgotten = row.forgotten;
  }
}
