import { z } from "zod";
import { actAs } from "../../../audit/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  bindCredential,
  type CredentialDeps,
  type CredentialKey,
  type CredentialValue,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
} from "../../../workspaces/index.ts";
import { inOneChange } from "../change.ts";
import type { Credential } from "./credential-shape.ts";

/** With the number of channels that were resumed with the new token. */
export type StoredCredential = Credential & { readonly resumed_channels: number };

/** The credentials of a workspace by platform and name. */
export async function credentialPage(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Credential>> {
  const from = placeAfter(after, z.tuple([z.string(), z.string()]));
  const rows = await sql<Credential[]>`
    select ${columns(sql, clock.now())} from workspaces.credential_bindings b
    where b.workspace_id = ${workspaceId}
      ${from ? sql`and (b.platform, b.auth_ref) > (${from[0]}, ${from[1]})` : sql``}
    order by b.platform, b.auth_ref
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ platform, auth_ref }) => [platform, auth_ref]);
}

/** Stores a credential. On request, resumes the channels that stopped because they refused posts. */
export async function setCredential(
  deps: CredentialDeps,
  workspaceId: string,
  key: CredentialKey,
  value: CredentialValue,
  by: By,
  { resume = false }: { readonly resume?: boolean | undefined } = {},
): Promise<StoredCredential> {
  const now = deps.clock.now();
  return inOneChange(deps.sql, async (tx) => {
    await bindCredential(tx, deps, workspaceId, key, value, by);
    const resumed = resume ? await resumeRefused(tx, workspaceId, key, by, now) : 0;
    const [row] = await tx<[Credential]>`
      select ${columns(tx, now)} from workspaces.credential_bindings b
      where b.workspace_id = ${workspaceId} and b.platform = ${key.platform} and b.auth_ref = ${key.auth_ref}`;
    return { ...row, resumed_channels: resumed };
  });
}

async function resumeRefused(
  tx: Transaction,
  workspaceId: string,
  { platform, auth_ref }: CredentialKey,
  by: By,
  now: Date,
): Promise<number> {
  await actAs(tx, by);
  const [row] = await tx<[{ resumed: number }]>`
    select coalesce(cardinality(delivery.resume_refused(
      ${workspaceId}, delivery.channels_of_credential(${workspaceId}, ${platform}, ${auth_ref}),
      ${by.operator}, ${by.reason ?? "its credential was replaced"}, ${now})), 0) as resumed`;
  return row.resumed;
}

function columns(sql: Sql | Transaction, now: Date) {
  return sql`b.platform, b.auth_ref, split_part(b.secret_ref, ':', 1) as kept_in, b.rotated_at, b.updated_at, (
      select count(*) from delivery.channels c
      left join delivery.channel_auth a using (workspace_id, channel_id)
      where c.workspace_id = b.workspace_id and c.platform = b.platform
        and coalesce(a.auth_ref, c.auth_ref) = b.auth_ref)::int as channels,
      coalesce(cardinality(delivery.stopped_by_refusals(b.workspace_id,
        delivery.channels_of_credential(b.workspace_id, b.platform, b.auth_ref), ${now})), 0) as stopped_channels`;
}
