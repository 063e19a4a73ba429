/** Together with the texts, all that knows about pets. */

export const kinds = ["dog", "cat", "other"] as const;
export type Kind = (typeof kinds)[number];

/** The service's scenarios that a person may choose. */
export const topics = ["emergency", "care", "prevention"] as const;

/** Profile fields with fixed values; the values are the service's. */
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

/** Tags of health notes. */
export const healthTags = ["allergy", "gi", "skin_coat", "mobility", "other"] as const;

/** Maximum lengths of the service. */
export const longest = { line: 100, note: 2_000, details: 1_000, question: 4_096 } as const;
