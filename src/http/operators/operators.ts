import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { hashPassword } from "./password.ts";
import { weaknessOf } from "./password-rules.ts";

export interface Operator {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly has_password: boolean;
  readonly disabled: boolean;
  readonly created_at: Date;
}

/** Letters, digits and the characters that e-mail addresses need; stored in lower case. */
export const loginShape = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u;

export function normalizeLogin(login: string): string {
  return login.trim().normalize("NFC").toLowerCase();
}

/** Creates the operator `admin` at the first start. Safe to call again, and by two processes at once. */
export async function ensureAdmin(
  sql: Sql,
  { clock }: { clock: Clock },
): Promise<{ login: "admin"; created: boolean }> {
  const made = await sql`
    insert into molva.operators (login, name, created_at)
    select 'admin', 'Администратор', ${clock.now()}
    where not exists (select from molva.operators)
    on conflict (login) do nothing
    returning id
  `;
  return { login: "admin", created: made.length > 0 };
}

export async function listOperators(sql: Sql): Promise<Operator[]> {
  return sql<Operator[]>`
    select id, login, name, password_hash is not null as has_password, disabled, created_at
    from molva.operators
    order by login
  `;
}

export type AddOperatorResult =
  | { readonly kind: "added"; readonly id: string; readonly login: string }
  | { readonly kind: "refused"; readonly reason: "invalid_login" | "login_taken" };

export async function addOperator(
  sql: Sql,
  { login, name, clock }: { login: string; name: string; clock: Clock },
): Promise<AddOperatorResult> {
  const normal = normalizeLogin(login);
  if (!loginShape.test(normal)) return { kind: "refused", reason: "invalid_login" };
  const [added] = await sql<{ id: string }[]>`
    insert into molva.operators (login, name, created_at)
    values (${normal}, ${name}, ${clock.now()})
    on conflict (login) do nothing
    returning id
  `;
  return added ? { kind: "added", id: added.id, login: normal } : { kind: "refused", reason: "login_taken" };
}

export type SetPasswordResult =
  | { readonly kind: "set" }
  | { readonly kind: "unknown_operator" }
  | { readonly kind: "weak"; readonly reason: string };

/**
 * Sets a password and revokes unused links and all sessions but the one it was changed from.
 */
export async function setPassword(
  sql: Sql,
  { login, password, keepSession }: { login: string; password: string; keepSession?: string },
): Promise<SetPasswordResult> {
  const normal = normalizeLogin(login);
  const weakness = weaknessOf(password, normal);
  if (weakness) return { kind: "weak", reason: weakness };
  const hash = await hashPassword(password);
  return sql.begin(async (tx): Promise<SetPasswordResult> => {
    const [operator] = await tx<{ id: string }[]>`
      update molva.operators set password_hash = ${hash} where login = ${normal} returning id
    `;
    if (!operator) return { kind: "unknown_operator" };
    await tx`
      delete from molva.sessions
      where operator_id = ${operator.id} and id is distinct from ${keepSession ?? null}
    `;
    await tx`delete from molva.signin_links where operator_id = ${operator.id}`;
    return { kind: "set" };
  });
}

/** A disabled operator cannot sign in, is signed out everywhere, and their tokens stop working. */
export async function setDisabled(
  sql: Sql,
  { login, disabled }: { login: string; disabled: boolean },
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const [operator] = await tx<{ id: string }[]>`
      update molva.operators set disabled = ${disabled} where login = ${normalizeLogin(login)} returning id
    `;
    if (!operator) return false;
    if (disabled) await tx`delete from molva.sessions where operator_id = ${operator.id}`;
    return true;
  });
}
