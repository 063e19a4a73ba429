/** What the bot's questions are about. Together with the texts this is all that knows of pets. */

export const kinds = ["dog", "cat", "other"] as const;
export type Kind = (typeof kinds)[number];

/** Scenarios that the service knows and that a person may choose between. */
export const topics = ["emergency", "care", "prevention"] as const;
export type Topic = (typeof topics)[number];

/** Fields of a profile that are chosen among words; each word is also the service's. */
export const choices = {
  sex: ["male", "female", "unknown"],
  sterilized_status: ["yes", "no", "unknown"],
  bcs: ["thin", "normal", "overweight"],
  vaccines: ["done", "partial", "unknown"],
  parasites: ["regular", "irregular", "unknown"],
  housing: ["apartment", "house", "yard", "outdoor"],
  outdoor: ["no", "sometimes", "regular"],
  diet_type: ["dry", "wet", "natural", "mixed"],
  activity_level: ["low", "medium", "high"],
} as const;
export type ChoiceField = keyof typeof choices;

/** What a note about health may be under. */
export const healthTags = ["allergy", "gi", "skin_coat", "mobility", "other"] as const;
export type HealthTag = (typeof healthTags)[number];

/** Lengths that the service takes. */
export const longest = { line: 100, note: 2_000, details: 1_000, question: 4_096 } as const;
