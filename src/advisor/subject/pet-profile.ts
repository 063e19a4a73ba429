import { z } from "zod";
import type { BaseProfile, Profile, ProfileSchema } from "./subject.ts";

const line = (max: number) => z.string().trim().min(1).max(max).nullable().catch(null);
const birthDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text))
  .nullable()
  .catch(null);

export const petTypes = ["cat", "dog", "other"] as const;
export const sexes = ["male", "female", "unknown"] as const;

const base = z.object({
  type: z.enum(petTypes),
  name: line(100).default(null),
  sex: z.enum(sexes).catch("unknown").default("unknown"),
  birth_date: birthDate.default(null),
  age_text: line(100).default(null),
  breed: line(100).default(null),
}) satisfies z.ZodType<BaseProfile>;

const status = (...words: [string, ...string[]]) =>
  z.object({ status: z.enum(words).catch("unknown"), details: z.string().trim().max(2_000).optional() });

/** Further fields; invalid values are dropped. */
const more = {
  animal_kind: z.string().trim().min(1).max(100),
  sterilized_status: z.enum(["yes", "no", "unknown"]),
  weight_kg: z.number().positive().max(1_000),
  bcs: z.enum(["thin", "normal", "overweight", "unknown"]),
  vaccines: status("done", "partial", "unknown"),
  parasites: status("regular", "irregular", "unknown"),
  owner_note: z.string().trim().min(1).max(2_000),
} as const;

const lifestyle = {
  housing: z.enum(["apartment", "house", "yard", "outdoor"]),
  outdoor: z.enum(["no", "sometimes", "regular"]),
  diet_type: z.enum(["dry", "wet", "natural", "mixed"]),
  activity_level: z.enum(["low", "medium", "high"]),
  walks_per_day: z.int().min(0).max(50),
} as const;

const healthTags = ["allergy", "gi", "skin_coat", "mobility", "other"] as const;

export const petProfile: ProfileSchema = {
  base,
  arrange: (given) =>
    typeof given.health === "string"
      ? { ...given, health: { notes_by_tag: { other: given.health } } }
      : given,
  normalize(profile) {
    const read = base.safeParse(profile);
    if (!read.success) return { ok: false, error: "missing_pet_type" };
    const health = healthOf(profile.health);
    const living = keptOf(lifestyle, profile.lifestyle);
    const known = {
      ...read.data,
      ...keptOf(more, profile),
      ...(health && { health }),
      ...(Object.keys(living).length > 0 && { lifestyle: living }),
    };
    return { ok: true, profile: known };
  },
  describe(profile) {
    const { lifestyle: living, ...rest } = profile;
    const told = Object.entries(rest).filter(([, value]) => value !== null && value !== "unknown");
    return [
      ...(isRecord(living) ? [livingText(living)] : []),
      ...(told.length > 0 ? [JSON.stringify(Object.fromEntries(told))] : []),
    ].join("\n");
  },
};

function keptOf(fields: Readonly<Record<string, z.ZodType>>, given: unknown): Profile {
  if (!isRecord(given)) return {};
  const kept = Object.entries(fields).flatMap(([name, schema]) => {
    const read = schema.safeParse(given[name]);
    return given[name] !== undefined && read.success ? [[name, read.data]] : [];
  });
  return Object.fromEntries(kept);
}

const healthLength = 4_000;

/** Notes by tag; unknown tags go under `other`. */
function healthOf(given: unknown): Profile | undefined {
  const byTag = new Map<string, Set<string>>();
  for (const [tag, text] of notesIn(given)) {
    if (tag === "tags" || typeof text !== "string" || text.trim() === "") continue;
    const known = healthTags.some((each) => each === tag);
    const told = known ? text.trim() : `${tag}: ${text.trim()}`;
    const under = known ? tag : "other";
    byTag.set(under, new Set([...(byTag.get(under) ?? []), ...told.split("\n")]));
  }
  if (byTag.size === 0) return undefined;
  const cut = (lines: Set<string>) => [...[...lines].join("\n")].slice(0, healthLength).join("");
  return { notes_by_tag: Object.fromEntries([...byTag].map(([tag, lines]) => [tag, cut(lines)])) };
}

/** Notes may be under `notes_by_tag`, beside it, or a single text. Those beside it are newer and win. */
function notesIn(given: unknown): [string, unknown][] {
  if (typeof given === "string") return [["other", given]];
  if (!isRecord(given)) return [];
  const { notes_by_tag: stored, ...beside } = given;
  return Object.entries({ ...(isRecord(stored) ? stored : {}), ...beside });
}

const livingWords: Readonly<Record<string, string>> = {
  housing: "Где живёт",
  outdoor: "Бывает на улице",
  diet_type: "Питание",
  activity_level: "Активность",
  walks_per_day: "Прогулок в день",
};

function livingText(living: Profile): string {
  return Object.entries(living)
    .map(([name, value]) => `${livingWords[name] ?? name}: ${String(value)}`)
    .join("; ");
}

export function isRecord(value: unknown): value is Profile {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
