import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Role } from "../auth/roles.ts";
import { hashPassword } from "./password.ts";
import { weaknessOf } from "./password-rules.ts";

export interface Operator {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly has_password: boolean;
  readonly disabled: boolean;
  /** Of the whole installation. */
  readonly administrator: boolean;
  /** The role in each workspace, by its id. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly created_at: Date;
}

/** Letters, digits and the characters that e-mail addresses need; stored in lower case. */
export const loginShape = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u;

export function normalizeLogin(login: string): string {
  return login.trim().normalize("NFC").toLowerCase();
}

/** Creates the operator `admin` while nobody administers the installation, as at the first start. Safe to call again, and by two processes at once. */
export async function ensureAdmin(
  sql: Sql,
  { clock }: { clock: Clock },
): Promise<{ login: "admin"; created: boolean }> {
  const made = await sql`
    insert into molva.operators (login, name, administrator, created_at)
    select 'admin', 'Администратор', true, ${clock.now()}
    where not exists (select from molva.operators where administrator)
    on conflict (login) do nothing
    returning id
  `;
  return { login: "admin", created: made.length > 0 };
}

export async function listOperators(sql: Sql): Promise<Operator[]> {
  return sql<Operator[]>`select ${columns(sql)} from molva.operators o order by o.login`;
}

export async function findOperator(sql: Sql | Transaction, login: string): Promise<Operator | undefined> {
  const [row] = await sql<Operator[]>`
    select ${columns(sql)} from molva.operators o where o.login = ${normalizeLogin(login)}
  `;
  return row;
}

function columns(sql: Sql | Transaction) {
  return sql`o.id, o.login, o.name, o.password_hash is not null as has_password, o.disabled, o.administrator,
    (select coalesce(jsonb_object_agg(m.workspace_id, m.role), '{}')
     from molva.memberships m where m.operator_id = o.id) as roles, o.created_at`;
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
 * Sets a password and revokes unused links, sign-ins that wait for their second step, and all sessions but the one it was changed from.
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
    await endSignIns(tx, operator.id, { keepSession });
    return { kind: "set" };
  });
}

/**
 * Ends sessions, unused links and sign-ins that wait for their second step. Sessions come last: a link or a challenge that is being
 * used at this moment becomes a session before its row can be deleted.
 */
export async function endSignIns(
  tx: Transaction,
  operatorId: string,
  { keepSession }: { keepSession?: string | undefined } = {},
): Promise<void> {
  await tx`delete from molva.signin_links where operator_id = ${operatorId}`;
  await tx`delete from molva.signin_challenges where operator_id = ${operatorId}`;
  await tx`
    delete from molva.sessions where operator_id = ${operatorId} and id is distinct from ${keepSession ?? null}
  `;
}

export type SetOperatorResult = "changed" | "unchanged" | "unknown" | "last_administrator";

/**
 * Disables or enables an operator, or makes them an administrator of the installation or not. The last administrator stays one. A
 * disabled operator cannot sign in, is signed out everywhere, and their tokens stop working.
 */
export async function setOperator(
  sql: Sql | Transaction,
  id: string,
  { administrator = null, disabled = null }: { administrator?: boolean | null; disabled?: boolean | null },
): Promise<SetOperatorResult> {
  const [row] = await sql<[{ result: SetOperatorResult }]>`
    select molva.set_operator(${id}, ${administrator}, ${disabled}) as result
  `;
  return row.result;
}
