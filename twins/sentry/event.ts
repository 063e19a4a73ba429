import { z } from "zod";

/**
 * What Sentry documents of an event, and the lengths it cuts at. Sentry takes an event whose fields are wrong, drops the fields
 * and shows an error beside it; so does the twin.
 */
const frame = z.strictObject({
  filename: z.string().max(256).optional(),
  function: z.string().max(256).optional(),
  module: z.string().max(256).optional(),
  abs_path: z.string().max(2_048).optional(),
  lineno: z.int().min(0).optional(),
  colno: z.int().min(0).optional(),
  in_app: z.boolean().optional(),
});
const exception = z.strictObject({
  type: z.string().max(256),
  value: z.string().max(8_192),
  module: z.string().optional(),
  mechanism: z.looseObject({ type: z.string().min(1).max(128), handled: z.boolean().optional() }).optional(),
  stacktrace: z.strictObject({ frames: z.array(frame).min(1) }).optional(),
});
export const eventShape = z.strictObject({
  event_id: z.string().regex(/^[0-9a-f]{32}$/),
  timestamp: z.union([z.number(), z.iso.datetime({ offset: true })]),
  platform: z.enum(["javascript", "node", "python", "other"]),
  level: z.enum(["fatal", "error", "warning", "info", "debug"]).optional(),
  logger: z.string().max(64).optional(),
  transaction: z.string().max(200).optional(),
  server_name: z.string().max(256).optional(),
  release: z
    .string()
    .regex(/^[^\n\t/\\]{1,250}$/)
    .optional(),
  environment: z
    .string()
    .regex(/^[^\n\t /]{1,64}$/)
    .optional(),
  fingerprint: z.array(z.string()).optional(),
  logentry: z.strictObject({ formatted: z.string().max(8_192) }).optional(),
  exception: z.strictObject({ values: z.array(exception).min(1) }).optional(),
  tags: z.record(z.string().regex(/^[\w.:-]{1,32}$/), z.string().regex(/^[^\n]{1,200}$/)).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
  contexts: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  user: z.record(z.string(), z.unknown()).optional(),
  request: z.record(z.string(), z.unknown()).optional(),
  breadcrumbs: z.unknown().optional(),
  sdk: z.looseObject({ name: z.string(), version: z.string() }).optional(),
});

/** What Sentry would show beside the event; empty if all of it is understood. */
export function processingErrors(event: Readonly<Record<string, unknown>>): string[] {
  const read = eventShape.safeParse(event);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
