import { badRequest } from "./api-error.ts";

export interface Upload {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly contentType: string;
}

/**
 * The fields of one call, in whatever form they came. As on the real server every field is text: numbers and objects of
 * a JSON body are serialised again and parsed on use.
 */
export interface Params {
  readonly fields: ReadonlyMap<string, string>;
  readonly uploads: ReadonlyMap<string, Upload>;
}

export function paramsOf(
  values: Readonly<Record<string, unknown>>,
  uploads: Params["uploads"] = new Map(),
): Params {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    fields.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return { fields, uploads };
}

export function text(params: Params, name: string): string {
  return params.fields.get(name) ?? "";
}

export function flag(params: Params, name: string): boolean {
  return /^(true|1|yes)$/i.test(text(params, name));
}

export function integer(params: Params, name: string): number | undefined {
  const value = text(params, name).trim();
  return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** A field whose value is JSON; undefined if it is absent or empty. */
export function json(params: Params, name: string): unknown {
  const value = text(params, name);
  if (value === "") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw badRequest(`can't parse ${name.replaceAll("_", " ")} JSON object`);
  }
}

/** The call for the journal: nested JSON parsed, files by name and size. */
export function described({ fields, uploads }: Params): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of fields) shown[name] = nestedFields.has(name) ? opened(value) : value;
  for (const [name, { fileName, bytes }] of uploads)
    shown[name] = { file: fileName, bytes: bytes.byteLength };
  return shown;
}

const nestedFields = new Set([
  "reply_markup",
  "media",
  "entities",
  "caption_entities",
  "reply_parameters",
  "link_preview_options",
  "commands",
  "message_ids",
  "allowed_updates",
  "prices",
]);

function opened(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
