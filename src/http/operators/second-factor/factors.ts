/** The second factor of an operator: begun, confirmed, used, removed. Each change is one transaction with its audit entry. */
import { type AuditActor, noteAudit } from "../../../audit/index.ts";
import type { Clock } from "../../../kernel/clock/index.ts";
import { rowOf, type Vault } from "../../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import { normalizeLogin } from "../operators.ts";
import { redeemRecoveryCode, replaceRecoveryCodes } from "./recovery-codes.ts";
import { newSecret, stepOf } from "./totp.ts";

export interface FactorDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly vault: Vault;
}

/** Who changes the factor, and from where. */
export interface By {
  readonly operatorId: string;
  readonly address: string;
}

export interface FactorState {
  readonly enrolledAt: Date | null;
  readonly recoveryCodesLeft: number;
}

export async function readFactor({ sql }: FactorDeps, operatorId: string): Promise<FactorState> {
  const [row] = await sql<{ confirmed_at: Date; codes: number }[]>`
    select f.confirmed_at,
           (select count(*)::int from molva.recovery_codes c
            where c.operator_id = f.operator_id and c.used_at is null) as codes
    from molva.second_factors f
    where f.operator_id = ${operatorId} and f.confirmed_at is not null
  `;
  return { enrolledAt: row?.confirmed_at ?? null, recoveryCodesLeft: row?.codes ?? 0 };
}

/** Makes a secret to be confirmed by a code of it; undefined if a factor is already in use. */
export async function beginEnrolment(
  { sql, clock, vault }: FactorDeps,
  operatorId: string,
): Promise<string | undefined> {
  const secret = newSecret();
  const sealed = vault.encrypt(secret, placeOf(operatorId));
  const begun = await sql`
    insert into molva.second_factors as f (operator_id, secret, created_at)
    values (${operatorId}, ${sealed}, ${clock.now()})
    on conflict (operator_id) do update set secret = excluded.secret, created_at = excluded.created_at
      where f.confirmed_at is null
    returning operator_id
  `;
  return begun.length > 0 ? secret : undefined;
}

export type Confirmation =
  | { readonly kind: "confirmed"; readonly recoveryCodes: readonly string[] }
  | { readonly kind: "wrong_code" }
  | { readonly kind: "nothing_begun" };

/** From here on the factor is asked for. Other sessions end: they were opened without it. */
export async function confirmEnrolment(
  { sql, clock, vault }: FactorDeps,
  { operatorId, address }: By,
  { code, keepSession }: { code: string; keepSession: string },
): Promise<Confirmation> {
  const now = clock.now();
  return sql.begin(async (tx): Promise<Confirmation> => {
    const [begun] = await tx<{ secret: string }[]>`
      select secret from molva.second_factors where operator_id = ${operatorId} and confirmed_at is null for update
    `;
    if (!begun) return { kind: "nothing_begun" };
    const step = stepOf(vault.decrypt(begun.secret, placeOf(operatorId)), code, now);
    if (step === undefined) return { kind: "wrong_code" };
    await tx`
      update molva.second_factors set confirmed_at = ${now}, last_step = ${step} where operator_id = ${operatorId}
    `;
    await tx`delete from molva.sessions where operator_id = ${operatorId} and id <> ${keepSession}`;
    await note(tx, "second_factor.enrolled", { kind: "operator", id: operatorId }, operatorId, now, address);
    return { kind: "confirmed", recoveryCodes: await replaceRecoveryCodes(tx, operatorId) };
  });
}

export type Proof = { readonly code: string } | { readonly recovery_code: string };

/** Whether the code is right and was not used before; uses it up. */
export async function redeemProof(
  { sql, clock, vault }: FactorDeps,
  { operatorId, address }: By,
  proof: Proof,
): Promise<boolean> {
  const now = clock.now();
  if ("recovery_code" in proof) {
    const fits = await redeemRecoveryCode(sql, { operatorId, code: proof.recovery_code, now });
    if (fits)
      await note(sql, "recovery_code.used", { kind: "operator", id: operatorId }, operatorId, now, address);
    return fits;
  }
  const [factor] = await sql<{ secret: string }[]>`
    select secret from molva.second_factors where operator_id = ${operatorId} and confirmed_at is not null
  `;
  const step = factor && stepOf(vault.decrypt(factor.secret, placeOf(operatorId)), proof.code, now);
  if (step === undefined) return false;
  // Of several concurrent calls with one code exactly one succeeds, by the row lock.
  const used = await sql`
    update molva.second_factors set last_step = ${step}
    where operator_id = ${operatorId} and confirmed_at is not null and (last_step is null or last_step < ${step})
    returning operator_id
  `;
  return used.length > 0;
}

export async function removeFactor({ sql, clock }: FactorDeps, { operatorId, address }: By): Promise<void> {
  await sql.begin(async (tx) => {
    await forget(tx, operatorId);
    const by = { kind: "operator", id: operatorId } as const;
    await note(tx, "second_factor.removed", by, operatorId, clock.now(), address);
  });
}

export async function renewRecoveryCodes(
  { sql, clock }: FactorDeps,
  { operatorId, address }: By,
): Promise<string[]> {
  return sql.begin(async (tx) => {
    const by = { kind: "operator", id: operatorId } as const;
    await note(tx, "recovery_codes.renewed", by, operatorId, clock.now(), address);
    return replaceRecoveryCodes(tx, operatorId);
  });
}

export type FactorReset = "reset" | "had_none" | "unknown_operator";

/** For an administrator at the command line, when phone and recovery codes are lost. All sessions of the operator end. */
export async function resetSecondFactor(
  sql: Sql,
  login: string,
  { clock, actor = { kind: "command", id: null } }: { clock: Clock; actor?: AuditActor },
): Promise<FactorReset> {
  return sql.begin(async (tx): Promise<FactorReset> => {
    const [operator] = await tx<{ id: string }[]>`
      select id from molva.operators where login = ${normalizeLogin(login)}
    `;
    if (!operator) return "unknown_operator";
    if (!(await forget(tx, operator.id))) return "had_none";
    await tx`delete from molva.sessions where operator_id = ${operator.id}`;
    await note(tx, "second_factor.reset", actor, operator.id, clock.now());
    return "reset";
  });
}

/** With its recovery codes, and with the sign-ins that wait for it. */
async function forget(tx: Transaction, operatorId: string): Promise<boolean> {
  await tx`delete from molva.signin_challenges where operator_id = ${operatorId}`;
  const gone =
    await tx`delete from molva.second_factors where operator_id = ${operatorId} returning operator_id`;
  return gone.length > 0;
}

function note(
  sql: Sql | Transaction,
  action: string,
  actor: AuditActor,
  operatorId: string,
  now: Date,
  address?: string,
): Promise<void> {
  const subject = { kind: "operator", id: operatorId };
  return noteAudit(sql, { workspaceId: null, actor, action, subject, result: "ok", address }, now);
}

export function placeOf(operatorId: string): string {
  return rowOf("molva.second_factors", operatorId);
}
