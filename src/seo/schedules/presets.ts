import { type Days, type Times, weekdays } from "./times.ts";

interface Preset {
  readonly days: Days;
  readonly times: Times;
}

/** What most people choose. */
export const presets = {
  weekly: { days: ["mon"], times: ["10:00"] },
  thrice: { days: ["mon", "wed", "fri"], times: ["10:00"] },
  workdays: { days: ["mon", "tue", "wed", "thu", "fri"], times: ["10:00"] },
  daily: { days: weekdays, times: ["10:00"] },
} as const satisfies Readonly<Record<string, Preset>>;
export type PresetName = keyof typeof presets;

export function presetOf(name: string): Preset | undefined {
  return Object.entries(presets).find(([known]) => known === name)?.[1];
}
