/** States that ask for one field of a profile. Skipping keeps the known value. */
import { type AskState, amount, reading, text } from "../../dialogs/index.ts";
import { emergencyIn } from "../../firstaid/index.ts";
import type { Profile } from "../backend/response-schemas.ts";
import { type ChoiceField, choices, kinds, longest } from "../subject.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import type { EditData } from "./pet-edit.ts";
import type { BotServices } from "./services.ts";

type Field = ChoiceField | "type" | "weight_kg" | "walks_per_day" | LineField;
type LineField =
  | "name"
  | "age_text"
  | "breed"
  | "animal_kind"
  | "vaccine_details"
  | "parasite_details"
  | "owner_note";
type Asked<Name extends string> = AskState<EditData, Name | "edit", BotServices>;

/** Path of a field in the service's profile; others are at the top level. */
const places: Partial<Record<Field, readonly [string, string]>> = {
  vaccines: ["vaccines", "status"],
  vaccine_details: ["vaccines", "details"],
  parasites: ["parasites", "status"],
  parasite_details: ["parasites", "details"],
  housing: ["lifestyle", "housing"],
  outdoor: ["lifestyle", "outdoor"],
  diet_type: ["lifestyle", "diet_type"],
  activity_level: ["lifestyle", "activity_level"],
  walks_per_day: ["lifestyle", "walks_per_day"],
};

/** Possible next states, and the choice between them. */
export interface Way<Name extends string> {
  readonly to: readonly [Name, ...Name[]];
  pick(data: EditData): Name;
}

export function always<const Name extends string>(name: Name): Way<Name> {
  return { to: [name], pick: () => name };
}

/** Depends on the kind of pet. */
export function byType<const Name extends string>(type: string, is: Name, isNot: Name): Way<Name> {
  const pick = ({ profile, changes }: EditData) => (laid(profile, changes).type === type ? is : isNot);
  return { to: [is, isNot], pick };
}

/** In the first questionnaire the next question; when editing, back to the list. */
export function whenNew<Name extends string>(next: Way<Name>): Way<Name | "edit"> {
  const pick = (data: EditData) => (data.profile.type === undefined ? next.pick(data) : "edit");
  return { to: [...next.to, "edit"], pick };
}

export function line<Name extends string>(field: LineField, way: Way<Name>): Asked<Name> {
  const isNote = field.endsWith("details") || field === "owner_note";
  const refusal = both((t) => (isNote ? t.profile.wrong.note : t.profile.wrong.line));
  const read = text({ min: 1, max: isNote ? longest.note : longest.line, refusal });
  return {
    ask: both((t) => t.profile.ask[field]),
    text: reading(read, way.to, (value, { data, language }) =>
      !isNote && emergencyIn(value)
        ? { refuse: texts[language].profile.wrong.emergency }
        : answered(data, field, value, way),
    ),
    buttons: { skip: skip(way) },
  };
}

export function choose<Name extends string>(field: ChoiceField | "type", way: Way<Name>): Asked<Name> {
  const words = field === "type" ? kinds : choices[field];
  return {
    ask: both((t) => t.profile.ask[field === "bcs" ? "weight_kg" : field]),
    buttons: {
      word: {
        label: { ru: "", en: "" },
        each: (_, language) => words.map((arg) => ({ arg, label: labelOf(texts[language], field, arg) })),
        row: 1,
        to: way.to,
        press: ({ data }, arg) => answered(data, field, arg, way),
      },
      // The type is required.
      ...(field !== "type" && { skip: skip(way) }),
    },
  };
}

export function walks<Name extends string>(way: Way<Name>): Asked<Name> {
  const read = amount({ min: 0, max: 50, refusal: both((t) => t.profile.wrong.walks) });
  return {
    ask: both((t) => t.profile.ask.walks_per_day),
    text: reading(read, way.to, (value, { data, language }) =>
      Number.isInteger(value)
        ? answered(data, "walks_per_day", value, way)
        : { refuse: texts[language].profile.wrong.walks },
    ),
    buttons: { skip: skip(way) },
  };
}

/** As a number, or by appearance. */
export function weight<Name extends string>(way: Way<Name>): Asked<Name> {
  const read = amount({ min: 0.01, max: 1_000, refusal: both((t) => t.profile.wrong.weight) });
  const byEye = choose("bcs", way);
  return {
    ...byEye,
    text: reading(read, way.to, (value, { data }) => answered(data, "weight_kg", value, way)),
  };
}

function skip<Name extends string>(way: Way<Name>) {
  return {
    label: both((t) => t.skip),
    to: way.to,
    press: ({ data }: { readonly data: EditData }) => ({ to: way.pick(data) }),
  };
}

function answered<Name extends string>(data: EditData, field: Field, value: unknown, way: Way<Name>) {
  const place = places[field];
  const change = place ? { [place[0]]: { [place[1]]: value } } : { [field]: value };
  const changes = laid(data.changes, change);
  return { data: { changes }, to: way.pick({ ...data, changes }) };
}

function labelOf(t: Texts, field: ChoiceField | "type", word: string): string {
  const labels: Readonly<Record<string, string>> =
    field === "type" ? t.profile.type : t.profile.choice[field];
  return labels[word] ?? word;
}

/** Merges profiles as the service does: nested objects are merged. */
export function laid(under: Profile, over: Profile): Profile {
  const merged = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    merged[name] = isProfile(before) && isProfile(value) ? laid(before, value) : value;
  }
  return merged;
}

function isProfile(value: unknown): value is Profile {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
