import { z } from "zod";
import { badRequest } from "../api-error.ts";
import type { MediaKind } from "../model.ts";
import { type Params, paramsOf } from "../params.ts";

/** One `InputMedia` object, with its fields readable like a call's. */
export interface InputMedia {
  readonly kind: MediaKind;
  readonly media: string;
  readonly fields: Params;
}

const kinds = ["photo", "video", "animation", "audio", "document"] as const;
const shape = z.looseObject({ type: z.string(), media: z.string() });

export function readInputMedia(value: unknown, allowed: readonly MediaKind[], method: string): InputMedia {
  if (typeof value !== "object" || value === null)
    throw badRequest("can't parse InputMedia: Object expected");
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    throw badRequest(`can't parse InputMedia: Can't find field "${field}"`);
  }
  const { type, media } = parsed.data;
  const kind = kinds.find((each) => each === type);
  if (!kind) throw badRequest(`can't parse InputMedia: Type "${type}" is unsupported`);
  if (!allowed.includes(kind))
    throw badRequest(`can't parse InputMedia: type "${type}" can't be used in ${method}`);
  return { kind, media, fields: paramsOf(parsed.data) };
}
