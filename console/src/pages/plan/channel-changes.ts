/** What the panel "what if" has of a channel, and what of it is changed. */
import type { PacedChannel } from "./shapes.ts";

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

export interface Draft {
  /** Seconds between posts; empty for no limit. */
  readonly gap: string;
  readonly mode: string;
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly until: string;
  readonly enabled: boolean;
}

export interface Changes {
  readonly fields: {
    readonly rate_rps?: number | null;
    readonly window_mode?: string;
    readonly posting_window?: Readonly<Record<string, unknown>>;
  };
  readonly enabled?: boolean;
}

export function draftOf(channel: PacedChannel): Draft {
  const window = channel.posting_window ?? {};
  const open = weekdays.filter((day) => firstInterval(window[day]) !== undefined);
  const [from, until] = firstInterval(window[open[0] ?? "mon"]) ?? ["09:00", "18:00"];
  return {
    gap: channel.rate_rps ? String(rounded(1 / channel.rate_rps)) : "",
    mode: channel.window_mode,
    days: open.length > 0 ? open : weekdays,
    ...{ from, until },
    enabled: channel.state === "active",
  };
}

/** Undefined if nothing is changed. Hours that were not touched keep all their intervals and holidays. */
export function changesOf(channel: PacedChannel, draft: Draft): Changes | undefined {
  const was = draftOf(channel);
  const gap = Number(draft.gap.replace(",", "."));
  const hours = ({ days, from, until }: Draft) => JSON.stringify([days, from, until]);
  const needsHours = draft.mode === "windowed" && channel.posting_window === null;
  const fields = {
    ...(draft.gap !== was.gap && { rate_rps: draft.gap === "" ? null : rounded(1 / gap) }),
    ...(draft.mode !== was.mode && { window_mode: draft.mode }),
    ...(draft.mode === "windowed" &&
      (needsHours || hours(draft) !== hours(was)) && { posting_window: windowOf(channel, draft) }),
  };
  const enabled = draft.enabled === was.enabled ? {} : { enabled: draft.enabled };
  if (Object.keys({ ...fields, ...enabled }).length === 0) return undefined;
  return { fields, ...enabled };
}

export function gapIsWrong({ gap }: Draft): boolean {
  return gap !== "" && !(Number(gap.replace(",", ".")) >= 0.001);
}

function windowOf({ posting_window: before }: PacedChannel, { days, from, until }: Draft) {
  const interval = [from, until === "00:00" ? "24:00" : until];
  return {
    ...Object.fromEntries(days.map((day) => [day, [interval]])),
    ...(before?.holidays !== undefined && { holidays: before.holidays }),
  };
}

function firstInterval(intervals: unknown): readonly [string, string] | undefined {
  const first: unknown = Array.isArray(intervals) ? intervals[0] : undefined;
  if (!Array.isArray(first)) return undefined;
  const [from, until]: readonly unknown[] = first;
  if (typeof from !== "string" || typeof until !== "string") return undefined;
  // A field for times has no 24:00.
  return [from, until === "24:00" ? "00:00" : until];
}

const rounded = (value: number) => Number(value.toPrecision(6));
