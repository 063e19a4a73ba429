import { problem } from "../../../http/index.ts";
import type { Vault } from "../../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import { inOneChange, type Rehearsal, wakeDispatcher } from "../change.ts";
import type { AdminDeps, By } from "../deps.ts";
import { channelsInTheWay } from "../in-the-way.ts";
import { type Page, type PageQuery, pageLimit, pageOf } from "../paging.ts";
import { storeSecret } from "../secrets.ts";
import type { Credential } from "./shape.ts";

/** A credential is known by its platform and the name that channels use for it. */
export interface CredentialKey {
  readonly platform: string;
  readonly auth_ref: string;
}

/** A token to encrypt and keep, or the name of a variable that every server process has. */
export type CredentialValue = { readonly token: string } | { readonly environment: string };

/** How many channels went on with the new token. */
export type StoredCredential = Credential & { readonly resumed_channels: number };

export interface CredentialDeps extends AdminDeps {
  readonly vault: Vault;
}

/** The credentials of a workspace by platform and name; `after` is `platform/auth_ref`. */
export async function credentialPage(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Credential>> {
  const slash = after?.indexOf("/") ?? -1;
  const rows = await sql<Credential[]>`
    select ${columns(sql, clock.now())} from delivery.credential_bindings b
    where b.workspace_id = ${workspaceId}
      ${after ? sql`and (b.platform, b.auth_ref) > (${after.slice(0, slash)}, ${after.slice(slash + 1)})` : sql``}
    order by b.platform, b.auth_ref
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ platform, auth_ref }) => `${platform}/${auth_ref}`);
}

/**
 * Channels that use the name send with the new token within seconds. Those that stand still because they refused posts go on
 * when asked for.
 */
export async function setCredential(
  { sql, clock, vault }: CredentialDeps,
  workspaceId: string,
  { platform, auth_ref }: CredentialKey,
  value: CredentialValue,
  by: By,
  { resume = false }: { readonly resume?: boolean | undefined } = {},
): Promise<StoredCredential> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const secretRef =
      "environment" in value
        ? `env:${value.environment}`
        : await storeSecret(tx, vault, workspaceId, value.token, now);
    await tx`
      select delivery.bind_credential(${workspaceId}, ${auth_ref}, ${platform}, ${secretRef}, ${by.operator},
        ${by.reason ?? null}, ${now})`;
    const resumed = resume ? await resumeRefused(tx, workspaceId, { platform, auth_ref }, by, now) : 0;
    await wakeDispatcher(tx, workspaceId);
    const [row] = await tx<[Credential]>`
      select ${columns(tx, now)} from delivery.credential_bindings b
      where b.workspace_id = ${workspaceId} and b.platform = ${platform} and b.auth_ref = ${auth_ref}`;
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
  const [row] = await tx<[{ resumed: number }]>`
    select coalesce(cardinality(delivery.resume_refused(
      ${workspaceId}, delivery.channels_of_credential(${workspaceId}, ${platform}, ${auth_ref}),
      ${by.operator}, ${by.reason ?? "its credential was replaced"}, ${now})), 0) as resumed`;
  return row.resumed;
}

export async function deleteCredential(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { platform, auth_ref }: CredentialKey,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    const [{ outcome }] = await tx<[{ outcome: "deleted" | "not_found" | "in_use" }]>`
      select delivery.delete_credential(${workspaceId}, ${auth_ref}, ${platform}, ${by.operator},
        ${by.reason ?? null}, ${clock.now()}) as outcome`;
    if (outcome === "not_found")
      throw problem("not_found", { detail: `There is no ${platform} credential ${auth_ref}.` });
    if (outcome === "in_use") {
      const channels = await channelsInTheWay(tx, workspaceId, { platform, auth_ref });
      throw problem("conflict", {
        detail: `The credential is still used by ${channels}: rotate to another first.`,
      });
    }
  };
  await inOneChange(sql, work, rehearsal);
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
