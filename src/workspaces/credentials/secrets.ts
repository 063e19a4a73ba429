import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { AdminDeps } from "../change/deps.ts";
import { placeOfSecret } from "./secret-place.ts";
import { requireBound, type Variables } from "./variables.ts";

/** Dependencies of changes to something that has a secret. */
export interface SecretDeps extends AdminDeps {
  readonly vault: Vault;
  readonly variables: Variables;
}

/** A secret from an operator: the secret itself, which is encrypted and stored, or the variable that holds it. */
export interface GivenSecret {
  readonly secret?: string | undefined;
  readonly secret_variable?: string | undefined;
}

/** For schemas that take either. */
export const oneSecret = {
  check: ({ secret, secret_variable }: GivenSecret) => secret === undefined || secret_variable === undefined,
  error: "Give one of secret and secret_variable",
};

/** Stores the secret and returns its reference; null if none was given. */
export async function keepSecret(
  tx: Transaction,
  { vault, variables }: SecretDeps,
  workspaceId: string,
  { secret, secret_variable }: GivenSecret,
  now: Date,
): Promise<string | null> {
  if (secret_variable) {
    requireBound(variables, workspaceId, secret_variable);
    return `env:${secret_variable}`;
  }
  return secret ? storeSecret(tx, vault, workspaceId, secret, now) : null;
}

/** Encrypts a secret into a row of its own and returns its reference. */
export async function storeSecret(
  tx: Transaction | Sql,
  vault: Vault,
  workspaceId: string,
  secret: string,
  now: Date,
): Promise<string> {
  const id = uuidv7({ now: () => now });
  const ciphertext = vault.encrypt(secret, placeOfSecret(workspaceId, id));
  const [kept] = await tx<[{ secret_ref: string }]>`
    select workspaces.keep_secret(${workspaceId}, ${id}, ${ciphertext}, ${now}) as secret_ref`;
  return kept.secret_ref;
}

/** Deletes a secret that nothing refers to any more. A variable stays. */
export async function forgetSecret(tx: Transaction, workspaceId: string, secretRef: string | null) {
  await tx`select workspaces.forget_secret(${workspaceId}, ${secretRef})`;
}
