import { randomBytes } from "node:crypto";
import { Secret } from "otpauth";
import { sha256Hex } from "../../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";

export const recoveryCodeCount = 10;
/** 80 bits: nobody finds them from their hashes. */
const codeBytes = 10;

/** Replaces all codes of an operator; the codes themselves are returned once and not stored. */
export async function replaceRecoveryCodes(sql: Sql | Transaction, operatorId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await sql`delete from molva.recovery_codes where operator_id = ${operatorId}`;
  for (const code of codes)
    await sql`
      insert into molva.recovery_codes (operator_id, code_sha256) values (${operatorId}, ${hashOf(code)})
    `;
  return codes;
}

/** Uses a code up. Of several concurrent calls exactly one succeeds, by the row lock. */
export async function redeemRecoveryCode(
  sql: Sql,
  { operatorId, code, now }: { operatorId: string; code: string; now: Date },
): Promise<boolean> {
  const used = await sql`
    update molva.recovery_codes c set used_at = ${now}
    from molva.second_factors f
    where f.operator_id = c.operator_id and f.confirmed_at is not null
      and c.operator_id = ${operatorId} and c.code_sha256 = ${hashOf(code)} and c.used_at is null
    returning c.operator_id
  `;
  return used.length > 0;
}

/** `xxxx-xxxx-xxxx-xxxx`, in letters and digits that are not mistaken for each other on paper. */
function newCode(): string {
  const letters = new Secret({ buffer: new Uint8Array(randomBytes(codeBytes)).buffer }).base32.toLowerCase();
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/** People copy codes with other dashes, spaces and capitals. */
function hashOf(code: string): string {
  return sha256Hex(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ""));
}
