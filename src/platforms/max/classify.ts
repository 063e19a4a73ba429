import { z } from "zod";
import type { HttpAnswer } from "../../kernel/outbound/index.ts";
import {
  classify,
  type ErrorRule,
  longestWaitMs,
  retryAfterHeader,
  retryAfterText,
  textOf,
} from "../classify.ts";
import type { SendError } from "../contract.ts";
import { ifReadable, numberShape } from "../if-readable.ts";

const channelLost = { category: "PERMANENT", scope: "channel", code: "channel_unavailable" } as const;

/** Shorter than ordinary backoff: the provider needs seconds to process a file. */
const notReady = {
  category: "TRANSIENT",
  scope: "delivery",
  code: "attachment_not_ready",
  retryAfterMs: 2_000,
} as const;

/** What MAX's codes mean where the status alone would mislead. The first match decides. */
export const rules: readonly ErrorRule[] = [
  { providerCode: "attachment.not.ready", verdict: notReady },
  { status: 400, text: /attachment\.(?:\w+\.)?not\.(?:ready|processed)/, verdict: notReady },
  {
    providerCode: "too.many.requests",
    verdict: { category: "TRANSIENT", scope: "platform", code: "rate_limited" },
  },
  {
    providerCode: "verify.token",
    verdict: { category: "PERMANENT", scope: "channel", code: "unauthorized" },
  },
  { providerCode: "chat.denied", verdict: channelLost },
  { providerCode: "chat.not.found", verdict: channelLost },
  { providerCode: "dialog.not.found", verdict: channelLost },
  // About a message: chats have codes of their own.
  {
    providerCode: "not.found",
    verdict: { category: "PERMANENT", scope: "delivery", code: "message_gone" },
  },
  {
    status: 413,
    verdict: { category: "PERMANENT", scope: "delivery", code: "media_too_large" },
  },
  { text: /error\.dialog\.suspended/, verdict: channelLost },
  {
    status: 400,
    text: /errors\.process\.attachment/,
    verdict: { category: "PERMANENT", scope: "delivery", code: "media_rejected" },
  },
  { status: 400, verdict: { category: "PERMANENT", scope: "delivery", code: "max_bad_request" } },
];

/** MAX sometimes sends `error` instead of `message`. */
export const refusalShape = z.object({
  code: z.string(),
  message: ifReadable(z.string()),
  error: ifReadable(z.string()),
  retry_after: ifReadable(numberShape),
});

/** Classifies a refusal, with its wait if it names one. `body` is the parsed answer, if it could be parsed. */
export function classifyRefusal(answer: HttpAnswer, body: unknown, now: Date): SendError {
  const read = refusalShape.safeParse(body).data;
  const description = read?.message ?? read?.error ?? `MAX answered with status ${answer.status}`;
  const retryAfterMs = longestWaitMs([
    read?.retry_after,
    retryAfterHeader(answer, now),
    retryAfterText(description),
  ]);
  return classify(
    {
      status: answer.status,
      ...(read && { providerCode: read.code }),
      description,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      raw: { status: answer.status, body: read ?? textOf(answer) },
    },
    rules,
  );
}
