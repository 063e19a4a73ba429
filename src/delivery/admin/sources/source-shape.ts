import { z } from "zod";
import { oneSecret, reason, somethingOf } from "../../../workspaces/index.ts";
import { sourceKinds } from "../../pull/index.ts";
import { chosenId } from "../fields.ts";

export const sourceId = chosenId;

const object = z.record(z.string(), z.unknown());

const run = z.object({
  run_id: z.string(),
  started_at: z.string(),
  finished_at: z.string().nullable().describe("null: it is under way"),
  stats: object.describe(
    "listed, accepted, seen, dropped, queued and so on; not_modified, interrupted, abandoned; the error of a run that failed",
  ),
});

/** One run with what was refused. */
export const sourceRunSchema = run
  .extend({
    refused: z
      .array(z.object({ source_ref: z.string(), fault: z.unknown(), at: z.string() }))
      .describe("Items that could not become posts, and why; the first 50"),
  })
  .meta({ id: "SourceRun" });

/** A source as operators see it; its secret is never shown. */
export const sourceSchema = z
  .object({
    source_id: z.string(),
    kind: z.enum(sourceKinds),
    config: z.unknown(),
    enabled: z.boolean(),
    every_seconds: z.int(),
    has_secret: z.boolean(),
    endpoint_id: z.uuid().nullable(),
    next_run_at: z.date(),
    running: z.boolean(),
    last_run_at: z.date().nullable(),
    last_success_at: z.date().nullable(),
    failures: z.int().describe("Runs that failed in a row"),
    last_error: z.object({ code: z.string(), message: z.string(), at: z.string() }).nullable(),
    last_run: run.nullable(),
    cursor: object,
    created_at: z.date(),
  })
  .meta({ id: "Source" });

const fields = {
  config: object.describe("By kind: where it is, which fields become the post, how it is paged"),
  every_seconds: z.int().min(10).max(604_800),
  secret: z
    .string()
    .trim()
    .min(1)
    .max(4096)
    .describe("The Authorization header, or the address of a database; stored encrypted, never shown"),
  secret_variable: z
    .string()
    .regex(/^MOLVA_SOURCE_[A-Z0-9_]{1,80}$/, "A name that begins with MOLVA_SOURCE_")
    .describe("A variable of the server's environment that holds the secret instead"),
};

export const newSource = z
  .strictObject(fields)
  .partial()
  .extend({
    source_id: sourceId,
    kind: z.enum(sourceKinds),
    config: fields.config,
    reason: reason.optional(),
  })
  .refine(oneSecret.check, { error: oneSecret.error });
export type NewSource = Omit<z.infer<typeof newSource>, "reason">;

export const sourceChanges = somethingOf(
  z.strictObject(fields).partial().extend({ reason: reason.optional() }),
).refine(oneSecret.check, { error: oneSecret.error });
export type SourceChanges = Omit<z.infer<typeof sourceChanges>, "reason">;

/** A source that is tried before it is saved. */
export const triedSource = z.strictObject({
  source_id: sourceId
    .optional()
    .describe("An existing source: its secret is used, and what it posted is not new"),
  kind: z.enum(sourceKinds),
  config: fields.config,
  secret: fields.secret.optional(),
});
export type TriedSource = z.infer<typeof triedSource>;

/** What a run did, or would do in a dry run. */
export const runReport = z.looseObject({
  outcome: z.enum(["done", "unchanged", "failed", "interrupted", "preview"]),
});
