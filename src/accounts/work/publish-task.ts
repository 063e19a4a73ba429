import type { AccountClient, AccountPost, Outcome, SendError } from "../../platforms/index.ts";
import { respaceAccount } from "../plan/respace.ts";
import { type Composed, compose } from "../post/compose.ts";
import { randomIdsOf } from "../post/random-ids.ts";
import { withPhotos } from "../post/with-photos.ts";
import {
  complete,
  type Ending,
  fail,
  flood,
  postpone,
  retry,
  slowDown,
  stopAccountOrChat,
} from "../queue/settle-task.ts";
import type { TakenTask } from "../queue/take-task.ts";
import { wordsOf } from "../reasons/task-reasons.ts";
import { readSettings } from "../settings/workspace-settings.ts";
import { accountWide } from "./governor-contract.ts";
import { type Verdict, verdictOn } from "./outcome-verdict.ts";
import { readTaskContext, refusalOf, type TaskContext } from "./task-checks.ts";
import { withinLimits } from "./within-limits.ts";
import type { WorkDeps } from "./work-deps.ts";
import type { WorkTimes } from "./work-times.ts";

export interface PublishDeps extends WorkDeps {
  readonly times: WorkTimes;
  /** The account's client; opened with the first send. */
  client(): Promise<AccountClient>;
  recoverStuck(): void;
}

export type Next = "go_on" | "rest" | "stop";

/** Processes a taken task: the checks in the specified order, then the send, then its result. */
export async function publishTask(task: TakenTask, deps: PublishDeps): Promise<Next> {
  const { sql, clock, governor } = deps;
  const began = performance.now();
  const now = clock.now();
  const ending: Ending = { sql, task, now };
  const context = await readTaskContext(sql, task, now);
  const settings = await readSettings(sql, task.workspace_id);
  const refusal = refusalOf(task, context, settings, now);
  if (refusal) {
    await fail(ending, refusal);
    return "go_on";
  }
  const { object, facts, limiter } = context;
  if (!object) throw new Error("a task without an object passed the checks");
  if (!limiter.can_send) return wait(ending, limiter.wait_seconds, deps.times);

  const composed = compose(object, task.format ?? facts.format);
  if (!composed.ok) {
    await fail(ending, composed.reason, { detail: composed.detail });
    return "go_on";
  }
  const account = { workspaceId: task.workspace_id, accountId: task.account_id };
  const answer = await governor.mayGo(account, task.chat_id, composed.text.text);
  if (!answer.go) {
    await postpone(ending, answer.until, { code: answer.reason.code, words: answer.reason.ru });
    // Otherwise each of the account's tasks would be taken and postponed one by one, again and again.
    if (accountWide.has(answer.reason.code)) await respaceAccount(deps, account, answer.until);
    // The forecast did not know another account's copies, so the text's other chats wait too.
    else if (governor.forecast) await respaceAccount(deps, account);
    return "go_on";
  }
  return sendTask(task, composed, { ...context, began }, deps);
}

async function sendTask(
  task: TakenTask,
  composed: Extract<Composed, { ok: true }>,
  context: TaskContext & { readonly began: number },
  deps: PublishDeps,
): Promise<Next> {
  const { sql, clock, times, governor } = deps;
  const media = deps.media({ workspace_id: task.workspace_id, created_at: task.created_at, settings: {} });
  const patient = task.attempts + 1 < times.maxAttempts;
  const sent = await withPhotos(
    media,
    composed.photos,
    { accountId: task.account_id, patient },
    async (photos) => {
      const waitSeconds = await passLimiter(task, deps);
      if (waitSeconds !== null) return { waitSeconds };
      const post: AccountPost = {
        chatId: context.telegramChatId ?? "",
        text: composed.text,
        photos,
        randomIds: randomIdsOf(task.id, Math.max(1, photos.length)),
      };
      return { outcome: await send(post, context.began, deps) };
    },
  );
  const ending: Ending = { sql, task, now: clock.now() };
  if (!sent.ok) {
    const error = mediaError(sent.detail);
    return settle({ kind: "retry", reason: "media_unavailable", error, notBeforeMs: 0 }, ending, deps, {});
  }
  if ("waitSeconds" in sent.value) return wait(ending, sent.value.waitSeconds, times);
  const { outcome } = sent.value;
  const next = await settle(verdictOn(outcome, times.unknownFloodSeconds), ending, deps, {
    timezone: context.timezone,
    meta: leftBehind(composed.withoutPhotos, sent.missing),
  });
  const account = { workspaceId: task.workspace_id, accountId: task.account_id };
  await governor.noticed(account, task.chat_id, outcome, composed.text.text);
  return next;
}

async function passLimiter(task: TakenTask, { sql, clock }: PublishDeps): Promise<number | null> {
  const [row] = await sql<[{ seconds: number | null }]>`
    select accounts.pass_limiter(${task.workspace_id}, ${task.account_id}, ${task.id}, ${clock.now()}) as seconds`;
  return row.seconds;
}

/** Postpones the task; the account rests, because its other tasks would get the same answer. */
async function wait(ending: Ending, seconds: number, { postponeMs }: WorkTimes): Promise<Next> {
  const until = new Date(ending.now.getTime() + Math.max(postponeMs, seconds * 1000));
  await postpone(ending, until, { code: "rate_limited", words: wordsOf("rate_limited", { seconds }) });
  return "rest";
}

/** The time limits count from when the task was taken, as other workers do. */
async function send(post: AccountPost, began: number, deps: PublishDeps): Promise<Outcome> {
  const { times, recoverStuck } = deps;
  const client = await deps.client();
  const spentMs = performance.now() - began;
  if (spentMs >= times.softMs) return { kind: "failed", error: mediaError("preparing it took too long") };
  return withinLimits((signal) => client.send(post, signal), {
    softMs: times.softMs - spentMs,
    hardMs: times.hardMs - spentMs,
    onSoft: recoverStuck,
  });
}

function mediaError(message: string): SendError {
  return { category: "TRANSIENT", scope: "delivery", code: "media_unavailable", message };
}

async function settle(
  verdict: Verdict,
  ending: Ending,
  { times, log, chance = Math.random }: PublishDeps,
  { timezone = "UTC", meta = {} }: { readonly timezone?: string; readonly meta?: Record<string, unknown> },
): Promise<Next> {
  const { now, task } = ending;
  const [isOurs, next] = await end();
  if (!isOurs) log.warn({ task: task.id }, "a task was taken for stuck before it ended");
  return next;

  async function end(): Promise<readonly [boolean, Next]> {
    switch (verdict.kind) {
      case "completed":
        return [await complete(ending, verdict.messageId, verdict.url, meta), "go_on"];
      case "flood": {
        const until = new Date(now.getTime() + verdict.seconds * 1000);
        return [await flood(ending, verdict.seconds, clockTime(until, timezone), verdict.error), "stop"];
      }
      case "stop":
        return [await stopAccountOrChat(ending, "account", verdict.reason, verdict.error), "stop"];
      case "close":
        return [await stopAccountOrChat(ending, "chat", verdict.reason, verdict.error), "go_on"];
      case "slow":
        return [await slowDown(ending, verdict.seconds), "go_on"];
      case "fail":
        return [
          await fail(ending, verdict.reason, { detail: verdict.error.message }, verdict.error),
          "go_on",
        ];
      case "retry": {
        const delay = Math.max(times.retryMs, verdict.notBeforeMs + Math.ceil(chance() * 5_000));
        const { reason, error } = verdict;
        const at = new Date(now.getTime() + delay);
        return [await retry(ending, { reason, error, at, maxAttempts: times.maxAttempts }), "go_on"];
      }
    }
  }
}

function leftBehind(withoutPhotos: boolean, missing: number): Record<string, unknown> {
  if (withoutPhotos) return { photos_left_out: "caption_too_long" };
  return missing > 0 ? { photos_left_out: "missing", missing } : {};
}

function clockTime(instant: Date, timezone: string): string {
  const shown = new Intl.DateTimeFormat("ru-RU", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return `${shown.format(instant)} (${timezone})`;
}
