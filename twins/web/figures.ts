import { chanceOf } from "./chance.ts";
import { type Intent, intentOf, isUnknown, normal } from "./phrases.ts";

/** What a search engine knows about a phrase in a place. Anything may be unknown, as with real data. */
export interface Figures {
  readonly volume: number | null;
  readonly difficulty: number | null;
  readonly cpc: number | null;
  readonly competition: number | null;
  readonly intent: Intent | null;
  readonly bids: { readonly low: number; readonly high: number } | null;
}

export function figuresOf(phrase: string, place: string): Figures {
  const text = normal(phrase);
  if (isUnknown(text)) return nothing;
  const chance = chanceOf("figures", text, place);
  const words = text.split(" ").length;
  // Longer phrases are rarer; volumes of Google Ads come in steps.
  const volume = steps[Math.min(steps.length - 1, (words - 1) * 3 + chance.below(5))] ?? 0;
  const competition = chance.between(0, 100) / 100;
  const cpc = chance.between(5, 240) / 100;
  const gaps = chance.below(20);
  return {
    volume: gaps === 0 ? null : volume,
    difficulty: gaps === 1 || gaps === 2 ? null : chance.between(3, 78),
    cpc: gaps === 3 || gaps === 4 ? null : cpc,
    competition: gaps === 3 ? null : competition,
    intent: gaps === 5 ? null : intentOf(text),
    bids: gaps === 3 || gaps === 4 ? null : { low: round(cpc * 0.4), high: round(cpc * 1.7) },
  };
}

const steps = [
  49_500, 33_100, 22_200, 14_800, 9_900, 6_600, 5_400, 3_600, 2_400, 1_600, 1_000, 720, 480, 320, 210, 140,
  90, 50, 30, 10,
];

const nothing: Figures = {
  ...{ volume: null, difficulty: null, cpc: null, competition: null },
  ...{ intent: null, bids: null },
};

const round = (value: number) => Math.round(value * 100) / 100;
