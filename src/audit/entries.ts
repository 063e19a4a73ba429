import { z } from "zod";
import type { Sql } from "../kernel/db/index.ts";
import { installationChain } from "./chains.ts";

export const auditRowSchema = z.object({
  workspace_id: z.uuid().nullable().describe("null: the installation itself"),
  seq: z.int().describe("Its place in the chain of its workspace, without gaps"),
  at: z.date(),
  actor: z.object({
    kind: z.enum(["operator", "token", "command", "system", "anonymous"]),
    id: z.string().nullable(),
  }),
  action: z.string(),
  subject: z.object({ kind: z.string(), id: z.string() }).nullable(),
  result: z.enum(["ok", "refused"]),
  address: z.string().nullable().describe("The caller's network address"),
  meta: z.record(z.string(), z.unknown()),
  prev_hash: z.string(),
  hash: z.string().describe("SHA-256 of the entry with the hash of the one before it"),
});
export type AuditRow = z.infer<typeof auditRowSchema>;

export interface AuditFilter {
  /** One chain; all unless given. */
  readonly chainId?: string | undefined;
  readonly action?: string | undefined;
  /** The id of an operator or a token, or a kind of actor. */
  readonly actor?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Time in full precision, chain and place: lists are ordered by these, newest first. */
export const placeInAudit = z.tuple([z.iso.datetime(), z.uuid(), z.int()]);
export type PlaceInAudit = z.infer<typeof placeInAudit>;

/** Entries after a place, newest first, by the index on the chain and time, or on time. */
export function auditRows(
  sql: Sql,
  { chainId, action, actor, since, until }: AuditFilter,
  { limit, after }: { readonly limit: number; readonly after?: PlaceInAudit | undefined },
): Promise<(AuditRow & { place: PlaceInAudit })[]> {
  return sql<(AuditRow & { place: PlaceInAudit })[]>`
    select nullif(chain_id, ${installationChain}) as workspace_id, seq, at,
      jsonb_build_object('kind', actor_kind, 'id', actor_id) as actor, action,
      case when subject_kind is not null then jsonb_build_object('kind', subject_kind, 'id', subject_id) end as subject,
      result, address, meta, prev_hash, hash,
      jsonb_build_array(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), chain_id, seq) as place
    from audit.entries
    where true
      ${chainId === undefined ? sql`` : sql`and chain_id = ${chainId}`}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${actor === undefined ? sql`` : sql`and (actor_id = ${actor} or actor_kind = ${actor})`}
      ${since === undefined ? sql`` : sql`and at >= ${since}`}
      ${until === undefined ? sql`` : sql`and at < ${until}`}
      ${after === undefined ? sql`` : sql`and (at, chain_id, seq) < (${after[0]}::timestamptz, ${after[1]}::uuid, ${after[2]}::bigint)`}
    order by at desc, chain_id desc, seq desc
    limit ${limit}`;
}
