import { z } from "zod";
import { problem, textFaults } from "../../http/index.ts";
import { momentText } from "../deliveries/request.ts";
import { media, payload } from "../ingest/body.ts";

/** The payload of a post that is still being written: what a post must have may be missing. */
const draftPayload = payload.extend({
  media: z
    .array(media.extend({ type: media.shape.type.nullish() }))
    .max(100)
    .nullish(),
  buttons: z
    .array(z.array(z.looseObject({ text: z.string().nullish(), url: z.string().nullish() })))
    .nullish(),
  article: z.looseObject({ title: z.string().nullish() }).nullish(),
});

const fields = {
  payload: draftPayload.describe("As in `POST /api/v1/messages`; it is checked in full when it is sent"),
  tags: z.array(z.string().max(512)).max(1000),
  channel_ids: z
    .array(z.uuid())
    .min(1)
    .max(100)
    .nullable()
    .describe("Only to these channels; null: routed by its tags"),
  scheduled_for: momentText.nullable().describe("null: at once"),
};

export const newDraft = z.strictObject({
  payload: fields.payload,
  tags: fields.tags.default([]),
  channel_ids: fields.channel_ids.default(null),
  scheduled_for: fields.scheduled_for.default(null),
});
export type NewDraft = z.output<typeof newDraft>;

export const draftChanges = z
  .strictObject(fields)
  .partial()
  .extend({ version: z.int().min(1).describe("The version that was changed") })
  .refine((given) => Object.keys(given).length > 1, { error: "Give at least one field to change" });
export type DraftChanges = z.output<typeof draftChanges>;

/** A draft in a list. */
export const draftSummary = z
  .object({
    id: z.uuid(),
    title: z.string().describe("The first line of its text; empty while it has none"),
    media: z.int().describe("How many pictures, videos and files it has"),
    channel_ids: z.array(z.uuid()).nullable(),
    scheduled_for: z.date().nullable(),
    author: z.object({
      id: z.string().describe("`operator:<id>` or `token:<id>`"),
      name: z.string().describe("The present name"),
    }),
    version: z.int(),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .meta({ id: "DraftSummary" });
export type DraftSummary = z.infer<typeof draftSummary>;

export const draftSchema = draftSummary
  .extend({ payload: z.record(z.string(), z.unknown()), tags: z.array(z.string()) })
  .meta({ id: "Draft" });
export type Draft = z.infer<typeof draftSchema>;

const largestBytes = 256 * 1024;

/** Refuses what cannot be stored. */
export function checkStorable(draft: object): void {
  const errors = [...textFaults(draft)];
  if (errors.length > 0) throw problem("invalid_request", { errors });
  if (Buffer.byteLength(JSON.stringify(draft)) > largestBytes)
    throw problem("payload_too_large", {
      detail: "A draft has at most 256 KB: upload pictures with POST /api/v1/media and name their addresses.",
    });
}
