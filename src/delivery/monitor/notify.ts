import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { GuardedClient, HttpClient } from "../../kernel/outbound/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { Credentials } from "../credentials.ts";
import { composeLetter } from "./alert-letter.ts";
import { findingSchema } from "./findings.ts";
import { type Mailer, sendToEmail } from "./targets/email.ts";
import type { Delivered, LetterToSend } from "./targets/letter-to-send.ts";
import { sendToTelegram } from "./targets/telegram.ts";
import { sendToWebhook } from "./targets/webhook.ts";

export interface NotifyDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly platforms: Platforms;
  readonly credentials: Credentials;
  /** For Telegram. */
  readonly http: HttpClient;
  /** For webhooks: their addresses come from users. */
  readonly guarded: GuardedClient;
  readonly mailer?: Mailer | undefined;
  /** Where the console is; a letter links to it. */
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
  kind: z.enum(["telegram", "webhook", "email"]),
  config: z.unknown(),
  secret_ref: z.string().nullable(),
  language: z.enum(["ru", "en"]),
});
type TakenSend = z.infer<typeof takenShape>;

/** Delivers every letter that waits, also those that failed earlier, and notes how each ended. */
export async function sendLetters(deps: NotifyDeps, workspaceId?: string): Promise<LetterResult[]> {
  const rows = await deps.sql`
    select * from delivery.monitor_take_sends(${workspaceId ?? null}, p_now => ${deps.clock.now()})`;
  return Promise.all(rows.map((row) => sendOne(takenShape.parse(row), deps)));
}

async function sendOne(taken: TakenSend, deps: NotifyDeps): Promise<LetterResult> {
  const { workspace_id, alert_id, alert_fingerprint, target_id, kind } = taken;
  const delivered = await deliver(taken, deps);
  const error = delivered.ok ? null : delivered.error.slice(0, 500);
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

/** Never throws: whatever goes wrong with one target must not keep the others from hearing. */
async function deliver(taken: TakenSend, deps: NotifyDeps): Promise<Delivered> {
  try {
    const send = await letterFor(taken, deps);
    if (taken.secret_ref && !send.secret)
      return { ok: false, error: "the target's secret_ref leads to no secret" };
    if (taken.kind === "telegram") return await sendToTelegram(send, deps);
    if (taken.kind === "webhook") return await sendToWebhook(send, deps);
    return await sendToEmail(send, { mailer: deps.mailer });
  } catch (error) {
    deps.log.error({ err: error, target_id: taken.target_id }, "an alert target failed unexpectedly");
    return {
      ok: false,
      error: error instanceof z.ZodError ? misconfigured(error) : "unexpected error; the log has it",
    };
  }
}

async function letterFor(taken: TakenSend, deps: NotifyDeps): Promise<LetterToSend> {
  const consoleUrl = `${deps.publicUrl}/`;
  return {
    workspaceId: taken.workspace_id,
    workspace: taken.workspace,
    alertId: taken.alert_id,
    fingerprint: taken.alert_fingerprint,
    findings: taken.findings,
    raisedAt: taken.created_at,
    targetId: taken.target_id,
    config: taken.config,
    secret: taken.secret_ref ? await deps.credentials.token(taken.workspace_id, taken.secret_ref) : undefined,
    letter: composeLetter({ ...taken, consoleUrl }, taken.language),
    consoleUrl,
  };
}

function misconfigured(error: z.ZodError): string {
  const [issue] = error.issues;
  return `the target's config is wrong at /${issue?.path.join("/") ?? ""}: ${issue?.message ?? ""}`;
}
