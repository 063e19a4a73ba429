import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { forgetExpired } from "./forget-expired.ts";
import { normalizeLogin } from "./operators.ts";
import { hashPassword, isOutdated, verifyPassword } from "./password.ts";
import type { Busy, PasswordWork } from "./password-work.ts";
import type { Challenge } from "./second-factor/challenges.ts";
import { enter } from "./second-factor/enter.ts";
import type { StartedSession } from "./sessions.ts";
import { linkShape, redeemSignInLink } from "./signin-links.ts";
import { forgiveAttempt, type Subject, type Throttled, takeAttempt } from "./throttle.ts";

export type SignIn =
  | { readonly kind: "signed_in"; readonly operatorId: string; readonly session: StartedSession }
  /** The operator has a second factor and must show it. */
  | { readonly kind: "second_step"; readonly challenge: Challenge }
  | { readonly kind: "second_step_refused"; readonly reason: "challenge" | "code" }
  /** With the operator whose password was wrong, for the audit. */
  | { readonly kind: "refused"; readonly operatorId: string | null }
  | Throttled
  | Busy;

export interface Visitor {
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Waits in the queue first, so that a flood causes no queries either. */
export async function signInWithPassword(
  sql: Sql,
  given: { login: string; password: string },
  visitor: Visitor,
  { clock, passwordWork }: { clock: Clock; passwordWork: PasswordWork },
): Promise<SignIn> {
  return passwordWork(() => checkPassword(sql, given, visitor, { clock }));
}

async function checkPassword(
  sql: Sql,
  given: { login: string; password: string },
  visitor: Visitor,
  { clock }: { clock: Clock },
): Promise<SignIn> {
  const login = normalizeLogin(given.login);
  const subjects: Subject[] = [
    { kind: "address", value: visitor.address },
    { kind: "login", value: login },
  ];
  const permission = await takeAttempt(sql, subjects, { clock });
  if (permission.kind === "throttled") return permission;

  const [operator] = await sql<{ id: string; password_hash: string | null }[]>`
    select id, password_hash from molva.operators where login = ${login}
  `;
  const fits = await verifyPassword(given.password, operator?.password_hash ?? null);
  if (!operator || !fits) return { kind: "refused", operatorId: operator?.id ?? null };

  const { id: operatorId, password_hash: hash } = operator;
  const signIn = await sql.begin(async (tx): Promise<SignIn> => {
    // The check was slow: the password may have been changed meanwhile, and the sessions of before have been ended.
    const [still] = await tx`
      select from molva.operators where id = ${operatorId} and password_hash = ${hash} and not disabled for share
    `;
    if (!still) return { kind: "refused", operatorId };
    return enter(tx, visitor, { operatorId, method: "password", clock });
  });
  if (signIn.kind === "refused") return signIn;
  await forgiveAttempt(sql, subjects);
  if (hash && isOutdated(hash)) {
    const renewed = await hashPassword(given.password);
    await sql`
      update molva.operators set password_hash = ${renewed} where id = ${operatorId} and password_hash = ${hash}
    `;
  }
  await forgetExpired(sql, { clock });
  return signIn;
}

/**
 * Throttled by address only: a link cannot be guessed, and a person whose login is under attack must be able to use one.
 * A text that cannot be a link causes no query.
 */
export async function signInWithLink(
  sql: Sql,
  token: string,
  visitor: Visitor,
  { clock }: { clock: Clock },
): Promise<SignIn> {
  if (!linkShape.test(token)) return { kind: "refused", operatorId: null };
  const subjects: Subject[] = [{ kind: "link", value: visitor.address }];
  const permission = await takeAttempt(sql, subjects, { clock });
  if (permission.kind === "throttled") return permission;

  const signIn = await sql.begin(async (tx): Promise<SignIn> => {
    const operatorId = await redeemSignInLink(tx, { token, clock });
    if (!operatorId) return { kind: "refused", operatorId: null };
    return enter(tx, visitor, { operatorId, method: "link", clock });
  });
  if (signIn.kind === "refused") return signIn;
  await forgiveAttempt(sql, subjects);
  await forgetExpired(sql, { clock });
  return signIn;
}
