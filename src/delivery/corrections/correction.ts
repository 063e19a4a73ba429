import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { idAfter, type Page, type PageQuery, pageLimit, pageOf } from "../../workspaces/index.ts";
import { errorSchema, snippetLength } from "../deliveries/delivery.ts";
import { defaultLeases, type Leases } from "../deliveries/why.ts";
import { namedChannelSchema } from "../read/channel-name.ts";
import { correctionReasons, isCorrectionReason } from "./correction-reasons.ts";

export const correctionStatuses = [
  "queued",
  "sending",
  "retry",
  "done",
  "failed_permanent",
  "dead",
  "superseded",
] as const;
export const correctionKinds = ["edit", "remove"] as const;

/** A correction as operators see it: what was to be done to a sent post, its progress, and its error. */
export const correctionSchema = z.object({
  id: z.string(),
  delivery_id: z.string(),
  message_id: z.string(),
  revision_id: z.string().nullable().describe("Corrections made together share it; null for a removal"),
  channel: namedChannelSchema,
  number: z.int().describe("Of all corrections of its delivery, from 1"),
  kind: z.enum(correctionKinds),
  status: z.enum(correctionStatuses),
  attempt: z.int(),
  error: errorSchema.nullable(),
  snippet: z.string().nullable().describe("What the post says then; null for a removal"),
  losses: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .describe("What the provider took the change without, as only it could tell"),
  template_version: z.string().nullable(),
  operator: z.string().describe("The present name of who asked for it"),
  reason: z.string(),
  why: z.object({
    reason: z.enum(Object.keys(correctionReasons).filter(isCorrectionReason)),
    since: z.date().nullable(),
    expected_at: z.date().nullable(),
    details: z.record(z.string(), z.unknown()),
  }),
  created_at: z.date(),
  ended_at: z.date().nullable(),
});
export type Correction = z.infer<typeof correctionSchema>;

export interface CorrectionFilter {
  readonly message_id?: string | undefined;
  readonly delivery_id?: string | undefined;
  readonly status?: readonly Correction["status"][] | undefined;
}

type Row = Omit<Correction, "why"> & {
  [Field in keyof Correction["why"] as `why_${Field}`]: Correction["why"][Field];
};

/** Newest first. */
export async function listCorrections(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, message_id, delivery_id, status }: CorrectionFilter & PageQuery,
  now: Date,
  { sendingSeconds }: Leases = defaultLeases,
): Promise<Page<Correction>> {
  const before = idAfter(after);
  const rows = await sql<Row[]>`
    select x.correction_id as id, x.delivery_id, x.message_id, x.revision_id,
      delivery.channel_facts(c) as channel,
      x.number, x.kind, x.status, x.attempt, delivery.error_of(x.last_error) as error,
      left(x.rendered_text, ${snippetLength}) as snippet, coalesce(x.provider_meta -> 'losses', '[]') as losses, x.template_version,
      workspaces.actor_name(x.operator) as operator, x.reason, x.created_at, x.ended_at,
      w.reason as why_reason, w.since as why_since, w.expected_at as why_expected_at, w.details as why_details
    from delivery.corrections x
    join delivery.channels c using (workspace_id, channel_id)
    cross join lateral delivery.why_correction(x, ${now}, make_interval(secs => ${sendingSeconds})) w
    where x.workspace_id = ${workspaceId}
      ${before ? sql`and x.correction_id < ${before}` : sql``}
      ${message_id ? sql`and x.message_id = ${message_id}` : sql``}
      ${delivery_id ? sql`and x.delivery_id = ${delivery_id}` : sql``}
      ${status ? sql`and x.status = any (${[...status]})` : sql``}
    order by x.correction_id desc limit ${limit + 1}`;
  return pageOf(rows.map(correctionFrom), limit, ({ id }) => [id]);
}

function correctionFrom({ why_reason, why_since, why_expected_at, why_details, ...row }: Row): Correction {
  return {
    ...row,
    why: { reason: why_reason, since: why_since, expected_at: why_expected_at, details: why_details },
  };
}
