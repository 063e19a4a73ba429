import { z } from "zod";
import { definitionOf } from "../../platforms/index.ts";
import { reason } from "../../workspaces/index.ts";
import { platformTypes } from "../settings/shape.ts";

export const connectionStatuses = ["active", "error", "disconnected"] as const;

export const connectionSchema = z
  .object({
    id: z.int(),
    project_id: z.int(),
    platform_type: z.enum(platformTypes),
    status: z
      .enum(connectionStatuses)
      .describe("error: the platform refused; disconnected: it has to be connected again"),
    identifier: z.string().describe("The site, the chat, the community or the board"),
    title: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    channel_id: z.uuid().nullable().describe("The channel by which it publishes"),
    site: z
      .object({
        links_found: z.int().nullable().describe("Pages of the site that articles may link to"),
        colors: z.record(z.string(), z.string().nullable()).nullable().describe("The site's own colours"),
        performance: z.int().nullable().describe("PageSpeed's score, of 100"),
        seo_score: z.int().nullable(),
      })
      .nullable()
      .describe("What was learnt of a WordPress site in the background after it was connected"),
    error: z.record(z.string(), z.unknown()).nullable().describe("What the platform said, if it refused"),
    created_at: z.date(),
  })
  .meta({ id: "SeoConnection" });
export type SeoConnection = z.infer<typeof connectionSchema>;

const fields = z
  .record(z.string(), z.string().max(10_000))
  .describe(
    `The account. ${platformTypes.map((name) => `${name}: ${Object.keys(definitionOf(name).credential.fields).join(", ")}`).join("; ")}`,
  );

export const newConnection = z.strictObject({
  platform_type: z.enum(platformTypes),
  target: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe("The channel, the community or the board; a site is in its account already"),
  fields,
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Of a WordPress site: the fields of PATCH …/metadata"),
  shared: z.boolean().optional().describe("true: although another project of this person is connected to it"),
  reason: reason.optional(),
});
export type NewSeoConnection = Omit<z.infer<typeof newConnection>, "reason">;

export const renewedConnection = z.strictObject({ fields, reason: reason.optional() });

export const connectionCheckSchema = z
  .object({
    ok: z.boolean(),
    finding: z.string().describe("`ok`, or what is wrong"),
    ru: z.string(),
    en: z.string(),
  })
  .meta({ id: "SeoConnectionCheck" });
export type ConnectionCheck = z.infer<typeof connectionCheckSchema>;
