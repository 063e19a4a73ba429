import { z } from "zod";
import { parsedUrl } from "../../../kernel/url/index.ts";
import { type GivenSecret, oneSecret, reason, somethingOf } from "../../../workspaces/index.ts";
import { alertReasons, findingSchema } from "../../monitor/findings.ts";
import { type TargetKind, targetConfigs, targetKinds } from "../../monitor/targets/configs.ts";

export const noMailSecret =
  "E-mail goes through the server of MOLVA_SMTP_URL; the target has no secret of its own";

const config = z.record(z.string(), z.unknown());

/** An alert target as operators see it: without the secret and without the path of a webhook, which often is a secret. */
export const alertTargetSchema = z
  .object({
    target_id: z.uuid(),
    kind: z.enum(targetKinds),
    config,
    has_secret: z.boolean(),
    language: z.enum(["ru", "en"]),
    enabled: z.boolean(),
    sent_count: z.int(),
    failed_count: z.int(),
    last_error: z.string().nullable().describe("Why the last alert did not arrive; null when it did"),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .meta({ id: "AlertTarget" });
export type AlertTarget = z.infer<typeof alertTargetSchema>;

const fields = {
  language: z.enum(["ru", "en"]),
  enabled: z.boolean(),
  secret: z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]{1,1000}$/, "Up to 1000 printable characters")
    .describe("The bot's token, or what a webhook is signed with; stored encrypted, never shown"),
  secret_variable: z
    .string()
    .regex(/^MOLVA_ALERT_[A-Z0-9_]{1,80}$/, "A name that begins with MOLVA_ALERT_")
    .describe("A variable of the server's environment that holds the secret instead"),
};
const optional = z.strictObject(fields).partial().extend({ reason: reason.optional() });

export const newAlertTarget = z
  .discriminatedUnion("kind", [
    optional.extend({ kind: z.literal("telegram"), config: targetConfigs.telegram }),
    optional.extend({ kind: z.literal("webhook"), config: targetConfigs.webhook }),
    optional.extend({ kind: z.literal("email"), config: targetConfigs.email }),
  ])
  .refine(oneSecret.check, { error: oneSecret.error })
  .refine((target) => target.kind !== "telegram" || hasSecret(target), {
    error: "Telegram needs the bot's token: give secret or secret_variable",
    path: ["secret"],
  })
  .refine((target) => target.kind !== "email" || !hasSecret(target), {
    error: noMailSecret,
    path: ["secret"],
  });
export type NewAlertTarget = z.output<typeof newAlertTarget>;

export const alertTargetChanges = somethingOf(
  optional.extend({ config: config.describe("Only what is given changes; null clears").optional() }),
).refine(oneSecret.check, { error: oneSecret.error });
export type AlertTargetChanges = Omit<z.infer<typeof alertTargetChanges>, "reason">;

export const testResult = z.object({
  delivered: z.boolean(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
});

/** An alert that was raised, and how far its sending has come. */
export const alertSchema = z
  .object({
    alert_id: z.uuid(),
    alert_fingerprint: z.string(),
    reasons: z.array(z.enum(alertReasons)),
    findings: z.array(findingSchema),
    created_at: z.date(),
    letters: z.array(
      z.object({
        target_id: z.uuid(),
        kind: z.enum(targetKinds),
        status: z.enum(["pending", "sent", "given_up"]),
        attempts: z.int(),
        last_error: z.string().nullable(),
        ended_at: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "Alert" });
export type Alert = z.infer<typeof alertSchema>;

/** The part of a target's configuration that may be shown. */
export function shownConfig(kind: TargetKind, stored: unknown): Record<string, unknown> {
  const read = config.safeParse(stored);
  if (!read.success) return {};
  const { url } = read.data;
  return kind === "webhook" && typeof url === "string" ? { ...read.data, url: shownUrl(url) } : read.data;
}

/** Chat services put the key into the path. */
function shownUrl(text: string): string {
  const url = parsedUrl(text);
  if (!url) return "…";
  const { origin, pathname, search } = url;
  return pathname === "/" && !search ? origin : `${origin}/…`;
}

function hasSecret({ secret, secret_variable }: GivenSecret): boolean {
  return secret !== undefined || secret_variable !== undefined;
}
