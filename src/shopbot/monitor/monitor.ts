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

/** The bot monitor's window and what is too much in it; the SQL function holds the same numbers. */
export const monitorRules = { windowMinutes: 15, errors: 10, fallbackPercent: 50 } as const;

export async function botSnapshot(
  sql: Sql,
  workspaceId: string,
  now: Date,
  minutes: number = monitorRules.windowMinutes,
): Promise<Snapshot> {
  const [row] = await sql`
    select total_logs, error_logs, fallback_logs, fallback_rate_pct::float8 as fallback_rate_pct
    from shopbot.monitor_snapshot(${workspaceId}, ${minutes}, ${now})`;
  return snapshotSchema.parse(row);
}

export function reasonsIn({ error_logs, fallback_rate_pct }: Snapshot): string[] {
  return [
    ...(error_logs > monitorRules.errors ? ["bot_error_spike"] : []),
    ...(fallback_rate_pct > monitorRules.fallbackPercent ? ["fallback_rate_high"] : []),
  ];
}

/** One round over every bot; what it finds goes the way of every other alert. */
export async function watchBots(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<{ action: string }[]>`
    select action from shopbot.monitor(${monitorRules.windowMinutes}, ${now})`;
  return rows.map(({ action }) => action);
}

/** Forgets dialogues after three months, a few thousand rows at a time. */
export async function forgetOldDialogues(sql: Sql, now: Date): Promise<void> {
  for (let forgotten = 1; forgotten > 0; ) {
    const [row] = await sql<[{ forgotten: number }]>`select shopbot.forget(p_now => ${now}) as forgotten`;
    forgotten = row.forgotten;
  }
}
