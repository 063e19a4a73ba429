import { zoneOffsetMs } from "./world/operator.ts";

export const dayMs = 86_400_000;
export const minuteMs = 60_000;
/** Monday, midnight in Moscow: the day on which every account is connected. */
export const beginning = Date.parse("2026-01-05T00:00:00+03:00");
export const window = { from: "08:00", to: "22:00", minutes: 840 } as const;
export const timezone = "Europe/Moscow";

export function midnightOf(at: number): number {
  return Math.floor((at + zoneOffsetMs) / dayMs) * dayMs - zoneOffsetMs;
}

export function windowOpens(midnight: number): number {
  return midnight + 8 * 60 * minuteMs;
}

export function windowCloses(midnight: number): number {
  return midnight + 22 * 60 * minuteMs;
}
