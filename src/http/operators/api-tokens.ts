import type { Clock } from "../../kernel/clock/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Scope } from "../auth/scopes.ts";
import { newApiToken } from "./new-api-token.ts";

/** `last_used_at` is written at most this often, so that most requests cost no write. */
const noteEveryMs = 60_000;

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: Scope[];
  /** null means every workspace. */
  readonly workspace_id: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
}

export interface NewApiToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly workspaceId: string | null;
  /** Null if it was created on the command line. */
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
  readonly clock: Clock;
}

/** The token itself is returned once and not stored. */
export async function createApiToken(
  sql: Sql,
  { name, scopes, workspaceId, createdBy, expiresAt, clock }: NewApiToken,
): Promise<ApiToken & { readonly token: string }> {
  const token = newApiToken();
  const [made] = await sql<ApiToken[]>`
    insert into molva.api_tokens (name, token_sha256, scopes, workspace_id, created_by, created_at, expires_at)
    values (${name}, ${sha256Hex(token)}, ${[...new Set(scopes)]}, ${workspaceId}, ${createdBy}, ${clock.now()},
            ${expiresAt})
    returning id, name, scopes, workspace_id, created_at, last_used_at, expires_at
  `;
  if (!made) throw new Error("the token was not stored");
  return { ...made, token };
}

/** Tokens that are not revoked, newest first; of one workspace if given. */
export async function listApiTokens(
  sql: Sql,
  { workspaceId }: { workspaceId: string | null },
): Promise<ApiToken[]> {
  return sql<ApiToken[]>`
    select id, name, scopes, workspace_id, created_at, last_used_at, expires_at
    from molva.api_tokens
    where revoked_at is null and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})
    order by created_at desc, id desc
  `;
}

/** Returns false if the token does not exist, is already revoked, or belongs to another workspace. */
export async function revokeApiToken(
  sql: Sql,
  { id, workspaceId, clock }: { id: string; workspaceId: string | null; clock: Clock },
): Promise<boolean> {
  const revoked = await sql`
    update molva.api_tokens set revoked_at = ${clock.now()}
    where id = ${id} and revoked_at is null and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})
    returning id
  `;
  return revoked.length > 0;
}

export interface LiveApiToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: Scope[];
  readonly workspaceId: string | null;
  readonly createdBy: string | null;
}

export async function findApiToken(
  sql: Sql,
  { token, clock }: { token: string; clock: Clock },
): Promise<LiveApiToken | undefined> {
  const now = clock.now();
  const [row] = await sql<
    {
      id: string;
      name: string;
      scopes: Scope[];
      workspace_id: string | null;
      created_by: string | null;
      last_used_at: Date | null;
    }[]
  >`
    select t.id, t.name, t.scopes, t.workspace_id, t.created_by, t.last_used_at
    from molva.api_tokens t
    left join molva.operators o on o.id = t.created_by
    where t.token_sha256 = ${sha256Hex(token)} and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > ${now})
      and o.disabled is not true
  `;
  if (!row) return undefined;
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() >= noteEveryMs) {
    await sql`update molva.api_tokens set last_used_at = ${now} where id = ${row.id}`;
  }
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    workspaceId: row.workspace_id,
    createdBy: row.created_by,
  };
}
