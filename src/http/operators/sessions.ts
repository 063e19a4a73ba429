import type { Clock } from "../../kernel/clock/index.ts";
import { randomToken, sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

const day = 24 * 60 * 60 * 1000;

/** A session ends 30 days after its last use; use is recorded at most once a minute. */
export const sessionLife = { slidingMs: 30 * day, noteEveryMs: 60_000, userAgentLength: 200 } as const;

export interface StartedSession {
  readonly id: string;
  /** The cookie's value; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface LiveSession {
  readonly id: string;
  readonly expiresAt: Date;
  /** The session was just extended, so the cookie must be extended too. */
  readonly extended: boolean;
  readonly operator: { id: string; login: string; name: string; hasPassword: boolean };
}

export async function startSession(
  sql: Sql | Transaction,
  { operatorId, userAgent, clock }: { operatorId: string; userAgent: string | undefined; clock: Clock },
): Promise<StartedSession> {
  const token = randomToken();
  const now = clock.now();
  const expiresAt = expiryFrom(now);
  const [session] = await sql<{ id: string }[]>`
    insert into molva.sessions (operator_id, token_sha256, created_at, last_seen_at, expires_at, user_agent)
    values (${operatorId}, ${sha256Hex(token)}, ${now}, ${now}, ${expiresAt}, ${snippet(userAgent)})
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
  const [row] = await sql<
    {
      id: string;
      last_seen_at: Date;
      expires_at: Date;
      operator_id: string;
      login: string;
      name: string;
      has_password: boolean;
    }[]
  >`
    select s.id, s.last_seen_at, s.expires_at,
           o.id as operator_id, o.login, o.name, o.password_hash is not null as has_password
    from molva.sessions s
    join molva.operators o on o.id = s.operator_id and not o.disabled
    where s.token_sha256 = ${sha256Hex(token)} and s.expires_at > ${now}
  `;
  if (!row) return undefined;
  const operator = { id: row.operator_id, login: row.login, name: row.name, hasPassword: row.has_password };
  if (now.getTime() - row.last_seen_at.getTime() < sessionLife.noteEveryMs) {
    return { id: row.id, expiresAt: row.expires_at, extended: false, operator };
  }
  const expiresAt = expiryFrom(now);
  await sql`update molva.sessions set last_seen_at = ${now}, expires_at = ${expiresAt} where id = ${row.id}`;
  return { id: row.id, expiresAt, extended: true, operator };
}

export async function endSession(sql: Sql, id: string): Promise<void> {
  await sql`delete from molva.sessions where id = ${id}`;
}

function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + sessionLife.slidingMs);
}

function snippet(userAgent: string | undefined): string | null {
  return userAgent?.replaceAll(/\p{Cc}/gu, "").slice(0, sessionLife.userAgentLength) ?? null;
}
