import type { Answer, JoinedChat, SendError } from "../../platforms/index.ts";
import { type JoinMode, joinPace } from "./pace.ts";

/** What a step of a join task meant, for the chat and for the task. */
export interface JoinDecision {
  /** How the chat ended; nothing when the same one is tried again. */
  readonly chat?: { readonly state: JoinedState };
  readonly task:
    | { readonly go: "on"; readonly at: Date }
    /** Telegram asked for more patience than may be given without a person. */
    | { readonly go: "flood"; readonly until: Date }
    /** The account itself can do nothing any more. */
    | { readonly go: "stop"; readonly code: string };
  /** Floods in a row, and tries of this chat, from now on. */
  readonly floods: number;
  readonly tries: number;
  /** What Telegram said against it. */
  readonly error?: Pick<SendError, "category" | "scope" | "code" | "message">;
}

export type JoinedState = "joined" | "member" | "broken" | "failed";

export interface JoinProgress {
  readonly mode: JoinMode;
  readonly floods: number;
  readonly tries: number;
}

/** Chats that can never be joined by this link; asking again would change nothing. */
const broken = new Set(["chat_unknown", "chat_unavailable"]);
/** Refusals of the account as a whole. */
const accountGone = new Set(["session_revoked", "account_banned", "account_frozen"]);

/** Pure: the same answer, moment and chance give the same decision. `chance` is in [0, 1). */
export function afterJoin(
  answer: Answer<Pick<JoinedChat, "alreadyMember">>,
  { mode, floods, tries }: JoinProgress,
  now: Date,
  chance: number,
): JoinDecision {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const { min, max } = joinPace.jitterSeconds;
  const paced = after(joinPace.intervalSeconds[mode] + min + Math.floor(chance * (max - min + 1)));
  const soon = after(joinPace.afterNothingSeconds);
  if (answer.ok) {
    return answer.value.alreadyMember
      ? { chat: { state: "member" }, task: { go: "on", at: soon }, floods, tries: 0 }
      : { chat: { state: "joined" }, task: { go: "on", at: paced }, floods: 0, tries: 0 };
  }
  const { category, scope, code, message, retryAfterMs } = answer.error;
  const error = { category, scope, code, message };
  if (code === "flood_wait") {
    const until = after(retryAfterMs ? Math.ceil(retryAfterMs / 1000) : joinPace.unknownFloodSeconds);
    const waitsItOut = floods < joinPace.floodsWaitedOut;
    return {
      task: waitsItOut ? { go: "on", at: until } : { go: "flood", until },
      floods: floods + 1,
      tries,
      error,
    };
  }
  if (accountGone.has(code)) return { task: { go: "stop", code }, floods, tries, error };
  if (broken.has(code))
    return { chat: { state: "broken" }, task: { go: "on", at: soon }, floods, tries: 0, error };
  if (code === "network" && tries + 1 < joinPace.networkTries)
    return { task: { go: "on", at: after(joinPace.networkRetrySeconds) }, floods, tries: tries + 1, error };
  return { chat: { state: "failed" }, task: { go: "on", at: paced }, floods, tries: 0, error };
}
