import { type OpenTask, planAccount } from "../../src/accounts/plan/plan-account.ts";
import { createAgenda } from "./agenda.ts";
import {
  beginning,
  dayMs,
  midnightOf,
  minuteMs,
  timezone,
  window,
  windowCloses,
  windowOpens,
} from "./calendar.ts";
import type { Pacing } from "./pacing.ts";
import { type Random, randomOf } from "./random.ts";
import { countSent, type Tally } from "./tally.ts";
import { createWorkspace, type Publisher, type SimulatedObject } from "./world/demand.ts";
import { createOperator } from "./world/operator.ts";
import { createTelegram, type SimulatedChat, type Telegram } from "./world/telegram.ts";

export interface Task {
  readonly object: SimulatedObject;
  readonly chat: SimulatedChat;
  readonly notBefore?: undefined;
}

/** The account's state in the product: the parts of its row that publishing reads. */
interface Standing {
  readonly publisher: Publisher;
  readonly pacing: Pacing;
  readonly chance: Random;
  waiting: Set<Task>;
  active: boolean;
  today: { midnight: number; sent: number };
  /** For the limiter: one a minute, sixty an hour. */
  lastHour: number[];
  lastAt: number | undefined;
}

type Event =
  | { readonly kind: "task"; readonly account: Standing; readonly task: Task }
  | { readonly kind: "start"; readonly account: Standing };

/** How long an operator waits after a spam restriction: Telegram names no time, so a day. */
const peerFloodWaitMs = dayMs;

/** One workspace publishes for so many days, by the product's rules and the given pacing. */
export function publish(
  options: { readonly seed: number; readonly workspace: number; readonly days: number },
  pacingFor: (publisher: Publisher, workspace: number) => Pacing,
  tally: Tally,
): void {
  const { seed, workspace: number, days } = options;
  const workspace = createWorkspace(seed, number);
  const telegram = createTelegram({
    seed,
    workspace: number,
    accounts: workspace.publishers.length,
    connectedAt: beginning,
  });
  const operator = createOperator(seed, number);
  const accounts = workspace.publishers.map(
    (publisher): Standing => ({
      publisher,
      pacing: pacingFor(publisher, number),
      chance: randomOf(seed, number, publisher.index, "jitter"),
      waiting: new Set(),
      active: true,
      today: { midnight: beginning, sent: 0 },
      lastHour: [],
      lastAt: undefined,
    }),
  );
  /** Stopped accounts that the operator will start, and when. */
  const starts = new Map<Standing, number>();

  for (let day = 0; day < days; day++) {
    const midnight = midnightOf(beginning + day * dayMs + dayMs / 2);
    const closes = windowCloses(midnight);
    const agenda = createAgenda<Event>();
    for (const account of accounts) {
      tally.accountDays++;
      account.today = { midnight, sent: 0 };
      account.waiting = new Set(
        account.pacing.choose(workspace.tasksOf(account.publisher), windowOpens(midnight)),
      );
      if (account.active) planDay(account, windowOpens(midnight), agenda);
    }
    for (const [account, at] of starts) agenda.put(at, { kind: "start", account });

    for (let next = agenda.take(); next && next.at < closes; next = agenda.take()) {
      const { at, what } = next;
      const { account } = what;
      if (what.kind === "start") {
        starts.delete(account);
        account.active = true;
        if (at >= windowOpens(midnight)) planDay(account, at, agenda);
        continue;
      }
      if (!account.active || !account.waiting.has(what.task)) continue;
      const later = postponed(account, what.task, at);
      if (later !== undefined) {
        agenda.put(later, what);
        continue;
      }
      const stopped = send(account, what.task, at, telegram, tally);
      if (stopped === "retry") agenda.put(at + minuteMs, what);
      else if (stopped !== undefined) {
        account.active = false;
        if (stopped === Number.POSITIVE_INFINITY) continue;
        const start = operator.startsAt(stopped);
        starts.set(account, start);
        agenda.put(start, { kind: "start", account });
      }
    }
    workspace.nextDay();
  }
}

function planDay(account: Standing, now: number, agenda: ReturnType<typeof createAgenda<Event>>): void {
  const { publisher, pacing, today, chance } = account;
  const pace = pacing.pace(now);
  const tasks = [...account.waiting];
  const plan = planAccount<Task>({
    account: {
      mode: publisher.mode,
      fixIntervalMinutes: publisher.fixIntervalMinutes,
      gapFactor: pace.gapFactor,
      timezone,
      windowFrom: window.from,
      windowTo: window.to,
      dailyLimit: publisher.dailyLimit,
      todaysCeiling: pace.ceiling,
    },
    now: new Date(now),
    publishedToday: today.sent,
    lastPublishedAt: account.lastAt === undefined ? undefined : new Date(account.lastAt),
    open: [] as OpenTask[],
    fresh: tasks,
    chance: chance.next,
  });
  for (const { task, at } of plan.create) agenda.put(at.getTime(), { kind: "task", account, task });
}

/** The worker's checks before a message goes out: the limiter, the day's limit, the governor. */
function postponed(account: Standing, task: Task, at: number): number | undefined {
  const { publisher, today } = account;
  account.lastHour = account.lastHour.filter((sent) => sent > at - 60 * minuteMs);
  if (account.lastAt !== undefined && at < account.lastAt + minuteMs) return at + minuteMs;
  if (account.lastHour.length >= 60) return at + minuteMs;
  if (today.sent >= publisher.dailyLimit) return today.midnight + dayMs;
  const decision = account.pacing.mayGo(task, at);
  return decision.go ? undefined : Math.max(at + 1000, decision.until);
}

/** Sends, and returns when the account may be started again, if it was stopped. */
function send(
  account: Standing,
  task: Task,
  at: number,
  telegram: Telegram,
  tally: Tally,
): number | "retry" | undefined {
  const { publisher, pacing } = account;
  const answer = telegram.send({ account: publisher.index, chat: task.chat, house: task.object.house, at });
  tally.answers[answer.kind]++;
  pacing.noticed(task, at, answer);
  account.lastHour.push(at);
  account.lastAt = at;
  switch (answer.kind) {
    case "sent":
      account.waiting.delete(task);
      account.today.sent++;
      countSent(tally, Math.floor((at - beginning) / dayMs / 7), telegram.kindOf(publisher.index));
      return undefined;
    case "slow_mode":
      return "retry";
    case "no_rights":
      task.chat.closed = true;
      for (const other of account.waiting) if (other.chat === task.chat) account.waiting.delete(other);
      return undefined;
    case "flood_wait":
      return at + answer.seconds * 1000;
    case "peer_flood":
      return at + peerFloodWaitMs;
    case "banned":
      tally.bans++;
      return Number.POSITIVE_INFINITY;
  }
}
