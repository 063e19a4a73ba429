import { z } from "zod";
import { mediaKinds } from "../../content/index.ts";
import { idOf } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { payload } from "../ingest/body.ts";
import { templateLimits } from "../templates/limits.ts";

/** The body of `POST /api/v1/render`: a post as in ingest, and its channel. */
export const renderBody = z.strictObject({
  channel_id: idOf(idColumns.channel),
  payload,
  template: z
    .strictObject({
      body: z.string().min(1).max(templateLimits.body).describe("Liquid"),
      defaults: z.record(z.string(), z.unknown()).optional().describe("Values of what a post does not bring"),
    })
    .optional()
    .describe("A template to try instead of the channel's own; it need not be saved"),
  strict: z.boolean().optional().describe("Refuse the post if anything of it would be lost"),
});

const message = z
  .object({
    title: z.string().optional().describe("Above the text, where the platform has titles"),
    text: z.string(),
    marks: z.array(
      z
        .looseObject({ type: z.string(), offset: z.int(), length: z.int() })
        .describe("Formatting over the text, in UTF-16 units"),
    ),
    media: z.array(
      z.object({
        kind: z.enum(mediaKinds),
        url: z.string().optional(),
        blobRef: z.string().optional(),
        fileId: z.string().optional(),
      }),
    ),
    buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))),
  })
  .describe("What a reader sees");

const request = z
  .object({
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string()),
    body: z.record(z.string(), z.unknown()),
  })
  .describe(
    "What the provider gets; the token and the names of files, known only when it is sent, are in <>",
  );

const position = z.object({ offset: z.int(), line: z.int(), column: z.int() });

/** What a post would become in a channel. */
export const renderReport = z
  .object({
    ok: z.boolean().describe("Whether the channel would take it"),
    channel: z.object({
      channel_id: z.string(),
      platform: z.string(),
      target_id: z.string(),
      title: z.string().nullable(),
    }),
    template_version: z
      .string()
      .nullable()
      .describe("The template that made the text: `news@3`; `draft@0` for a tried one"),
    messages: z.array(message),
    requests: z.array(request),
    losses: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .describe("What the platform cannot show, and what is done instead"),
    repairs: z
      .array(z.object({ code: z.string(), message: z.string(), position: position.optional() }))
      .describe("What was put right in the text as it was sent"),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe("Why it would be refused"),
  })
  .meta({ id: "Rendering" });

export type RenderReport = z.infer<typeof renderReport>;
