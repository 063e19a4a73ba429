import type { Clock } from "../../kernel/clock/index.ts";
import { randomToken, sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Role } from "../auth/roles.ts";
import { loginShape, normalizeLogin } from "./operators.ts";
import { linkShape } from "./signin-links.ts";

export const invitationLifeMs = 7 * 24 * 60 * 60 * 1000;

/** A role in a workspace, or `administrator` of the whole installation, which has no workspace. */
export type InvitedRole = Role | "administrator";

export interface Invitation {
  readonly id: string;
  /** Null: to administer the installation. */
  readonly workspace_id: string | null;
  readonly login: string;
  readonly role: InvitedRole;
  /** The operator who invites; null: on the command line. */
  readonly invited_by: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export interface NewInvitation {
  readonly workspaceId: string | null;
  readonly login: string;
  readonly role: InvitedRole;
  readonly invitedBy: string | null;
  readonly clock: Clock;
}

export type Invited =
  | { readonly kind: "invited"; readonly invitation: Invitation; readonly token: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Makes the token of a one-time link. A former invitation of the same person to the same workspace stops working. */
export async function invite(
  sql: Sql | Transaction,
  { workspaceId, login, role, invitedBy, clock }: NewInvitation,
): Promise<Invited> {
  const normal = normalizeLogin(login);
  if (!loginShape.test(normal))
    return {
      kind: "refused",
      reason: "A login is a name or an e-mail address: letters, digits and . _ @ + -",
    };
  if (await hasRole(sql, { workspaceId, login: normal }))
    return { kind: "refused", reason: `${normal} has a role here already: change it instead.` };
  const token = randomToken();
  const now = clock.now();
  const [invitation] = await sql<Invitation[]>`
    insert into molva.invitations as i
      (workspace_id, login, role, token_sha256, invited_by, created_at, expires_at)
    values (${workspaceId}, ${normal}, ${role}, ${sha256Hex(token)}, ${invitedBy}, ${now},
            ${new Date(now.getTime() + invitationLifeMs)})
    on conflict (workspace_id, login) do update set
      id = molva.uuidv7(), role = excluded.role, token_sha256 = excluded.token_sha256,
      invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning ${columns(sql)}
  `;
  if (!invitation) throw new Error("the invitation was not stored");
  return { kind: "invited", invitation, token };
}

/** The token comes after `#`, so that it reaches neither logs nor proxies nor referrers. */
export function invitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, "")}/invitation#${token}`;
}

/** Invitations that can still be accepted, newest first; of one workspace, or of all if null. */
export async function listInvitations(
  sql: Sql,
  { workspaceId, clock }: { workspaceId: string | null; clock: Clock },
): Promise<Invitation[]> {
  return sql<Invitation[]>`
    select ${columns(sql)} from molva.invitations i
    where i.expires_at > ${clock.now()} and (${workspaceId}::uuid is null or i.workspace_id = ${workspaceId})
    order by i.created_at desc, i.id desc
  `;
}

/** Returns the revoked invitation; undefined if there is none in this workspace. Null stands for all workspaces. */
export async function revokeInvitation(
  sql: Sql | Transaction,
  { id, workspaceId }: { id: string; workspaceId: string | null },
): Promise<Invitation | undefined> {
  const [revoked] = await sql<Invitation[]>`
    delete from molva.invitations i
    where i.id = ${id} and (${workspaceId}::uuid is null or i.workspace_id = ${workspaceId})
    returning ${columns(sql)}
  `;
  return revoked;
}

interface ByToken {
  readonly token: string;
  readonly clock: Clock;
}

export async function findInvitation(sql: Sql, { token, clock }: ByToken): Promise<Invitation | undefined> {
  if (!linkShape.test(token)) return undefined;
  const [found] = await sql<Invitation[]>`
    select ${columns(sql)} from molva.invitations i where ${isOpen(sql, { token, clock })}
  `;
  return found;
}

/** Locks the invitation until the transaction ends: of several concurrent calls one goes on at a time, and finds it if it was not used. */
export async function holdInvitation(tx: Transaction, by: ByToken): Promise<Invitation | undefined> {
  const [held] = await tx<Invitation[]>`
    select ${columns(tx)} from molva.invitations i where ${isOpen(tx, by)} for update of i
  `;
  return held;
}

/** Consumes an invitation that the transaction holds. */
export async function takeInvitation(tx: Transaction, { id }: Invitation): Promise<void> {
  await tx`delete from molva.invitations where id = ${id}`;
}

/**
 * Whoever loses the right to invite loses their invitations as well (molva.set_member_role, molva.set_operator). The inviter is looked
 * at again because a request that was allowed before may store an invitation after that.
 */
function isOpen(sql: Sql | Transaction, { token, clock }: ByToken) {
  return sql`i.token_sha256 = ${sha256Hex(token)} and i.expires_at > ${clock.now()}
    and (i.invited_by is null or exists (
      select from molva.operators o
      where o.id = i.invited_by and not o.disabled
        and (o.administrator or exists (
          select from molva.memberships m
          where m.workspace_id = i.workspace_id and m.operator_id = o.id and m.role = 'admin'))))`;
}

async function hasRole(
  sql: Sql | Transaction,
  { workspaceId, login }: { workspaceId: string | null; login: string },
): Promise<boolean> {
  const known = await sql`
    select from molva.operators o
    where o.login = ${login}
      and case when ${workspaceId}::uuid is null then o.administrator
        else exists (
          select from molva.memberships m where m.workspace_id = ${workspaceId} and m.operator_id = o.id) end
  `;
  return known.length > 0;
}

function columns(sql: Sql | Transaction) {
  return sql`i.id, i.workspace_id, i.login, i.role, i.invited_by, i.created_at, i.expires_at`;
}
