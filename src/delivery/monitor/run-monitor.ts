import type { Sql } from "../../kernel/db/index.ts";
import {
  type AlertReason,
  alertReasons,
  type Finding,
  findTroubles,
  type Thresholds,
  thresholdsOf,
  type WorkspaceFindings,
} from "./findings.ts";
import { type HealthSnapshot, healthSnapshot } from "./health.ts";
import { type LetterResult, type NotifyDeps, sendLetters } from "./notify.ts";
import { type LeaseSettings, recoverLeases } from "./recover-leases.ts";

export interface MonitorDeps extends NotifyDeps, LeaseSettings {}

export interface MonitorOptions {
  /** All workspaces if absent. */
  readonly workspaceId?: string | undefined;
  /** Checks and recovers, but raises and sends nothing. */
  readonly skipNotifications?: boolean | undefined;
  /** Used instead of the workspaces' own settings. */
  readonly thresholds?: Partial<Thresholds> | undefined;
}

/** What one run found and did, as `molva monitor run` prints it. */
export interface MonitorRun {
  readonly ok: boolean;
  readonly code: "monitor_alert_delivery_failed" | "monitor_upkeep_failed" | null;
  readonly recovered_sending_leases: number;
  readonly recovered_claimed_leases: number;
  readonly snapshot: HealthSnapshot;
  readonly alerts: {
    readonly has_alerts: boolean;
    readonly reasons: readonly AlertReason[];
    readonly thresholds: Thresholds;
    readonly findings: readonly (Finding & { readonly workspace_id: string })[];
  };
  readonly notification: Notification;
}

export interface Notification {
  readonly attempted: boolean;
  readonly delivered: boolean;
  readonly skipped: boolean;
  readonly reason: NotificationReason | null;
  /** Set if the run dealt with exactly one alert. */
  readonly alert_fingerprint: string | null;
  readonly response_status: number | null;
  readonly cooldown_seconds: number;
  readonly letters: readonly LetterResult[];
}

export type NotificationReason =
  | "no_alerts"
  | "notifications_disabled"
  | "missing_alert_target"
  | "cooldown_active"
  /** Another monitor is sending the letters. */
  | "delivery_pending"
  | "delivery_failed";

/** One round of the monitor. Any number of processes may run it: each problem is reported once. */
export async function runMonitor(deps: MonitorDeps, options: MonitorOptions = {}): Promise<MonitorRun> {
  const { sql, clock } = deps;
  const { workspaceId, skipNotifications = false, thresholds = {} } = options;
  const now = clock.now();

  const recovered = await recoverLeases(sql, deps, now, workspaceId);
  const upkeepDone = await upkeep(deps, workspaceId, now);
  const snapshot = await healthSnapshot(sql, workspaceId, now);
  const troubles = await findTroubles(sql, workspaceId, thresholds, now);
  const valid = await thresholdsOf(sql, workspaceId, thresholds);

  const raised = skipNotifications ? [] : await raiseAlerts(sql, troubles, thresholds, now);
  const letters = skipNotifications ? [] : await sendLetters(deps, workspaceId);
  const notification = summaryOf({ troubles, skipNotifications, raised, letters, thresholds: valid });
  const failed = notification.reason === "delivery_failed";
  return {
    ok: !failed && upkeepDone,
    code: failed ? "monitor_alert_delivery_failed" : upkeepDone ? null : "monitor_upkeep_failed",
    recovered_sending_leases: recovered.sending,
    recovered_claimed_leases: recovered.claimed,
    snapshot,
    alerts: { ...reasonsOf(troubles), thresholds: valid },
    notification,
  };
}

/** Tasks before the check; if one fails, the monitor still reports the rest. */
async function upkeep(
  { sql, log }: MonitorDeps,
  workspaceId: string | undefined,
  now: Date,
): Promise<boolean> {
  const scope = workspaceId ?? null;
  const steps = {
    "counting events": () => sql`select delivery.health_roll_up(${now})`,
    "looking for silent channels": () => sql`select delivery.silence_check(${scope}, ${now})`,
    "looking for orphan events": () =>
      sql`select * from delivery.orphan_reconcile(${scope}, p_now => ${now})`,
    "forgetting old alerts": () => sql`select delivery.monitor_forget(${now})`,
  };
  let done = true;
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      done = false;
      log.error({ err: error, step }, "a step of the monitor failed");
    }
  }
  return done;
}

interface Raised {
  readonly verdict: "raised" | "no_alerts" | "cooldown_active" | "delivery_pending";
  readonly alert_fingerprint: string | null;
  readonly targets: number;
}

async function raiseAlerts(
  sql: Sql,
  troubles: readonly WorkspaceFindings[],
  thresholds: Partial<Thresholds>,
  now: Date,
): Promise<Raised[]> {
  const raised: Raised[] = [];
  for (const { workspaceId } of troubles) {
    const rows = await sql<Raised[]>`
      select verdict, alert_fingerprint, targets
      from delivery.monitor_raise_alert(${workspaceId}, ${sql.json({ ...thresholds })}, ${now})`;
    raised.push(...rows);
  }
  return raised;
}

function reasonsOf(troubles: readonly WorkspaceFindings[]): Omit<MonitorRun["alerts"], "thresholds"> {
  const findings = troubles.flatMap(({ workspaceId, findings }) =>
    findings.map((finding) => ({ ...finding, workspace_id: workspaceId })),
  );
  const reasons = alertReasons
    .filter((reason) => findings.some((finding) => finding.reason === reason))
    .sort();
  return { has_alerts: findings.length > 0, reasons, findings };
}

interface Telling {
  readonly troubles: readonly WorkspaceFindings[];
  readonly skipNotifications: boolean;
  readonly raised: readonly Raised[];
  readonly letters: readonly LetterResult[];
  readonly thresholds: Thresholds;
}

/** Summarises the notifications of the run. Pure. */
function summaryOf(telling: Telling): Notification {
  const { raised, letters, thresholds } = telling;
  const fingerprints = new Set(
    [...raised, ...letters].flatMap(({ alert_fingerprint }) => alert_fingerprint ?? []),
  );
  const [fingerprint] = fingerprints;
  const attempted = letters.length > 0;
  const delivered = attempted && letters.every((letter) => letter.delivered);
  return {
    attempted,
    delivered,
    skipped: !attempted,
    reason: delivered ? null : attempted ? "delivery_failed" : whyNothingWasSent(telling),
    alert_fingerprint: fingerprints.size === 1 ? (fingerprint ?? null) : null,
    response_status: letters.find(({ response_status }) => response_status !== null)?.response_status ?? null,
    cooldown_seconds: thresholds.alert_cooldown_seconds,
    letters,
  };
}

function whyNothingWasSent({ troubles, skipNotifications, raised }: Telling): NotificationReason {
  if (troubles.length === 0) return "no_alerts";
  if (skipNotifications) return "notifications_disabled";
  if (raised.some(({ verdict, targets }) => verdict === "raised" && targets === 0))
    return "missing_alert_target";
  if (raised.some(({ verdict }) => verdict === "raised" || verdict === "delivery_pending"))
    return "delivery_pending";
  // The cooldown is active, or another monitor reported it between our check and the raising.
  return "cooldown_active";
}
