import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";

/** Turns a binding's `secret_ref` into the token it stands for. */
export interface Credentials {
  token(workspaceId: string, secretRef: string): Promise<string | undefined>;
}

/** How long a decrypted token may be reused before the row is read again. */
const keptForMs = 5_000;

export function createCredentials(
  sql: Sql,
  vault: Vault,
  environment: Readonly<Record<string, string | undefined>>,
): Credentials {
  const kept = new Map<string, { token: string | undefined; until: number }>();

  async function read(workspaceId: string, secretRef: string): Promise<string | undefined> {
    const [place, name = ""] = splitOnce(secretRef, ":");
    if (place === "env") return environment[name]?.trim() || undefined;
    const [row] = await sql<{ ciphertext: string }[]>`
      select ciphertext from delivery.secrets where workspace_id = ${workspaceId} and secret_id::text = ${name}`;
    return row && vault.decrypt(row.ciphertext);
  }

  return {
    async token(workspaceId, secretRef) {
      const key = `${workspaceId}/${secretRef}`;
      const known = kept.get(key);
      if (known && known.until > performance.now()) return known.token;
      const token = await read(workspaceId, secretRef);
      kept.set(key, { token, until: performance.now() + keptForMs });
      return token;
    },
  };
}

/** Stores a token encrypted and binds it to the logical name that channels refer to. */
export async function bindCredential(
  sql: Sql,
  vault: Vault,
  binding: { workspaceId: string; authRef: string; platform: string; token: string },
): Promise<void> {
  await sql.begin(async (tx) => {
    const [secret] = await tx<[{ secret_id: string }]>`
      insert into delivery.secrets (workspace_id, ciphertext)
      values (${binding.workspaceId}, ${vault.encrypt(binding.token)}) returning secret_id`;
    const replaced = await tx<{ secret_ref: string }[]>`
      select secret_ref from delivery.credential_bindings
      where workspace_id = ${binding.workspaceId} and auth_ref = ${binding.authRef} and platform = ${binding.platform}
      for update`;
    await tx`
      insert into delivery.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
      values (${binding.workspaceId}, ${binding.authRef}, ${binding.platform}, ${`vault:${secret.secret_id}`})
      on conflict (workspace_id, auth_ref, platform) do update
        set secret_ref = excluded.secret_ref, rotated_at = now(), updated_at = now()`;
    for (const { secret_ref } of replaced) {
      if (secret_ref.startsWith("vault:"))
        await tx`
          delete from delivery.secrets
          where workspace_id = ${binding.workspaceId} and secret_id::text = ${secret_ref.slice("vault:".length)}`;
    }
  });
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
