import type { Vault } from "../../kernel/crypto/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";

/** A secret as an operator gives it: itself, to be encrypted and kept, or the variable that holds it. */
export interface GivenSecret {
  readonly secret?: string | undefined;
  readonly secret_variable?: string | undefined;
}

/** For schemas that take either. */
export const oneSecret = {
  check: ({ secret, secret_variable }: GivenSecret) => secret === undefined || secret_variable === undefined,
  error: "Give one of secret and secret_variable",
};

/** Keeps the secret and answers how rows refer to it; null when none was given. */
export async function keepSecret(
  tx: Transaction,
  vault: Vault,
  workspaceId: string,
  { secret, secret_variable }: GivenSecret,
  now: Date,
): Promise<string | null> {
  if (secret_variable) return `env:${secret_variable}`;
  if (!secret) return null;
  const [kept] = await tx<[{ secret_ref: string }]>`
    select delivery.keep_secret(${workspaceId}, ${vault.encrypt(secret)}, ${now}) as secret_ref`;
  return kept.secret_ref;
}

/** Forgets one that nothing refers to any more. A variable is not ours to forget. */
export async function forgetSecret(tx: Transaction, workspaceId: string, secretRef: string | null) {
  await tx`select delivery.forget_secret(${workspaceId}, ${secretRef})`;
}
