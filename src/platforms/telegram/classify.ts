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
const badPost = { category: "PERMANENT", scope: "delivery" } as const;

/** What the Bot API's error texts mean where the status alone would mislead. The first match decides. */
export const rules: readonly ErrorRule[] = [
  {
    status: 400,
    text: /upgraded to a supergroup/i,
    // A retry to the new id succeeds, so the error is neither the post's nor the channel's.
    verdict: { category: "TRANSIENT", scope: "channel", code: "chat_migrated" },
  },
  { status: 400, text: /chat not found|chat_id is empty|PEER_ID_INVALID/i, verdict: channelLost },
  {
    status: 400,
    text: /bot was (?:kicked|blocked)|bot is not a member|user is deactivated/i,
    verdict: channelLost,
  },
  {
    status: 400,
    text: /(?:group|channel|chat) (?:chat )?(?:was |is )?(?:deleted|deactivated)/i,
    verdict: channelLost,
  },
  { status: 400, text: /not enough rights|need administrator rights|have no rights/i, verdict: channelLost },
  {
    status: 400,
    text: /CHAT_WRITE_FORBIDDEN|CHAT_ADMIN_REQUIRED|CHANNEL_PRIVATE|CHAT_RESTRICTED|CHAT_SEND_[A-Z]{1,40}_FORBIDDEN/i,
    verdict: channelLost,
  },
  { status: 400, text: /can't initiate conversation/i, verdict: channelLost },
  {
    status: 400,
    text: /(?:message|text|caption) is too long|MESSAGE_TOO_LONG/i,
    verdict: { ...badPost, code: "message_too_long" },
  },
  {
    status: 400,
    text: /wrong file identifier|failed to get HTTP URL content|PHOTO_INVALID|file is too big|WEBPAGE_|IMAGE_PROCESS_FAILED/i,
    verdict: { ...badPost, code: "media_rejected" },
  },
  {
    status: 400,
    text: /can't use file of type|group send failed/i,
    verdict: { ...badPost, code: "media_rejected" },
  },
  { status: 400, verdict: { ...badPost, code: "telegram_bad_request" } },
  { status: 413, verdict: { ...badPost, code: "media_too_large" } },
];

export const refusalShape = z.object({
  ok: z.literal(false),
  error_code: ifReadable(z.int()),
  description: z.string().catch(""),
  parameters: ifReadable(
    z.object({
      retry_after: ifReadable(numberShape),
      migrate_to_chat_id: ifReadable(z.union([z.number(), z.string()])),
    }),
  ),
});

/**
 * Classifies a refusal, with the wait and the new chat id it names. `body` is the parsed answer, if it could be parsed.
 */
export function classifyRefusal(answer: HttpAnswer, body: unknown, now: Date): SendError {
  const read = refusalShape.safeParse(body).data;
  const description = read?.description || `Telegram answered with status ${answer.status}`;
  const retryAfterMs = longestWaitMs([
    read?.parameters?.retry_after,
    retryAfterHeader(answer, now),
    retryAfterText(description),
  ]);
  const error = classify(
    {
      status: read?.error_code ?? answer.status,
      description,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      raw: { status: answer.status, body: read ?? textOf(answer) },
    },
    rules,
  );
  const movedTo = z.int().safeParse(read?.parameters?.migrate_to_chat_id).data;
  return error.code === "chat_migrated" && movedTo !== undefined
    ? { ...error, movedTo: String(movedTo) }
    : error;
}
