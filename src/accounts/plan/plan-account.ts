import type { Forecast } from "../work/governor.ts";
import type { Chance, Pace } from "./modes.ts";
import { type Placeable, type Placed, place, type Span } from "./place.ts";
import { type Day, dayAfter, dayAt, instantAt } from "./zone.ts";

/** What of an account the plan depends on. */
export interface PlannedAccount extends Pace {
  readonly timezone: string;
  readonly windowFrom: string;
  readonly windowTo: string;
  readonly dailyLimit: number;
  /** What the governor allows today, when that is less than the limit. */
  readonly todaysCeiling?: number | undefined;
}

export interface OpenTask extends Placeable {
  readonly id: string;
  readonly at: Date;
  /** Under way: it keeps its place. */
  readonly taken: boolean;
}

export interface PlanRequest<T extends Placeable> {
  readonly account: PlannedAccount;
  readonly now: Date;
  readonly publishedToday: number;
  readonly lastPublishedAt?: Date | undefined;
  /** What is planned already and still to come, in the order of its time. */
  readonly open: readonly OpenTask[];
  readonly fresh: readonly T[];
  /** Fresh tasks that find no room go to the days after; else the next daily plan sees to them. */
  readonly spill?: boolean;
  /** Everything that waits gets another time, late or not. */
  readonly respace?: boolean;
  readonly notBefore?: Date | undefined;
  /** What the governor will say to each task; else today's pace alone is known. It is used up by the plan. */
  readonly forecast?: Forecast | undefined;
  readonly chance: Chance;
}

export interface AccountPlan<T> {
  readonly create: readonly Placed<T>[];
  readonly move: readonly Placed<OpenTask>[];
  readonly left: readonly T[];
}

/** A task this late has missed its time: with what comes after it, it gets another. */
export const lateMs = 10 * 60_000;
/** How far ahead work without room is put. */
const daysAhead = 30;

type Item<T> = Placeable & ({ readonly open: OpenTask } | { readonly fresh: T });

/**
 * Times for an account's tasks: inside its window, within its daily limit, a gap apart, none in the past, each when the governor
 * will let it go. What is planned already keeps its time and the fresh tasks follow it, unless the account spreads evenly, or some
 * of it is late or could not go at its time.
 */
export function planAccount<T extends Placeable>(request: PlanRequest<T>): AccountPlan<T> {
  const { account, now, open, fresh, forecast, chance } = request;
  const moves = mustMove(request);
  const fixed = open.filter(({ taken }) => taken || !moves);
  let waiting: Item<T>[] = [
    ...open
      .filter(({ taken }) => !taken && moves)
      .map((task) => ({ open: task, notBefore: task.notBefore, message: task.message })),
    ...fresh.map((task) => ({ fresh: task, notBefore: task.notBefore, message: task.message })),
  ];
  const kept = [...fixed];
  const create: Placed<T>[] = [];
  const move: Placed<OpenTask>[] = [];
  const left: T[] = [];
  const today = dayAt(now, account.timezone);
  let day = now < windowOf(account, today).to ? today : dayAfter(today);
  for (let ahead = 0; waiting.length > 0 && ahead < daysAhead; ahead += 1, day = dayAfter(day)) {
    const end = windowOf(account, day).to;
    while (kept[0] && kept[0].at < end) foreseen(kept.shift(), request);
    const span = spanOf(request, day);
    const governed = forecast?.paceAt(span.from);
    const result = place(waiting, {
      span,
      pace: { ...account, ...governed },
      room: roomOn({ day, today, ceiling: governed?.todaysCeiling }, fixed, request),
      last: lastBefore(end, [...fixed, ...create, ...move], request),
      forecast,
      chance,
    });
    for (const { task, at } of result.placed)
      if ("open" in task) move.push({ task: task.open, at });
      else create.push({ task: task.fresh, at });
    waiting = [];
    for (const task of result.left)
      if ("fresh" in task && !request.spill) left.push(task.fresh);
      else waiting.push(task);
  }
  for (const task of waiting) if ("fresh" in task) left.push(task.fresh);
  return { create, move, left };
}

export function windowOf({ timezone, windowFrom, windowTo }: PlannedAccount, day: Day): Span {
  return { from: instantAt(day, windowFrom, timezone), to: instantAt(day, windowTo, timezone) };
}

function mustMove<T extends Placeable>(request: PlanRequest<T>): boolean {
  const { account, now, open, fresh, respace } = request;
  const late = open.some(({ at, taken }) => !taken && at.getTime() < now.getTime() - lateMs);
  return respace || late || (account.mode === "smart" && fresh.length > 0) || couldNotGo(request);
}

/** Whether the governor will hold back something at the time it has: it has become more careful since. */
function couldNotGo<T extends Placeable>({ open, now, forecast }: PlanRequest<T>): boolean {
  const trial = forecast?.fork();
  return open.some(({ at, taken, message }) => {
    const time = Math.max(at.getTime(), now.getTime());
    const hold = taken ? undefined : trial?.holdOf(message, time);
    trial?.planned(message, time);
    return hold !== undefined && hold.until > time + lateMs;
  });
}

/** Tells the forecast of a task that keeps its time. */
function foreseen<T extends Placeable>(task: OpenTask | undefined, { now, forecast }: PlanRequest<T>): void {
  if (task) forecast?.planned(task.message, Math.max(task.at.getTime(), now.getTime()));
}

/** What is left of the day's window. */
function spanOf<T extends Placeable>({ account, now, notBefore }: PlanRequest<T>, day: Day): Span {
  const { from, to } = windowOf(account, day);
  const start = Math.max(from.getTime(), now.getTime(), notBefore?.getTime() ?? 0);
  return { from: new Date(start), to };
}

function roomOn<T extends Placeable>(
  { day, today, ceiling }: { readonly day: Day; readonly today: Day; readonly ceiling: number | undefined },
  fixed: readonly OpenTask[],
  { account, publishedToday }: PlanRequest<T>,
): number {
  const planned = fixed.filter(({ at }) => {
    const planned = dayAt(at, account.timezone);
    return planned === day || (day === today && planned < today);
  }).length;
  if (day !== today)
    return Math.max(0, Math.min(account.dailyLimit, ceiling ?? account.dailyLimit) - planned);
  const limit = Math.min(account.dailyLimit, ceiling ?? account.todaysCeiling ?? account.dailyLimit);
  return Math.max(0, limit - publishedToday - planned);
}

/** The latest publication before `end`, whether it happened or is planned. */
function lastBefore<T extends Placeable>(
  end: Date,
  planned: readonly { readonly at: Date }[],
  { lastPublishedAt }: PlanRequest<T>,
): Date | undefined {
  const times = [...planned.map(({ at }) => at), ...(lastPublishedAt ? [lastPublishedAt] : [])];
  const earlier = times.map((at) => at.getTime()).filter((at) => at < end.getTime());
  return earlier.length > 0 ? new Date(Math.max(...earlier)) : undefined;
}
