import type { Clock } from "../../../kernel/clock/index.ts";
import { randomToken, sha256Hex } from "../../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";

/** Enough to find the phone. */
export const challengeLifeMs = 5 * 60 * 1000;

export type FirstStep = "password" | "link" | "oidc";

/** The first step is made. It is no session: all it opens is the second step. */
export interface Challenge {
  readonly token: string;
  readonly expiresAt: Date;
}

export async function createChallenge(
  sql: Sql | Transaction,
  { operatorId, method, clock }: { operatorId: string; method: FirstStep; clock: Clock },
): Promise<Challenge> {
  const token = randomToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + challengeLifeMs);
  await sql`
    insert into molva.signin_challenges (token_sha256, operator_id, method, created_at, expires_at)
    values (${sha256Hex(token)}, ${operatorId}, ${method}, ${now}, ${expiresAt})
  `;
  return { token, expiresAt };
}

export interface OpenChallenge {
  readonly operatorId: string;
  readonly method: FirstStep;
}

export async function findChallenge(
  sql: Sql,
  { token, clock }: { token: string; clock: Clock },
): Promise<OpenChallenge | undefined> {
  const [found] = await sql<{ operator_id: string; method: FirstStep }[]>`
    select c.operator_id, c.method
    from molva.signin_challenges c
    join molva.operators o on o.id = c.operator_id and not o.disabled
    where c.token_sha256 = ${sha256Hex(token)} and c.expires_at > ${clock.now()}
  `;
  return found && { operatorId: found.operator_id, method: found.method };
}

/** False if somebody else has ended it meanwhile: a challenge opens one session. */
export async function endChallenge(sql: Transaction, token: string): Promise<boolean> {
  const ended = await sql`
    delete from molva.signin_challenges where token_sha256 = ${sha256Hex(token)} returning operator_id
  `;
  return ended.length > 0;
}
