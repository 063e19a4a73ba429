import type { Clock } from "../../kernel/clock/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { Credential as PlatformCredential, Platforms } from "../../platforms/index.ts";
import { type AccountDeps, type CredentialRead, createAccounts } from "./accounts.ts";
import { placeOfSecret } from "./secret-place.ts";
import type { Variables } from "./variables.ts";

/** Reads the secret behind a binding's `secret_ref`. */
export interface Credentials {
  /** The secret as it is stored. */
  token(workspaceId: string, secretRef: string): Promise<string | undefined>;
  /**
   * The fields of the platform's account; those that expire are refreshed in time. Fields that the provider has just `refused`
   * are refreshed before their time, unless another process has done so.
   */
  ofPlatform(
    workspaceId: string,
    platform: string,
    secretRef: string,
    refused?: PlatformCredential,
  ): Promise<CredentialRead>;
}

/** Dependencies of a refresh. */
export interface RefreshDeps {
  readonly platforms: Platforms;
  readonly http: HttpClient;
  readonly clock: Clock;
}

export interface SecretPlaces {
  readonly sql: Sql | Transaction;
  readonly vault: Vault;
  readonly variables: Pick<Variables, "valueOf">;
}

/** How long a decrypted token is reused before the row is read again. */
const keptForMs = 5_000;

export function createCredentials(
  sql: Sql,
  vault: Vault,
  variables: Pick<Variables, "valueOf">,
  refreshing: RefreshDeps,
): Credentials {
  const { token, keep } = createTokens(sql, vault, variables);
  return { token, ofPlatform: createAccounts({ sql, vault, token, keep, ...refreshing }) };
}

/** For callers that need only the secrets. */
export function createTokens(
  sql: Sql,
  vault: Vault,
  variables: Pick<Variables, "valueOf">,
): Pick<Credentials, "token"> & Pick<AccountDeps, "keep"> {
  const kept = new Map<string, { token: string | undefined; until: number }>();

  const keep = (workspaceId: string, secretRef: string, token: string | undefined) => {
    kept.set(`${workspaceId}/${secretRef}`, { token, until: performance.now() + keptForMs });
  };

  async function token(workspaceId: string, secretRef: string): Promise<string | undefined> {
    const known = kept.get(`${workspaceId}/${secretRef}`);
    if (known && known.until > performance.now()) return known.token;
    const found = await secretAt({ sql, vault, variables }, workspaceId, secretRef);
    keep(workspaceId, secretRef, found);
    return found;
  }

  return { token, keep };
}

/** Reads the secret of a reference, without the cache. */
export async function secretAt(
  { sql, vault, variables }: SecretPlaces,
  workspaceId: string,
  secretRef: string,
): Promise<string | undefined> {
  const [place, name = ""] = splitOnce(secretRef, ":");
  if (place === "env") return variables.valueOf(workspaceId, name);
  const [row] = await sql<{ ciphertext: string }[]>`
    select ciphertext from workspaces.secrets where workspace_id = ${workspaceId} and secret_id::text = ${name}`;
  return row && vault.decrypt(row.ciphertext, placeOfSecret(workspaceId, name));
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
