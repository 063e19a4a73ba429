import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { GuardedClient, HttpClient } from "../../kernel/outbound/index.ts";
import { cut } from "../../kernel/words/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { Credentials } from "../../workspaces/index.ts";
import { composeLetter, composeTest } from "./alert-letter.ts";
import { findingSchema } from "./findings.ts";
import { targetKinds } from "./targets/configs.ts";
import { type Mailer, sendToEmail } from "./targets/email.ts";
import type { Delivered, LetterToSend } from "./targets/letter-to-send.ts";
import { sendToTelegram } from "./targets/telegram.ts";
import { sendToWebhook } from "./targets/webhook.ts";

export interface NotifyDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly platforms: Platforms;
  readonly credentials: Pick<Credentials, "token">;
  /** For Telegram. */
  readonly http: HttpClient;
  /** For webhooks: their addresses come from users. */
  readonly guarded: GuardedClient;
  readonly mailer?: Mailer | undefined;
  /** The console's address, for the link in a letter. */
  readonly publicUrl: string;
}

export interface LetterResult {
  readonly workspace_id: string;
  readonly alert_fingerprint: string;
  readonly target_id: string;
  readonly kind: TakenSend["kind"];
  readonly delivered: boolean;
  readonly response_status: number | null;
  readonly error: string | null;
}

const takenShape = z.object({
  workspace_id: z.string(),
  workspace: z.string(),
  timezone: z.string(),
  alert_id: z.string(),
  alert_fingerprint: z.string(),
  findings: z.array(findingSchema),
  created_at: z.date(),
  target_id: z.string(),
  kind: z.enum(targetKinds),
  config: z.unknown(),
  secret_ref: z.string().nullable(),
  language: z.enum(["ru", "en"]),
});
type TakenSend = z.infer<typeof takenShape>;

/** Sends all waiting letters, including those that failed earlier, and records how each ended. */
export async function sendLetters(deps: NotifyDeps, workspaceId?: string): Promise<LetterResult[]> {
  const rows = await deps.sql`
    select * from delivery.monitor_take_sends(${workspaceId ?? null}, p_now => ${deps.clock.now()})`;
  return Promise.all(rows.map((row) => sendOne(takenShape.parse(row), deps)));
}

async function sendOne(taken: TakenSend, deps: NotifyDeps): Promise<LetterResult> {
  const { workspace_id, alert_id, alert_fingerprint, target_id, kind } = taken;
  const delivered = await deliver(taken, deps);
  const error = delivered.ok ? null : cut(delivered.error, 500);
  await deps.sql`
    select delivery.monitor_end_send(${workspace_id}, ${alert_id}, ${target_id}, ${error}, ${deps.clock.now()})`;
  if (error)
    deps.log.warn({ workspace_id, target_id, kind, reason: error }, "an alert could not be delivered");
  return {
    workspace_id,
    alert_fingerprint,
    target_id,
    kind,
    delivered: delivered.ok,
    response_status: delivered.status ?? null,
    error,
  };
}

/** Never throws: an error of one target must not keep the others from being told. */
async function deliver(taken: TakenSend, deps: NotifyDeps): Promise<Delivered> {
  return handOver(taken, deps, (secret, consoleUrl) => ({
    workspaceId: taken.workspace_id,
    workspace: taken.workspace,
    alertId: taken.alert_id,
    fingerprint: taken.alert_fingerprint,
    findings: taken.findings,
    raisedAt: taken.created_at,
    targetId: taken.target_id,
    config: taken.config,
    secret,
    letter: composeLetter({ ...taken, consoleUrl }, taken.language),
    consoleUrl,
    isTest: false,
  }));
}

const targetShape = takenShape.pick({
  workspace_id: true,
  workspace: true,
  target_id: true,
  kind: true,
  config: true,
  secret_ref: true,
  language: true,
});
type Target = z.infer<typeof targetShape>;

/** Sends a test letter to one target; undefined if there is no such target. Creates no alert and counts nothing. */
export async function sendTestLetter(
  deps: NotifyDeps,
  workspaceId: string,
  targetId: string,
): Promise<Delivered | undefined> {
  const [row] = await deps.sql`
    select t.workspace_id, w.name as workspace, t.target_id, t.kind, t.config, t.secret_ref, t.language
    from delivery.alert_targets t
    join workspaces.workspaces w using (workspace_id)
    where t.workspace_id = ${workspaceId} and t.target_id = ${targetId}`;
  if (!row) return undefined;
  const target = targetShape.parse(row);
  return handOver(target, deps, (secret, consoleUrl) => ({
    workspaceId,
    workspace: target.workspace,
    alertId: uuidv7(deps.clock),
    fingerprint: `${workspaceId}:test`,
    findings: [],
    raisedAt: deps.clock.now(),
    targetId,
    config: target.config,
    secret,
    letter: composeTest({ workspace: target.workspace, consoleUrl }, target.language),
    consoleUrl,
    isTest: true,
  }));
}

async function handOver(
  target: Target,
  deps: NotifyDeps,
  letterFor: (secret: string | undefined, consoleUrl: string) => LetterToSend,
): Promise<Delivered> {
  try {
    const { workspace_id, secret_ref, kind } = target;
    const secret = secret_ref ? await deps.credentials.token(workspace_id, secret_ref) : undefined;
    if (secret_ref && !secret) return { ok: false, error: missingSecret(secret_ref) };
    const send = letterFor(secret, `${deps.publicUrl}/`);
    if (kind === "telegram") return await sendToTelegram(send, deps);
    if (kind === "webhook") return await sendToWebhook(send, deps);
    return await sendToEmail(send, { mailer: deps.mailer });
  } catch (error) {
    deps.log.error({ err: error, target_id: target.target_id }, "an alert target failed unexpectedly");
    return {
      ok: false,
      error: error instanceof z.ZodError ? misconfigured(error) : "unexpected error; the log has it",
    };
  }
}

function missingSecret(secretRef: string): string {
  return secretRef.startsWith("env:")
    ? `the target's secret is missing: ${secretRef.slice("env:".length)} is not set, or not bound to the workspace (MOLVA_WORKSPACE_VARIABLES)`
    : "the target's secret_ref leads to no secret";
}

function misconfigured(error: z.ZodError): string {
  const [issue] = error.issues;
  return `the target's config is wrong at /${issue?.path.join("/") ?? ""}: ${issue?.message ?? ""}`;
}
