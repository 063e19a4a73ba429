/** The pet's card, short or full. */
import { z } from "zod";
import type { Language } from "../../dialogs/index.ts";
import type { Profile } from "../backend/response-schemas.ts";
import { type ChoiceField, choices, healthTags } from "../subject.ts";
import { texts } from "../texts/index.ts";

/** The fields on the card; invalid ones are not shown. */
const cardShape = z.object({
  type: z.enum(["dog", "cat", "other"]).catch("other"),
  ...lines("name", "age_text", "breed", "animal_kind", "owner_note"),
  ...lines("sex", "sterilized_status", "bcs"),
  weight_kg: z.number().optional().catch(undefined),
  vaccines: stated(),
  parasites: stated(),
  health: z
    .object({ notes_by_tag: z.record(z.string(), z.string()) })
    .optional()
    .catch(undefined),
  lifestyle: z
    .object({
      ...lines("housing", "outdoor", "diet_type", "activity_level"),
      walks_per_day: z.number().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

export function cardText(profile: Profile, full: boolean, language: Language): string {
  const { profile: t } = texts[language];
  const card = cardShape.parse(profile);
  const chosen = (field: ChoiceField, value: string | undefined) => {
    const words: Readonly<Record<string, string>> = t.choice[field];
    return value === undefined || !choices[field].some((word) => word === value) ? undefined : words[value];
  };
  const line = (label: string, value: string | undefined) =>
    value === undefined ? [] : [`${label}: ${value}`];
  const withDetails = (word: string | undefined, details: string | undefined) =>
    [word, details].filter(Boolean).join(", ") || undefined;
  const short = [
    `${card.name ?? t.nameless} · ${t.type[card.type]}`,
    ...line(t.label.animal_kind, card.animal_kind),
    ...line(t.label.breed, card.breed),
    ...line(t.label.age_text, card.age_text),
    ...line(t.label.sex, chosen("sex", card.sex)),
    ...line(t.label.weight_kg, card.weight_kg?.toLocaleString(language)),
    ...line(t.label.bcs, card.weight_kg === undefined ? chosen("bcs", card.bcs) : undefined),
  ];
  if (!full) return short.join("\n");
  const { health, lifestyle: living, vaccines, parasites } = card;
  return [
    ...short,
    ...line(t.label.sterilized_status, chosen("sterilized_status", card.sterilized_status)),
    ...line(t.label.vaccines, withDetails(chosen("vaccines", vaccines?.status), vaccines?.details)),
    ...line(t.label.parasites, withDetails(chosen("parasites", parasites?.status), parasites?.details)),
    ...healthTags.flatMap((tag) => line(t.tag[tag], health?.notes_by_tag[tag])),
    ...line(t.label.housing, chosen("housing", living?.housing)),
    ...line(t.label.outdoor, chosen("outdoor", living?.outdoor)),
    ...line(t.label.diet_type, chosen("diet_type", living?.diet_type)),
    ...line(t.label.activity_level, chosen("activity_level", living?.activity_level)),
    ...line(t.label.walks_per_day, living?.walks_per_day?.toString()),
    ...line(t.label.owner_note, card.owner_note),
  ].join("\n");
}

function lines<const Names extends readonly string[]>(...names: Names) {
  const word = z.string().optional().catch(undefined);
  return Object.fromEntries(names.map((name) => [name, word])) as Record<Names[number], typeof word>;
}

function stated() {
  return z.object({ status: z.string(), details: z.string().optional() }).optional().catch(undefined);
}
