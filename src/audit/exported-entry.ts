import { z } from "zod";

/** A line of an export. The hash is that of the line without its last member, so it is checked as text. */
export const exportedEntry = z.strictObject({
  chain_id: z.uuid(),
  seq: z.int().positive(),
  at: z.iso.datetime(),
  actor_kind: z.string(),
  actor_id: z.string().nullable(),
  action: z.string(),
  subject_kind: z.string().nullable(),
  subject_id: z.string().nullable(),
  result: z.string(),
  address: z.string().nullable(),
  meta: z.record(z.string(), z.unknown()),
  prev_hash: z.string().length(64),
  hash: z.string().length(64),
});
