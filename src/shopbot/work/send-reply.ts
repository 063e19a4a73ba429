import { z } from "zod";
import type { MediaFor } from "../../delivery/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { cut } from "../../kernel/words/index.ts";
import {
  type MaxBot,
  type Platforms,
  readCompiled,
  type SendContext,
  type SendError,
  trackProgress,
} from "../../platforms/index.ts";

export const takenReply = z.object({
  workspace_id: z.string(),
  chat_id: z.string(),
  inbound: z.string(),
  outbox_id: z.string(),
  kind: z.enum(["reply", "relay", "handover", "operator", "notice"]),
  text: z.string(),
  compiled: z.unknown(),
  callback_id: z.string().nullable(),
  notification: z.string().nullable(),
  trace_id: z.string(),
  attempt: z.int(),
  doubtful: z.boolean(),
  first_sent_at: z.date(),
  secret_ref: z.string().nullable(),
  others: z.array(z.string()),
});
export type TakenReply = z.output<typeof takenReply>;

/** The result, in the form of shopbot.end_replies. */
export interface ReplyEnd {
  readonly workspace_id: string;
  readonly chat_id: string;
  readonly inbound: string;
  readonly attempt: number;
  readonly outcome: "sent" | "failed" | "retry" | "unknown";
  readonly provider_message_id?: string;
  readonly error?: Omit<SendError, "raw" | "retryAfterMs">;
  readonly retry_after_ms?: number;
}

export interface SendDeps {
  readonly platforms: Platforms;
  readonly maxBot: MaxBot;
  readonly http: HttpClient;
  readonly media: MediaFor;
  readonly clock: Clock;
  readonly token: (workspaceId: string, secretRef: string) => Promise<string | undefined>;
}

/** Sends one reply through the MAX adapter. After an attempt with an unknown outcome it first looks for the message in the chat. */
export async function sendReply(
  reply: TakenReply,
  deps: SendDeps,
  { signal, showTyping }: { signal: AbortSignal; showTyping: boolean },
): Promise<ReplyEnd> {
  const token = reply.secret_ref && (await deps.token(reply.workspace_id, reply.secret_ref));
  if (!token) return ended(reply, "failed", missingToken);
  const call = { http: deps.http, token, clock: deps.clock, signal };
  if (reply.callback_id && reply.notification && reply.attempt === 1)
    // Optional: only acknowledges the tap.
    await deps.maxBot.answerPress(reply.callback_id, reply.notification, call);
  const compiled = readCompiled(reply.compiled, reply.text);
  if (!compiled) return { ...keyOf(reply), outcome: "sent" };

  const max = deps.platforms.platformOf("max");
  const context: SendContext = {
    ...{ http: deps.http, clock: deps.clock, signal, credential: { token } },
    channel: { platform: "max", targetId: reply.chat_id, sendMode: "mixed", settings: {} },
    idempotencyKey: reply.outbox_id,
    since: reply.first_sent_at,
    taken: async () => new Set(reply.others),
    media: deps.media({ workspace_id: reply.workspace_id, created_at: reply.first_sent_at, settings: {} }),
    progress: trackProgress([], async () => {}),
  };
  if (reply.doubtful && max.find) {
    const found = await max.find(compiled, context);
    if (found.kind === "found")
      return { ...keyOf(reply), outcome: "sent", provider_message_id: found.providerMessageId };
    if (found.kind === "unavailable")
      return ended(reply, found.error.category === "TRANSIENT" ? "unknown" : "failed", found.error);
  }
  if (showTyping && reply.kind === "reply" && !reply.callback_id)
    await deps.maxBot.typing(reply.chat_id, call);
  const outcome = await max.send(compiled, context);
  if (outcome.kind === "sent")
    return { ...keyOf(reply), outcome: "sent", provider_message_id: outcome.providerMessageId };
  if (outcome.kind === "unknown") return ended(reply, "unknown", outcome.error);
  return ended(reply, outcome.error.category === "TRANSIENT" ? "retry" : "failed", outcome.error);
}

export function ended(reply: TakenReply, outcome: ReplyEnd["outcome"], error: SendError): ReplyEnd {
  const { category, scope, code, message, retryAfterMs } = error;
  return {
    ...keyOf(reply),
    outcome,
    error: { category, scope, code, message: cut(message, 500) },
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  };
}

function keyOf({ workspace_id, chat_id, inbound, attempt }: TakenReply) {
  return { workspace_id, chat_id, inbound, attempt };
}

const missingToken: SendError = {
  category: "PERMANENT",
  scope: "channel",
  code: "missing_credential",
  message: "The bot's auth_ref leads to no token: bind one with `molva credential set`.",
};
