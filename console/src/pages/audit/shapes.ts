import * as z from "zod/mini";

export const entry = z.object({
  workspace_id: z.nullable(z.string()),
  seq: z.number(),
  at: z.string(),
  actor: z.object({
    kind: z.enum(["operator", "token", "command", "system", "anonymous"]),
    id: z.nullable(z.string()),
  }),
  actor_name: z.nullable(z.string()),
  action: z.string(),
  subject: z.nullable(z.object({ kind: z.string(), id: z.string() })),
  subject_name: z.nullable(z.string()),
  result: z.enum(["ok", "refused"]),
  address: z.nullable(z.string()),
  meta: z.record(z.string(), z.unknown()),
});
export type Entry = z.infer<typeof entry>;

export const verdict = z.object({
  ok: z.boolean(),
  entries: z.number(),
  chains: z.number(),
  accepted: z.number(),
  sealed_at: z.nullable(z.string()),
  findings: z.array(
    z.object({
      finding: z.string(),
      says: z.string(),
      seq: z.nullable(z.number()),
      until_seq: z.nullable(z.number()),
      workspace_id: z.nullable(z.string()),
    }),
  ),
});
export type Verdict = z.infer<typeof verdict>;
