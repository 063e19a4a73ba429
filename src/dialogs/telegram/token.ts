import type { Sql } from "../../kernel/db/index.ts";
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
  const [binding] = await sql<{ secret_ref: string }[]>`
    select secret_ref from delivery.credential_bindings
    where workspace_id = ${workspaceId} and auth_ref = ${bot} and platform = 'telegram'`;
  return binding && token(workspaceId, binding.secret_ref);
}
