import { actAs } from "../../audit/index.ts";
import { problem } from "../../http/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { AdminDeps, By } from "../change/deps.ts";
import { inOneChange, type Rehearsal } from "../change/in-one-change.ts";
import { storeSecret } from "./secrets.ts";

/** A credential is identified by its platform and the name that channels and bots use for it. */
export interface CredentialKey {
  readonly platform: string;
  readonly auth_ref: string;
}

/** A token to encrypt and store, or the name of a variable that every server process has. */
export type CredentialValue = { readonly token: string } | { readonly environment: string };

export interface CredentialDeps extends AdminDeps {
  readonly vault: Vault;
}

/** Stores a credential under its name; replaces an existing one. */
export function keepCredential(
  deps: CredentialDeps,
  workspaceId: string,
  key: CredentialKey,
  value: CredentialValue,
  by: By,
): Promise<void> {
  return inOneChange(deps.sql, (tx) => bindCredential(tx, deps, workspaceId, key, value, by));
}

/** The same within a transaction. Senders use the new credential within seconds. */
export async function bindCredential(
  tx: Transaction,
  { clock, vault }: Pick<CredentialDeps, "clock" | "vault">,
  workspaceId: string,
  { platform, auth_ref }: CredentialKey,
  value: CredentialValue,
  by: By,
): Promise<void> {
  const now = clock.now();
  const secretRef =
    "environment" in value
      ? `env:${value.environment}`
      : await storeSecret(tx, vault, workspaceId, value.token, now);
  await actAs(tx, by);
  await tx`
    select workspaces.bind_credential(${workspaceId}, ${auth_ref}, ${platform}, ${secretRef}, ${by.operator},
      ${by.reason ?? null}, ${now})`;
}

/** Refused while a channel or a bot of any module uses it. */
export async function deleteCredential(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { platform, auth_ref }: CredentialKey,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    await actAs(tx, by);
    const [{ deleted }] = await tx<[{ deleted: boolean }]>`
      select workspaces.delete_credential(${workspaceId}, ${auth_ref}, ${platform}, ${by.operator},
        ${by.reason ?? null}, ${clock.now()}) as deleted`;
    if (!deleted) throw problem("not_found", { detail: `There is no ${platform} credential ${auth_ref}.` });
  };
  await inOneChange(sql, work, rehearsal);
}

/** The reference of a credential's secret, for `createCredentials`; undefined if the name is not bound. */
export async function credentialRef(
  sql: Sql | Transaction,
  workspaceId: string,
  { platform, auth_ref }: CredentialKey,
): Promise<string | undefined> {
  const [binding] = await sql<{ secret_ref: string }[]>`
    select secret_ref from workspaces.credential_bindings
    where workspace_id = ${workspaceId} and auth_ref = ${auth_ref} and platform = ${platform}`;
  return binding?.secret_ref;
}

/** The workspaces that have a credential of this name. */
export async function workspacesWithCredential(
  sql: Sql,
  { platform, auth_ref }: CredentialKey,
): Promise<string[]> {
  const rows = await sql<{ workspace_id: string }[]>`
    select workspace_id from workspaces.credential_bindings
    where auth_ref = ${auth_ref} and platform = ${platform}`;
  return rows.map(({ workspace_id }) => workspace_id);
}
