import { noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { scopesUnder } from "../auth/reach.ts";
import type { Role } from "../auth/roles.ts";
import type { Scope } from "../auth/scopes.ts";
import { type Reach, reachShape } from "../networks.ts";
import { newApiToken } from "./new-api-token.ts";

/** `last_used_at` and `refused_at` are written at most this often, so that most requests cost no write. */
const noteEveryMs = 60_000;

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: Scope[];
  /** null means every workspace. */
  readonly workspace_id: string | null;
  /** The operator who made it; null: on the command line. */
  readonly created_by: string | null;
  /** The token that it was made with, or its operator, by their present names. */
  readonly made_by: { readonly kind: "operator" | "token"; readonly name: string } | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  /** null means never. */
  readonly expires_at: Date | null;
  /** Empty means everywhere. */
  readonly networks: string[];
}

export interface NewApiToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly workspaceId: string | null;
  /** Null if it was created on the command line. */
  readonly createdBy: string | null;
  /** The token that it was made with, and is revoked with. */
  readonly madeByToken?: string | null;
  readonly expiresAt: Date | null;
  readonly networks?: readonly string[];
  readonly clock: Clock;
}

/** The token itself is returned once and not stored. */
export async function createApiToken(
  sql: Sql | Transaction,
  { name, scopes, workspaceId, createdBy, madeByToken, expiresAt, networks = [], clock }: NewApiToken,
): Promise<ApiToken & { readonly token: string }> {
  const token = newApiToken();
  const [made] = await sql<ApiToken[]>`
    insert into molva.api_tokens as t
      (name, token_sha256, scopes, workspace_id, created_by, made_by_token, created_at, expires_at, networks)
    values (${name}, ${sha256Hex(token)}, ${[...new Set(scopes)]}, ${workspaceId}, ${createdBy}, ${madeByToken ?? null},
            ${clock.now()}, ${expiresAt}, ${[...networks]})
    returning ${columns(sql)}
  `;
  if (!made) throw new Error("the token was not stored");
  return { ...made, token };
}

/** Tokens that are not revoked, newest first; of some workspaces if given. */
export async function listApiTokens(
  sql: Sql,
  { workspaces }: { workspaces: readonly string[] | null },
): Promise<ApiToken[]> {
  return sql<ApiToken[]>`
    select ${columns(sql)} from molva.api_tokens t
    where ${notRevoked(sql)} ${inWorkspaces(sql, workspaces)}
    order by t.created_at desc, t.id desc
  `;
}

/** Undefined if the token does not exist, is revoked, or belongs to another workspace. */
export async function readApiToken(
  sql: Sql,
  { id, workspaces }: { id: string; workspaces: readonly string[] | null },
): Promise<ApiToken | undefined> {
  const [row] = await sql<ApiToken[]>`
    select ${columns(sql)} from molva.api_tokens t
    where t.id = ${id} and ${notRevoked(sql)} ${inWorkspaces(sql, workspaces)}
  `;
  return row;
}

export async function setTokenNetworks(
  sql: Sql | Transaction,
  id: string,
  networks: readonly string[],
): Promise<void> {
  await sql`update molva.api_tokens set networks = ${[...networks]} where id = ${id}`;
}

/** Revokes a token and those made with it. Returns how many; 0 if it is unknown or already revoked. */
export async function revokeApiToken(
  sql: Sql | Transaction,
  { id, clock }: { id: string; clock: Clock },
): Promise<number> {
  const revoked = await sql`
    with recursive family as (
      select t.id from molva.api_tokens t where t.id = ${id} and t.revoked_at is null
      union all
      select t.id from molva.api_tokens t join family f on t.made_by_token = f.id
    )
    update molva.api_tokens set revoked_at = ${clock.now()}
    where id in (select id from family) and revoked_at is null
    returning id
  `;
  return revoked.length;
}

export interface LiveApiToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly workspaceId: string | null;
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
  readonly networks: readonly string[];
  readonly reach: Reach;
  readonly lastUsedAt: Date | null;
}

/** Finds a token that still works. Its scopes are those that its maker has too, so that nobody keeps rights through a token. */
export async function findApiToken(
  sql: Sql,
  { token, clock }: { token: string; clock: Clock },
): Promise<LiveApiToken | undefined> {
  return liveToken(sql, sql`t.token_sha256 = ${sha256Hex(token)}`, clock.now());
}

/** The same for a token that was already shown. */
export async function findApiTokenById(
  sql: Sql,
  { id, clock }: { id: string; clock: Clock },
): Promise<LiveApiToken | undefined> {
  return liveToken(sql, sql`t.id = ${id}`, clock.now());
}

async function liveToken(sql: Sql, which: ReturnType<Sql>, now: Date): Promise<LiveApiToken | undefined> {
  const [row] = await sql<
    (ApiToken & { administrator: boolean | null; role: Role | null; reach: unknown })[]
  >`
    select ${columns(sql)}, o.administrator, m.role, molva.token_reach(t.id, ${now}) as reach
    from molva.api_tokens t
    left join molva.operators o on o.id = t.created_by
    left join molva.memberships m on m.operator_id = t.created_by and m.workspace_id = t.workspace_id
    where ${which} and o.disabled is not true
  `;
  const reach = reachShape.parse(row?.reach ?? null);
  if (!row || !reach) return undefined;
  const maker =
    row.created_by === null ? null : { administrator: row.administrator === true, role: row.role };
  const scopes = scopesUnder(row.scopes, maker);
  if (scopes.length === 0) return undefined;
  return {
    id: row.id,
    name: row.name,
    scopes,
    workspaceId: row.workspace_id,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    networks: row.networks,
    reach,
    lastUsedAt: row.last_used_at,
  };
}

export async function noteTokenUse(
  sql: Sql,
  { id, lastUsedAt }: Pick<LiveApiToken, "id" | "lastUsedAt">,
  { clock }: { clock: Clock },
): Promise<void> {
  const now = clock.now();
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < noteEveryMs) return;
  await sql`update molva.api_tokens set last_used_at = ${now} where id = ${id}`;
}

/** Recorded once a minute for each token: whoever has a stolen one must not be able to fill the audit with it. */
export async function noteRefusedNetwork(
  sql: Sql,
  { id, workspaceId }: Pick<LiveApiToken, "id" | "workspaceId">,
  { address, clock }: { address: string; clock: Clock },
): Promise<void> {
  const now = clock.now();
  const noted = await sql`
    update molva.api_tokens set refused_at = ${now}
    where id = ${id} and (refused_at is null or refused_at <= ${new Date(now.getTime() - noteEveryMs)})
    returning id
  `;
  if (noted.length === 0) return;
  const actor = { kind: "token", id } as const;
  const action = "token.network_refused";
  await noteAudit(sql, { workspaceId, actor, action, subject: actor, result: "refused", address }, now);
}

function inWorkspaces(sql: Sql, workspaces: readonly string[] | null) {
  return workspaces === null ? sql`` : sql`and t.workspace_id = any (${[...workspaces]}::uuid[])`;
}

/**
 * Neither the token nor any that it was made with is revoked. A token that was being made while its maker was revoked was not yet
 * there to be revoked with it.
 */
function notRevoked(sql: Sql) {
  return sql`not exists (
    with recursive makers as (
      select t.made_by_token, t.revoked_at
      union all
      select a.made_by_token, a.revoked_at from molva.api_tokens a join makers m on a.id = m.made_by_token
    )
    select from makers where revoked_at is not null
  )`;
}

function columns(sql: Sql | Transaction) {
  return sql`t.id, t.name, t.scopes, t.workspace_id, t.created_by, t.created_at, t.last_used_at, t.expires_at, t.networks,
    coalesce(
      (select jsonb_build_object('kind', 'token', 'name', a.name) from molva.api_tokens a where a.id = t.made_by_token),
      (select jsonb_build_object('kind', 'operator', 'name', o.name) from molva.operators o where o.id = t.created_by)
    ) as made_by`;
}
