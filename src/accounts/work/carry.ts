import type { AccountClient, AccountPost, Outcome, SendError } from "../../platforms/index.ts";
import { respaceAccount } from "../plan/respace.ts";
import { type Composed, compose } from "../post/compose.ts";
import { randomIdsOf } from "../post/random-ids.ts";
import { withPhotos } from "../post/with-photos.ts";
import { complete, type Ending, fail, flood, postpone, retry, shut, slowDown } from "../queue/settle.ts";
import type { TakenTask } from "../queue/task.ts";
import { wordsOf } from "../reasons/reasons.ts";
import { readSettings } from "../settings/settings.ts";
import { type Circumstances, circumstancesOf, refusalOf } from "./check.ts";
import type { WorkDeps } from "./deps.ts";
import { accountWide } from "./governor.ts";
import type { WorkTimes } from "./times.ts";
import { type Verdict, verdictOn } from "./verdict.ts";
import { withinLimits } from "./within-limits.ts";

export interface CarryDeps extends WorkDeps {
  readonly times: WorkTimes;
  /** The account, open at Telegram; nothing is asked of it before the first send. */
  client(): Promise<AccountClient>;
  /** Looks for tasks whose worker has gone. */
  recoverStuck(): void;
}

/** What the account may do next. */
export type Next = "go_on" | "rest" | "stop";

/** Carries a taken task to its end: the checks in the document's order, then the send, then what it came to. */
export async function carry(task: TakenTask, deps: CarryDeps): Promise<Next> {
  const { sql, clock, governor } = deps;
  const began = performance.now();
  const now = clock.now();
  const ending: Ending = { sql, task, now };
  const circumstances = await circumstancesOf(sql, task, now);
  const settings = await readSettings(sql, task.workspace_id);
  const refusal = refusalOf(task, circumstances, settings, now);
  if (refusal) {
    await fail(ending, refusal);
    return "go_on";
  }
  const { object, facts, limiter } = circumstances;
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
    // Else each of the account's tasks would be taken, asked about and put off by itself, again and again.
    if (accountWide.has(answer.reason.code)) await respaceAccount(deps, account, answer.until);
    // Another account's copies were not foreseen: the other chats of this text wait as well.
    else if (governor.forecast) await respaceAccount(deps, account);
    return "go_on";
  }
  return publish(task, composed, { ...circumstances, began }, deps);
}

async function publish(
  task: TakenTask,
  composed: Extract<Composed, { ok: true }>,
  circumstances: Circumstances & { readonly began: number },
  deps: CarryDeps,
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
        chatId: circumstances.telegramChatId ?? "",
        text: composed.text,
        photos,
        randomIds: randomIdsOf(task.id, Math.max(1, photos.length)),
      };
      return { outcome: await send(post, circumstances.began, deps) };
    },
  );
  const ending: Ending = { sql, task, now: clock.now() };
  if (!sent.ok) {
    const error = mediaFault(sent.detail);
    return settle({ kind: "retry", reason: "media_unavailable", error, notBeforeMs: 0 }, ending, deps, {});
  }
  if ("waitSeconds" in sent.value) return wait(ending, sent.value.waitSeconds, times);
  const { outcome } = sent.value;
  const next = await settle(verdictOn(outcome, times.unknownFloodSeconds), ending, deps, {
    timezone: circumstances.timezone,
    meta: leftBehind(composed.withoutPhotos, sent.missing),
  });
  const account = { workspaceId: task.workspace_id, accountId: task.account_id };
  await governor.noticed(account, task.chat_id, outcome, composed.text.text);
  return next;
}

async function passLimiter(task: TakenTask, { sql, clock }: CarryDeps): Promise<number | null> {
  const [row] = await sql<[{ seconds: number | null }]>`
    select accounts.pass_limiter(${task.workspace_id}, ${task.account_id}, ${task.id}, ${clock.now()}) as seconds`;
  return row.seconds;
}

/** The rest of the account's tasks would be told the same. */
async function wait(ending: Ending, seconds: number, { postponeMs }: WorkTimes): Promise<Next> {
  const until = new Date(ending.now.getTime() + Math.max(postponeMs, seconds * 1000));
  await postpone(ending, until, { code: "rate_limited", words: wordsOf("rate_limited", { seconds }) });
  return "rest";
}

/** The limits hold from the moment at which the task was taken: another worker counts from there too. */
async function send(post: AccountPost, began: number, deps: CarryDeps): Promise<Outcome> {
  const { times, recoverStuck } = deps;
  const client = await deps.client();
  const spentMs = performance.now() - began;
  if (spentMs >= times.softMs) return { kind: "failed", error: mediaFault("preparing it took too long") };
  return withinLimits((signal) => client.send(post, signal), {
    softMs: times.softMs - spentMs,
    hardMs: times.hardMs - spentMs,
    onSoft: recoverStuck,
  });
}

function mediaFault(message: string): SendError {
  return { category: "TRANSIENT", scope: "delivery", code: "media_unavailable", message };
}

async function settle(
  verdict: Verdict,
  ending: Ending,
  { times, log, chance = Math.random }: CarryDeps,
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
        return [await shut(ending, "account", verdict.reason, verdict.error), "stop"];
      case "close":
        return [await shut(ending, "chat", verdict.reason, verdict.error), "go_on"];
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

/** As the account's owner reads it. */
function clockTime(instant: Date, timezone: string): string {
  const shown = new Intl.DateTimeFormat("ru-RU", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return `${shown.format(instant)} (${timezone})`;
}
