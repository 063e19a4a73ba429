import { z } from "zod";
import { reason, somethingOf } from "../../../workspaces/index.ts";
import { alertReasons, findingSchema } from "../../monitor/findings.ts";
import { healthSnapshotSchema } from "../../monitor/health.ts";
import { targetKinds } from "../../monitor/targets/configs.ts";

const failed_permanent_threshold = z.int().min(0).max(1_000_000);
const paused_channels_threshold = z.int().min(0).max(1_000_000);
const alert_cooldown_seconds = z.int().min(1).max(604_800);

/** The thresholds at which a workspace's people are told. */
export const monitorSettingsSchema = z
  .object({
    failed_permanent_threshold: failed_permanent_threshold.describe(
      "More refusals for good within ten minutes are told",
    ),
    paused_channels_threshold: paused_channels_threshold.describe("More paused channels are told"),
    alert_cooldown_seconds: alert_cooldown_seconds.describe("The same reasons are told once in this time"),
  })
  .meta({ id: "MonitorSettings" });
export type MonitorSettings = z.infer<typeof monitorSettingsSchema>;

export const monitorSettingsChanges = somethingOf(
  z
    .strictObject({
      failed_permanent_threshold: failed_permanent_threshold.nullable().describe("null: 5"),
      paused_channels_threshold: paused_channels_threshold.nullable().describe("null: 10"),
      alert_cooldown_seconds: alert_cooldown_seconds.nullable().describe("null: 300"),
    })
    .partial()
    .extend({ reason: reason.optional() }),
);
export type MonitorSettingsChanges = Omit<z.infer<typeof monitorSettingsChanges>, "reason">;

export const healthSchema = healthSnapshotSchema.meta({ id: "Health" });

/** What one round found and did. */
export const monitorRunSchema = z
  .object({
    ok: z.boolean(),
    code: z.enum(["monitor_alert_delivery_failed", "monitor_upkeep_failed"]).nullable(),
    recovered_sending_leases: z.int(),
    recovered_claimed_leases: z.int(),
    snapshot: healthSchema,
    alerts: z.object({
      has_alerts: z.boolean(),
      reasons: z.array(z.enum(alertReasons)),
      thresholds: monitorSettingsSchema,
      findings: z.array(findingSchema.extend({ workspace_id: z.uuid() })),
    }),
    notification: z.object({
      attempted: z.boolean(),
      delivered: z.boolean(),
      skipped: z.boolean(),
      reason: z
        .enum([
          "no_alerts",
          "notifications_disabled",
          "missing_alert_target",
          "cooldown_active",
          "delivery_pending",
          "delivery_failed",
        ])
        .nullable()
        .describe("Why nobody was told, or not everybody; null when all were"),
      alert_fingerprint: z.string().nullable(),
      response_status: z.int().nullable(),
      cooldown_seconds: z.int(),
      letters: z.array(
        z.object({
          workspace_id: z.uuid(),
          alert_fingerprint: z.string(),
          target_id: z.uuid(),
          kind: z.enum(targetKinds),
          delivered: z.boolean(),
          response_status: z.int().nullable(),
          error: z.string().nullable(),
        }),
      ),
    }),
  })
  .meta({ id: "MonitorRun" });
