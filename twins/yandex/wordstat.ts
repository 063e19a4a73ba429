import { z } from "zod";
import { chanceOf } from "../web/chance.ts";
import { figuresOf } from "../web/figures.ts";
import { isUnknown, normal, relatedTo, suggestionsFor } from "../web/phrases.ts";
import { allRegions, regionTree } from "./regions.ts";

const phrase = z.string().min(1).max(400);
const devices = z
  .array(z.enum(["DEVICE_ALL", "DEVICE_DESKTOP", "DEVICE_PHONE", "DEVICE_TABLET"]))
  .max(3)
  .optional();
const folderId = z.string().max(50).optional();
/** Whole numbers may come as text, as JSON of protocol buffers has them. */
const int64 = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);

export const bodies = {
  top: z.strictObject({
    phrase,
    numPhrases: int64.pipe(z.int().min(1).max(2000)).default(50),
    regions: z.array(z.string()).max(100).optional(),
    devices,
    folderId,
  }),
  regions: z.strictObject({
    phrase,
    region: z.enum(["REGION_ALL", "REGION_CITIES", "REGION_REGIONS"]).default("REGION_ALL"),
    devices,
    folderId,
  }),
  tree: z.strictObject({ folderId }),
};

/** Counts of the last 30 days. Whole numbers are text, and empty fields are left out. */
export function top({ phrase: text, numPhrases, regions }: z.output<typeof bodies.top>): unknown {
  const seed = normal(text);
  if (isUnknown(seed)) return {};
  const share = shareOf(regions);
  const counted = (each: string) => ({ phrase: each, count: String(countOf(each, share)) });
  return {
    totalCount: String(countOf(seed, share) * 4),
    results: [seed, ...suggestionsFor(seed, numPhrases - 1)].map(counted),
    associations: relatedTo(seed).slice(0, 20).map(counted),
  };
}

export function distribution({ phrase: text, region }: z.output<typeof bodies.regions>): unknown {
  const seed = normal(text);
  if (isUnknown(seed)) return {};
  const chosen = allRegions().filter(({ children }) =>
    region === "REGION_ALL" ? true : region === "REGION_CITIES" ? !children : children !== undefined,
  );
  return {
    results: chosen.map(({ id, share = 0 }) => ({
      region: id,
      count: String(countOf(seed, share)),
      share: Math.round(share * 10_000) / 1_000_000,
      affinityIndex: chanceOf("affinity", seed, id).between(60, 180),
    })),
  };
}

/** The API's description says `label`, an example in its guide `name`; the description is followed. */
export function tree(_: z.output<typeof bodies.tree>): unknown {
  return { regions: regionTree.map(shown) };
}

function shown({ id, label, children }: (typeof regionTree)[number]): unknown {
  return { id, label, ...(children && { children: children.map(shown) }) };
}

function shareOf(regions: readonly string[] | undefined): number {
  if (!regions?.length) return 1.2;
  return regions.reduce((sum, id) => sum + (allRegions().find((each) => each.id === id)?.share ?? 0), 0);
}

function countOf(phrase: string, share: number): number {
  return Math.round((figuresOf(phrase, "yandex").volume ?? 0) * 6.4 * share);
}
