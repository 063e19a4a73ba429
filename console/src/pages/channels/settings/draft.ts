/** The form's texts made from a channel, and the change made from the texts. Pure. */
import type { Channel } from "../shapes.ts";
import { allFields, type FieldSpec, weekdays } from "./fields.ts";
import { daysOf, intervalsOf, readDays, readIntervals } from "./window.ts";

export type Draft = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

export function draftOf(channel: Channel): Draft {
  const fields = allFields(channel.platform);
  return Object.fromEntries(
    fields.map((field) => [field.key, textOf(field, currentValue(channel, field, fields))]),
  );
}

/** A text that cannot be read; the server is not asked. */
export type Misread = "number" | "json" | "intervals" | "days";

export interface Change {
  readonly body: Values;
  readonly misread: Readonly<Record<string, Misread>>;
}

/** Only what differs from the channel. Parts of an object are sent with the rest of that object. */
export function changeOf(channel: Channel, draft: Draft): Change {
  const before = draftOf(channel);
  const fields = allFields(channel.platform);
  const body: Record<string, unknown> = {};
  const misread: Record<string, Misread> = {};
  const settings: Record<string, unknown> = { ...channel.settings };
  const filter: Record<string, unknown> = { ...channel.route_filter };
  const hours: Record<string, unknown> = { ...channel.posting_window };
  for (const field of fields) {
    const text = draft[field.key] ?? "";
    if (text === before[field.key]) continue;
    const read = readText(field, text);
    if (typeof read === "object" && read !== null && "misread" in read) {
      misread[field.key] = read.misread;
      continue;
    }
    const value = read === null ? null : read.value;
    const [whole = "", part] = field.key.split(".");
    if (part === undefined) body[whole] = value;
    else if (part === "other") {
      for (const name of otherNames(channel, fields)) delete settings[name];
      Object.assign(settings, value);
      body.settings = settings;
    } else if (whole === "settings") body.settings = put(settings, part, value);
    else if (whole === "route_filter") body.route_filter = put(filter, part, value);
    else body.posting_window = put(hours, part, value);
  }
  if (body.route_filter && Object.keys(filter).length === 0) body.route_filter = null;
  if (body.posting_window && Object.keys(hours).length === 0) body.posting_window = null;
  return { body, misread };
}

function put(whole: Record<string, unknown>, part: string, value: unknown): Record<string, unknown> {
  if (value === null) delete whole[part];
  else whole[part] = value;
  return whole;
}

function otherNames({ settings }: Channel, fields: readonly FieldSpec[]): string[] {
  const known = new Set(fields.map(({ key }) => key));
  return Object.keys(settings).filter((name) => !known.has(`settings.${name}`));
}

function currentValue(channel: Channel, { key }: FieldSpec, fields: readonly FieldSpec[]): unknown {
  const [whole = "", part] = key.split(".");
  const values: Values = channel;
  if (part === undefined) return values[whole];
  if (part === "other")
    return Object.fromEntries(otherNames(channel, fields).map((name) => [name, channel.settings[name]]));
  const object = {
    settings: channel.settings,
    route_filter: channel.route_filter,
    posting_window: channel.posting_window,
  }[whole];
  return object?.[part];
}

function textOf({ kind }: FieldSpec, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (kind === "tags") return Array.isArray(value) ? value.join(", ") : "";
  if (kind === "intervals") return intervalsOf(value);
  if (kind === "days") return daysOf(value);
  if (kind === "json") return isEmpty(value) ? "" : JSON.stringify(value, null, 2);
  return String(value);
}

type Read = { readonly value: unknown } | { readonly misread: Misread } | null;

/** An empty text clears the field. */
function readText({ kind, key }: FieldSpec, typed: string): Read {
  const text = typed.trim();
  if (kind === "tags") {
    const tags = text
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "");
    return tags.length > 0 || key === "tags" ? { value: tags } : null;
  }
  if (kind === "yes") return { value: text === "true" };
  if (text === "") return null;
  if (kind === "number" || kind === "duration") {
    const value = Number(text.replace(",", "."));
    return Number.isFinite(value) ? { value } : { misread: "number" };
  }
  if (kind === "choice") return { value: text === "true" ? true : text === "false" ? false : text };
  if (kind === "intervals") return given(readIntervals(text), "intervals");
  if (kind === "days") return given(readDays(text), "days");
  if (kind === "json") return given(readObject(text), "json");
  return { value: text };
}

const given = (value: unknown, misread: Misread): Read => (value === undefined ? { misread } : { value });

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** A week with no hours at all would never let a post out; the form says so. */
export function hasNoHours(draft: Draft): boolean {
  return draft.window_mode === "windowed" && weekdays.every((day) => !draft[`posting_window.${day}`]?.trim());
}
