import type { Sql } from "../../kernel/db/index.ts";

/** Alerts about the bot that an external system sends. */
export interface BotAlert {
  readonly alert_fingerprint: string | null;
  /** No further alert for the same reasons until then. */
  readonly cooldown_until: Date | null;
}

const fingerprintOf = (workspaceId: string, reasons: readonly string[]) =>
  `${workspaceId}:shopbot:${[...reasons].sort().join("+")}`;

export async function alertFor(
  sql: Sql,
  workspaceId: string,
  reasons: readonly string[],
  now: Date,
): Promise<BotAlert> {
  if (reasons.length === 0) return { alert_fingerprint: null, cooldown_until: null };
  const alert_fingerprint = fingerprintOf(workspaceId, reasons);
  const [told] = await sql<{ until: Date }[]>`
    select r.last_sent_at + make_interval(secs => t.alert_cooldown_seconds) as until
    from delivery.monitor_alert_receipts r
    cross join delivery.monitor_thresholds(${workspaceId}, '{}') t
    where r.workspace_key = ${workspaceId} and r.alert_fingerprint = ${alert_fingerprint}
      and r.last_sent_at > ${now}::timestamptz - make_interval(secs => t.alert_cooldown_seconds)`;
  return { alert_fingerprint, cooldown_until: told?.until ?? null };
}

/** Records an alert for these reasons, which starts their cooldown. */
export async function noteTold(
  sql: Sql,
  workspaceId: string,
  reasons: readonly string[],
  now: Date,
): Promise<{ alert_fingerprint: string; cooldown_until: Date }> {
  const alert_fingerprint = fingerprintOf(workspaceId, reasons);
  await sql`select delivery.monitor_receipt(${workspaceId}, ${alert_fingerprint}, ${now})`;
  const { cooldown_until } = await alertFor(sql, workspaceId, reasons, now);
  return { alert_fingerprint, cooldown_until: cooldown_until ?? now };
}
