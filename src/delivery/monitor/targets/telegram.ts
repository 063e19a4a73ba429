import { z } from "zod";
import type { Post } from "../../../content/index.ts";
import type { Clock } from "../../../kernel/clock/index.ts";
import type { HttpClient } from "../../../kernel/outbound/index.ts";
import { type ChannelProfile, noMedia, type Platforms, trackProgress } from "../../../platforms/index.ts";
import { type AlertLetter, letterDocument, withoutCases } from "../alert-letter.ts";
import type { Delivered, LetterToSend } from "./letter-to-send.ts";

export const telegramConfig = z.object({
  chat_id: z
    .union([z.string().regex(/^(-?\d{1,20}|@\w{4,64})$/), z.int()], {
      error: "The chat's number or its @name is needed",
    })
    .transform(String),
  thread_id: z.int().optional(),
});

/** Sends the alert to a chat through the same adapter that sends posts. */
export async function sendToTelegram(
  send: LetterToSend,
  { platforms, http, clock }: { platforms: Platforms; http: HttpClient; clock: Clock },
): Promise<Delivered> {
  const { chat_id, thread_id } = telegramConfig.parse(send.config);
  if (!send.secret) return { ok: false, error: "the target's secret_ref leads to no token" };
  const channel: ChannelProfile = {
    platform: "telegram",
    targetId: chat_id,
    sendMode: "text",
    settings: { disable_preview: true, ...(thread_id !== undefined && { thread_id }) },
  };
  const telegram = platforms.platformOf("telegram");
  const full = telegram.compile(postOf(send.letter), channel);
  const fitting = full.ok ? full : telegram.compile(postOf(withoutCases(send.letter)), channel);
  if (!fitting.ok) return { ok: false, error: fitting.error.message };
  const outcome = await telegram.send(fitting.compiled, {
    channel,
    credential: { token: send.secret },
    idempotencyKey: send.alertId,
    http,
    clock,
    since: send.raisedAt,
    media: noMedia,
    progress: trackProgress([], async () => {}),
  });
  // An unknown outcome is retried: an alert twice is better than none.
  if (outcome.kind !== "sent") return { ok: false, error: `${outcome.error.code}: ${outcome.error.message}` };
  return { ok: true };
}

function postOf(letter: AlertLetter): Post {
  return { document: letterDocument(letter), format: "html", media: [], buttons: [], options: {} };
}
