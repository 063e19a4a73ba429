import { z } from "zod";
import type { Clock } from "../../../kernel/clock/index.ts";
import type { GuardedClient } from "../../../kernel/outbound/index.ts";
import { parsedUrl } from "../../../kernel/url/index.ts";
import { signedHeaders } from "../../signatures/standard-webhooks.ts";
import { letterText } from "../alert-letter.ts";
import type { Delivered, LetterToSend } from "./letter-to-send.ts";

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "Not a header's name")
  .refine((name) => !/authorization|cookie|token|secret|key|^host$|^content-|^webhook-/i.test(name), {
    error: "This header is not taken from the configuration; give a key as the target's secret",
  });

export const webhookConfig = z.object({
  url: z
    .url({ protocol: /^https?$/, error: "An http or https address is needed" })
    .max(2048)
    .refine((text) => !parsedUrl(text)?.username && !parsedUrl(text)?.password, {
      error: "A name or password does not belong into the address; give it as the target's secret",
    }),
  headers: z
    .record(headerName, z.string().regex(/^[\t\x20-\x7e]{0,1024}$/, "Not a header's value"))
    .optional(),
  secret_as: z
    .enum(["signature", "authorization"])
    .optional()
    .describe("Whether the secret signs the alert, or is sent as the Authorization header"),
});

const timeoutMs = 10_000;
/** The body of the answer is read only to be discarded. */
const longestAnswer = 64 * 1024;

/** Posts the alert as JSON, signed if the target has a secret. The address comes from a user: `guarded` checks it. */
export async function sendToWebhook(
  send: LetterToSend,
  { guarded, clock }: { guarded: GuardedClient; clock: Clock },
): Promise<Delivered> {
  const config = webhookConfig.parse(send.config);
  const body = JSON.stringify(bodyOf(send));
  // The same id in every retry, so that the receiver can recognise a repeat.
  const message = { id: send.alertId, sentAt: clock.now(), body };
  const answer = await guarded.request({
    method: "POST",
    url: config.url,
    headers: {
      ...config.headers,
      "content-type": "application/json",
      ...(send.secret !== undefined &&
        (config.secret_as === "authorization"
          ? { authorization: send.secret }
          : signedHeaders(message, [send.secret]))),
    },
    body,
    timeoutMs,
    maxBytes: longestAnswer,
  });
  if (answer.kind === "failure") return { ok: false, error: `${answer.reason}: ${answer.message}` };
  const { status } = answer;
  return status >= 200 && status < 300
    ? { ok: true, status }
    : { ok: false, status, error: `the webhook answered ${status}` };
}

function bodyOf(send: LetterToSend) {
  return {
    type: send.isTest ? "alert.test" : "alert.raised",
    timestamp: send.raisedAt.toISOString(),
    data: {
      alert_id: send.alertId,
      alert_fingerprint: send.fingerprint,
      workspace_id: send.workspaceId,
      workspace: send.workspace,
      reasons: send.findings.map(({ reason }) => reason),
      findings: send.findings,
      title: send.letter.title,
      text: letterText(send.letter),
      console_url: send.consoleUrl,
    },
  };
}
