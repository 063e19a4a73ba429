import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { placeOfSecret } from "./secret-place.ts";
import type { Variables } from "./variables.ts";

/** Turns a binding's `secret_ref` into the token it stands for. */
export interface Credentials {
  token(workspaceId: string, secretRef: string): Promise<string | undefined>;
}

/** How long a decrypted token may be reused before the row is read again. */
const keptForMs = 5_000;

export function createCredentials(
  sql: Sql,
  vault: Vault,
  variables: Pick<Variables, "valueOf">,
): Credentials {
  const kept = new Map<string, { token: string | undefined; until: number }>();

  async function read(workspaceId: string, secretRef: string): Promise<string | undefined> {
    const [place, name = ""] = splitOnce(secretRef, ":");
    if (place === "env") return variables.valueOf(workspaceId, name);
    const [row] = await sql<{ ciphertext: string }[]>`
      select ciphertext from workspaces.secrets where workspace_id = ${workspaceId} and secret_id::text = ${name}`;
    return row && vault.decrypt(row.ciphertext, placeOfSecret(workspaceId, name));
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

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
