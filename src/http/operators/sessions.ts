import type { Clock } from "../../kernel/clock/index.ts";
import { randomToken, sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Role } from "../auth/roles.ts";

const day = 24 * 60 * 60 * 1000;

/** A session ends 30 days after its last use, and 90 days after signing in whatever its use; use is recorded at most once a minute. */
export const sessionLife = {
  slidingMs: 30 * day,
  absoluteMs: 90 * day,
  noteEveryMs: 60_000,
  userAgentLength: 200,
} as const;

/**
 * For how long after signing in an operator without a password may make one, or a second factor: their cookie alone must not be enough,
 * and there is no password to ask for.
 */
export const freshSignInMs = 10 * 60_000;

export function isFreshSignIn(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() < freshSignInMs;
}

export interface StartedSession {
  readonly id: string;
  /** The cookie's value; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface LiveSession {
  readonly id: string;
  readonly signedInAt: Date;
  readonly expiresAt: Date;
  /** The session was just extended, so the cookie must be extended too. */
  readonly extended: boolean;
  readonly operator: SignedInOperator;
}

export interface SignedInOperator {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** Of the whole installation. */
  readonly administrator: boolean;
  /** The role in each workspace, by its id. */
  readonly roles: Readonly<Record<string, Role>>;
}

export interface NewSession {
  readonly operatorId: string;
  /** The network address and the browser of whoever signs in. */
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly clock: Clock;
}

export async function startSession(
  sql: Sql | Transaction,
  { operatorId, address, userAgent, clock }: NewSession,
): Promise<StartedSession> {
  const token = randomToken();
  const now = clock.now();
  const expiresAt = expiryFrom(now, now);
  const [session] = await sql<{ id: string }[]>`
    insert into molva.sessions (operator_id, token_sha256, created_at, last_seen_at, expires_at, address, user_agent)
    values (${operatorId}, ${sha256Hex(token)}, ${now}, ${now}, ${expiresAt}, ${address}, ${snippet(userAgent)})
    returning id
  `;
  if (!session) throw new Error("the session was not stored");
  return { id: session.id, token, expiresAt };
}

export async function findSession(
  sql: Sql,
  { token, clock }: { token: string; clock: Clock },
): Promise<LiveSession | undefined> {
  const now = clock.now();
  const row = await liveSession(sql, sql`s.token_sha256 = ${sha256Hex(token)}`, now);
  if (!row) return undefined;
  const { operator, created_at: signedInAt } = row;
  if (now.getTime() - row.last_seen_at.getTime() < sessionLife.noteEveryMs) {
    return { id: row.id, signedInAt, expiresAt: row.expires_at, extended: false, operator };
  }
  const expiresAt = expiryFrom(signedInAt, now);
  await sql`update molva.sessions set last_seen_at = ${now}, expires_at = ${expiresAt} where id = ${row.id}`;
  return { id: row.id, signedInAt, expiresAt, extended: true, operator };
}

/** Whose session it is, if it still works; looking does not extend it. */
export async function operatorOfSession(
  sql: Sql,
  { id, clock }: { id: string; clock: Clock },
): Promise<SignedInOperator | undefined> {
  return (await liveSession(sql, sql`s.id = ${id}`, clock.now()))?.operator;
}

interface StoredSession {
  readonly id: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
  readonly operator: SignedInOperator;
}

async function liveSession(sql: Sql, which: ReturnType<Sql>, now: Date): Promise<StoredSession | undefined> {
  const [row] = await sql<StoredSession[]>`
    select s.id, s.created_at, s.last_seen_at, s.expires_at,
           jsonb_build_object(
             'id', o.id, 'login', o.login, 'name', o.name, 'hasPassword', o.password_hash is not null,
             'hasSecondFactor', f.confirmed_at is not null, 'administrator', o.administrator,
             'roles', (select coalesce(jsonb_object_agg(m.workspace_id, m.role), '{}')
                       from molva.memberships m where m.operator_id = o.id)) as operator
    from molva.sessions s
    join molva.operators o on o.id = s.operator_id and not o.disabled
    left join molva.second_factors f on f.operator_id = o.id
    where ${which} and s.expires_at > ${now}
  `;
  // Sessions from before there was an absolute limit may have a later expiry.
  return row && now < endOf(row.created_at) ? row : undefined;
}

export interface SessionRow {
  readonly id: string;
  readonly operator_id: string;
  readonly login: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** Sessions that still work, the last used first; of one operator if given. */
export async function listSessions(
  sql: Sql,
  { operatorId, clock }: { operatorId: string | null; clock: Clock },
): Promise<SessionRow[]> {
  const now = clock.now();
  return sql<SessionRow[]>`
    select s.id, s.operator_id, o.login, s.created_at, s.last_seen_at, s.expires_at, s.address, s.user_agent
    from molva.sessions s
    join molva.operators o on o.id = s.operator_id
    where s.expires_at > ${now} and s.created_at > ${new Date(now.getTime() - sessionLife.absoluteMs)}
      and (${operatorId}::uuid is null or s.operator_id = ${operatorId})
    order by s.last_seen_at desc, s.id
  `;
}

/** Ends a session and returns its operator; undefined if there is none, or if it is another operator's. */
export async function endSession(
  sql: Sql | Transaction,
  { id, operatorId }: { id: string; operatorId: string | null },
): Promise<string | undefined> {
  const [ended] = await sql<{ operator_id: string }[]>`
    delete from molva.sessions
    where id = ${id} and (${operatorId}::uuid is null or operator_id = ${operatorId})
    returning operator_id
  `;
  return ended?.operator_id;
}

function expiryFrom(createdAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + sessionLife.slidingMs, endOf(createdAt).getTime()));
}

function endOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + sessionLife.absoluteMs);
}

function snippet(userAgent: string | undefined): string | null {
  return userAgent?.replaceAll(/\p{Cc}/gu, "").slice(0, sessionLife.userAgentLength) ?? null;
}
