import type { Task } from "./publish.ts";
import type { Answer } from "./world/telegram.ts";

/** What limits the plan before it reaches Telegram. */
export interface Pacing {
  /** Which of the day's tasks are planned. */
  choose(tasks: readonly Task[], at: number): readonly Task[];
  pace(at: number): { readonly ceiling: number; readonly gapFactor: number };
  mayGo(task: Task, at: number): { readonly go: true } | { readonly go: false; readonly until: number };
  noticed(task: Task, at: number, answer: Answer): void;
}

/** Only the modes, the window and the daily limit. */
export function ungoverned(): Pacing {
  const slowUntil = new Map<number, number>();
  return {
    choose: (tasks) => tasks,
    pace: () => ({ ceiling: Number.MAX_SAFE_INTEGER, gapFactor: 1 }),
    // What the worker respects without a governor: the end of a slow mode that the chat has named.
    mayGo({ chat }, at) {
      const until = slowUntil.get(chat.id) ?? 0;
      return until > at ? { go: false, until } : { go: true };
    },
    noticed({ chat }, at, answer) {
      if (answer.kind === "slow_mode") slowUntil.set(chat.id, at + answer.seconds * 1000);
    },
  };
}
