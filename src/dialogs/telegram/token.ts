import type { Sql } from "../../kernel/db/index.ts";
import { credentialRef } from "../../workspaces/index.ts";
import type { BotKey } from "../engine/dialogue.ts";

export interface TokenDeps {
  readonly sql: Sql;
  /** Resolves a `secret_ref`. */
  token(workspaceId: string, secretRef: string): Promise<string | undefined>;
}

/** A bot's current token in this workspace. */
export async function tokenOf(
  { workspaceId, bot }: BotKey,
  { sql, token }: TokenDeps,
): Promise<string | undefined> {
  const ref = await credentialRef(sql, workspaceId, { platform: "telegram", auth_ref: bot });
  return ref && token(workspaceId, ref);
}
