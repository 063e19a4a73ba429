import type { Sql } from "../../kernel/db/index.ts";
import { credentialRef } from "../../workspaces/index.ts";
import type { BotKey } from "../engine/dialogue.ts";

export interface TokenDeps {
  readonly sql: Sql;
  /** What a `secret_ref` stands for. */
  token(workspaceId: string, secretRef: string): Promise<string | undefined>;
}

/** A bot's token in this workspace, as its credential has it now. */
export async function tokenOf(
  { workspaceId, bot }: BotKey,
  { sql, token }: TokenDeps,
): Promise<string | undefined> {
  const ref = await credentialRef(sql, workspaceId, { platform: "telegram", auth_ref: bot });
  return ref && token(workspaceId, ref);
}
