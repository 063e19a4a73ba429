import {
  type AddCommand,
  administer,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  columns,
  counted,
  facts,
  fieldsHelp,
  moment,
  print,
  reading,
  shortened,
  shown,
  span,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import { monitorSettingsChanges, readMonitorSettings, setMonitorSettings } from "../admin/index.ts";
import { type HealthSnapshot, healthSnapshot } from "../monitor/health.ts";
import { type MonitorRun, runMonitor } from "../monitor/run-monitor.ts";
import { deliveryParts } from "../parts.ts";

/** `molva monitor health|run|settings`. */
export const addMonitor: AddCommand = (program, terminal) => {
  const command = program.command("monitor").description("how deliveries are, and when people are told");

  reading(command, "health", "the queue, the channels and the errors right now")
    .option("--all", "every workspace together")
    .action(async (options: Common & { all?: boolean }) => {
      const health = await administer(terminal, options, ({ sql, clock }, workspaceId) =>
        healthSnapshot(sql, options.all ? undefined : workspaceId, clock.now()),
      );
      print(terminal, options, health, () => healthText(health));
    });

  reading(command, "run", "make a round at once: recover, look, tell people")
    .option("--skip-notifications", "tell nobody")
    .action(async (options: Common & { skipNotifications?: boolean }) => {
      const run = await withCore(terminal, options, (core, workspaceId) =>
        runMonitor(deliveryParts(core).monitoring, {
          workspaceId,
          skipNotifications: options.skipNotifications,
        }),
      );
      print(terminal, options, run, () => runText(run));
      if (!run.ok) throw new UserError(failures[run.code ?? "monitor_upkeep_failed"]);
    });

  changing(command, "settings", "when people are told; with fields, change it")
    .argument("[field=value...]", "as in alert_cooldown_seconds=900; null brings the default back")
    .addHelpText("after", fieldsHelp(monitorSettingsChanges.shape))
    .action(async (typed: string[], options: Common) => {
      const changes =
        typed.length > 0
          ? checked(monitorSettingsChanges, assigned(monitorSettingsChanges, typed))
          : undefined;
      const settings = await administer(terminal, options, (deps, workspaceId) =>
        changes
          ? setMonitorSettings(deps, workspaceId, changes, byOf(options))
          : readMonitorSettings(deps.sql, workspaceId),
      );
      print(terminal, options, settings, () => shown(settings));
    });
};

const failures = {
  monitor_alert_delivery_failed:
    "Not everybody could be told; it is tried again with every round for an hour.",
  monitor_upkeep_failed: "A step of the round failed; the log has it.",
} as const;

function healthText(health: HealthSnapshot): string {
  const { by_status, last_24h, ingress_24h } = health;
  const counts = (of: object) =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  const summary = facts([
    ["at", moment(health.at)],
    ["now", counts(by_status)],
    ["last 24 hours", counts(last_24h)],
    ["refused at the door", counts(ingress_24h)],
    [
      "channels",
      `paused ${health.paused_channels}, disabled ${health.disabled_channels}, silent ${health.silent_channels}`,
    ],
    ["overdue", overdueText(health)],
    ["orphan events", String(health.orphan_events)],
  ]);
  if (health.top_errors.length === 0) return `${summary}\n\nNo errors in the last hour.`;
  const errors = columns(
    ["ERROR", "TIMES", "CHANNELS", "LAST", "MESSAGE"],
    health.top_errors.map(({ code, count, channels, last_at, last_message }) => [
      code,
      String(count),
      String(channels),
      moment(last_at),
      shortened(last_message ?? "", 80),
    ]),
  );
  return `${summary}\n\n${errors}`;
}

function overdueText({ oldest_due_seconds, lag_seconds }: HealthSnapshot): string {
  if (oldest_due_seconds < 1) return "nothing";
  const oldest = `the oldest by ${span(Math.round(oldest_due_seconds))}`;
  return lag_seconds < 1
    ? `${oldest}, held back by a pause, a cooldown or a switch`
    : `${oldest}; by ${span(Math.round(lag_seconds))} with nothing to hold it back`;
}

function runText({
  recovered_sending_leases,
  recovered_claimed_leases,
  alerts,
  notification,
}: MonitorRun): string {
  const recovered = recovered_sending_leases + recovered_claimed_leases;
  return [
    ...(recovered > 0
      ? [`Took back ${counted(recovered, "delivery", "deliveries")} of stopped processes.`]
      : []),
    ...alerts.findings.map(({ reason, count, threshold }) =>
      threshold > 0 ? `${reason}: ${count}, threshold ${threshold}` : `${reason}: ${count}`,
    ),
    notification.reason === null ? "Everybody was told." : outcomes[notification.reason],
    ...notification.letters.flatMap(({ kind, target_id, error }) =>
      error ? [`  ${kind} ${target_id}: ${error}`] : [],
    ),
  ].join("\n");
}

const outcomes = {
  no_alerts: "Nothing to tell.",
  notifications_disabled: "Nobody was told, as asked.",
  missing_alert_target: "There is nobody to tell: molva alert target add.",
  cooldown_active: "It was told a short while ago; the cooldown holds.",
  delivery_pending: "Another monitor is telling it.",
  delivery_failed: "Not everybody could be told:",
} as const;
