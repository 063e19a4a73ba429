import type { Forecast } from "../work/governor-contract.ts";
import type { Chance, Pace } from "./modes.ts";
import { type Placeable, type Placed, place, type Span } from "./place-tasks.ts";
import { type Day, dayAfter, dayAt, instantAt } from "./time-zone.ts";

export interface PlannedAccount extends Pace {
  readonly timezone: string;
  readonly windowFrom: string;
  readonly windowTo: string;
  readonly dailyLimit: number;
  /** The governor's limit for today. */
  readonly todaysCeiling?: number | undefined;
}

export interface OpenTask extends Placeable {
  readonly id: string;
  readonly at: Date;
  /** In progress: keeps its time. */
  readonly taken: boolean;
}

export interface PlanRequest<T extends Placeable> {
  readonly account: PlannedAccount;
  readonly now: Date;
  readonly publishedToday: number;
  readonly lastPublishedAt?: Date | undefined;
  /** Planned tasks, ordered by time. */
  readonly open: readonly OpenTask[];
  readonly fresh: readonly T[];
  /** Move fresh tasks that do not fit to later days; otherwise the next daily plan includes them. */
  readonly spill?: boolean;
  /** Reschedule all pending tasks, late or not. */
  readonly respace?: boolean;
  readonly notBefore?: Date | undefined;
  /** The governor's forecast; consumed by the plan. */
  readonly forecast?: Forecast | undefined;
  readonly chance: Chance;
}

export interface AccountPlan<T> {
  readonly create: readonly Placed<T>[];
  readonly move: readonly Placed<OpenTask>[];
  readonly left: readonly T[];
}

/** A task this late is rescheduled together with those after it. */
export const lateMs = 10 * 60_000;
const daysAhead = 30;

type Item<T> = Placeable & ({ readonly open: OpenTask } | { readonly fresh: T });

/**
 * Assigns times to an account's tasks: inside its window, within its daily limit, a gap apart, never in the past, and only when the
 * governor will allow them. Planned tasks keep their times and fresh ones follow, unless the mode spreads evenly, or a planned task is
 * late or would be held back.
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

/** Today's plan, and when to expect the tasks that do not fit, if the following days are used the same way. */
export function planToday<T extends Placeable>(
  request: Omit<PlanRequest<T>, "spill">,
): { readonly plan: AccountPlan<T>; readonly expected: readonly Placed<T>[] } {
  const ahead = request.forecast?.fork();
  const plan = planAccount(request);
  if (plan.left.length === 0) return { plan, expected: [] };
  const left = new Set(plan.left);
  const { create } = planAccount({ ...request, forecast: ahead, spill: true });
  return { plan, expected: create.filter(({ task }) => left.has(task)) };
}

export function windowOf({ timezone, windowFrom, windowTo }: PlannedAccount, day: Day): Span {
  return { from: instantAt(day, windowFrom, timezone), to: instantAt(day, windowTo, timezone) };
}

function mustMove<T extends Placeable>(request: PlanRequest<T>): boolean {
  const { account, now, open, fresh, respace } = request;
  const late = open.some(({ at, taken }) => !taken && at.getTime() < now.getTime() - lateMs);
  return respace || late || (account.mode === "smart" && fresh.length > 0) || couldNotGo(request);
}

/** Whether the governor, now more careful, would hold back a task at its planned time. */
function couldNotGo<T extends Placeable>({ open, now, forecast }: PlanRequest<T>): boolean {
  const trial = forecast?.fork();
  return open.some(({ at, taken, message }) => {
    const time = Math.max(at.getTime(), now.getTime());
    const hold = taken ? undefined : trial?.holdOf(message, time);
    trial?.planned(message, time);
    return hold !== undefined && hold.until > time + lateMs;
  });
}

function foreseen<T extends Placeable>(task: OpenTask | undefined, { now, forecast }: PlanRequest<T>): void {
  if (task) forecast?.planned(task.message, Math.max(task.at.getTime(), now.getTime()));
}

/** The rest of the day's window. */
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

/** The last publication before `end`, done or planned. */
function lastBefore<T extends Placeable>(
  end: Date,
  planned: readonly { readonly at: Date }[],
  { lastPublishedAt }: PlanRequest<T>,
): Date | undefined {
  const times = [...planned.map(({ at }) => at), ...(lastPublishedAt ? [lastPublishedAt] : [])];
  const earlier = times.map((at) => at.getTime()).filter((at) => at < end.getTime());
  return earlier.length > 0 ? new Date(Math.max(...earlier)) : undefined;
}
