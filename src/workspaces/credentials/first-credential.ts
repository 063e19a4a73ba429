import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { AdminDeps } from "../change/deps.ts";
import { inOneChange } from "../change/in-one-change.ts";
import { secretAt } from "./credentials.ts";
import { bindCredential, type CredentialKey, credentialRef } from "./keep-credential.ts";
import type { Variables } from "./variables.ts";

export interface FirstCredentialDeps extends AdminDeps {
  readonly vault: Vault;
  readonly variables: Pick<Variables, "valueOf">;
}

/** A credential that the system creates by itself on first use, one for each workspace. */
export interface FirstCredential {
  token(): Promise<string | undefined>;
  /** Binds the token unless another one is bound, and returns the bound one. `instead` names one that is replaced. */
  keep(token: string, instead?: string): Promise<string>;
}

export function firstCredential(
  deps: FirstCredentialDeps,
  workspaceId: string,
  key: CredentialKey,
): FirstCredential {
  return {
    token: () => bound(deps.sql),
    keep: (token, instead) =>
      inOneChange(deps.sql, async (tx) => {
        const lock = `credential/${workspaceId}/${key.platform}/${key.auth_ref}`;
        await tx`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
        const known = await bound(tx);
        if (known !== undefined && known !== instead) return known;
        await bindCredential(tx, deps, workspaceId, key, { token }, { operator: "molva" });
        return token;
      }),
  };

  /** Never cached: a token that another process has replaced must not be used again. */
  async function bound(sql: Sql | Transaction): Promise<string | undefined> {
    const ref = await credentialRef(sql, workspaceId, key);
    return ref === undefined ? undefined : secretAt({ ...deps, sql }, workspaceId, ref);
  }
}
