import type { Answer, JoinedChat, SendError } from "../../platforms/index.ts";
import { type JoinMode, joinPace } from "./join-pace.ts";

interface JoinDecision {
  /** Final state of the chat; absent when it is tried again. */
  readonly chat?: { readonly state: JoinedState };
  readonly task:
    | { readonly go: "on"; readonly at: Date }
    /** Too many flood waits: a person has to continue the task. */
    | { readonly go: "flood"; readonly until: Date }
    /** The account is out of use. */
    | { readonly go: "stop"; readonly code: string };
  /** New values of the counters. */
  readonly floods: number;
  readonly tries: number;
  /** Telegram's refusal. */
  readonly error?: Pick<SendError, "category" | "scope" | "code" | "message">;
}

type JoinedState = "joined" | "member" | "broken" | "failed";

interface JoinProgress {
  readonly mode: JoinMode;
  readonly floods: number;
  readonly tries: number;
}

/** Permanent refusals of a link. */
const broken = new Set(["chat_unknown", "chat_unavailable"]);
/** Refusals of the whole account. */
const accountGone = new Set(["session_revoked", "account_banned", "account_frozen"]);

/** Pure. `chance` is in [0, 1). */
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
