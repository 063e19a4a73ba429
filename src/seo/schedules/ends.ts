/** How an autopublication may end without a publication, and what that does to its schedule. Data. */

export const pauses = {
  /** When no model answered, or an error of ours stood in the way: as it is told. */
  hourlyMs: 3_600_000,
  /** When the platform did not answer before anything was written: QStash's pace. */
  platformMs: [12_000, 148_000, 1_808_000],
  /** When the work broke off by itself; longer each time. */
  brokenMs: 5_000,
} as const;

/** Runs that are begun for one slot, an hour apart, if the ends below are worth another try. */
export const mostAttempts = 4;
/** How often work that broke off before its run began is taken up again within one attempt. */
export const mostBroken = 6;
/** Failures in a row that switch a schedule off (E55). */
export const mostErrors = 3;
/** Generations at once in the whole system. */
export const generationsAtOnce = 10;

export type EndName = keyof typeof ends;

interface EndPolicy {
  readonly state: "skipped" | "failed";
  /** `off`: switched off. `error`: marked, and switched off the third time in a row. `marked`: nothing that its person could mend. */
  readonly schedule: "kept" | "off" | "error" | "marked";
  /** Whether the person hears of it although reports are off: what changes a schedule is always told. */
  readonly told: "always" | "wanted" | "never";
}

export const ends = {
  too_few_tokens: { state: "skipped", schedule: "off", told: "always" },
  no_phrases: { state: "skipped", schedule: "kept", told: "wanted" },
  no_articles: { state: "skipped", schedule: "kept", told: "wanted" },
  no_phrase: { state: "skipped", schedule: "kept", told: "wanted" },
  not_valid: { state: "skipped", schedule: "kept", told: "wanted" },
  model: { state: "failed", schedule: "kept", told: "wanted" },
  internal: { state: "failed", schedule: "marked", told: "always" },
  platform: { state: "failed", schedule: "error", told: "always" },
  refused: { state: "failed", schedule: "error", told: "always" },
  switched_off: { state: "skipped", schedule: "kept", told: "never" },
  stopped: { state: "skipped", schedule: "kept", told: "never" },
} as const satisfies Readonly<Record<string, EndPolicy>>;

/** Worth another try in an hour. */
export type Passing = "model" | "internal";
export const isPassing = (name: EndName): name is Passing => name === "model" || name === "internal";

/** What the code of a failed run means here; every other code is the platform's. */
const byCode: Readonly<Record<string, EndName>> = {
  text_failed: "model",
  model_failed: "model",
  internal: "internal",
  low_quality: "not_valid",
  not_valid: "not_valid",
  no_phrases: "no_phrases",
  no_articles: "no_articles",
  no_phrase: "no_phrase",
  all_reserved: "no_phrase",
  all_excluded: "no_phrase",
  page_serves: "no_phrase",
  deleted: "stopped",
};

export const endOfCode = (code: string): EndName => byCode[code] ?? "platform";
