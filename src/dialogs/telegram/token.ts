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

/** A bot makes many calls a second; a token that was replaced is noticed within one. */
const readEveryMs = 1_000;

export function readNowAndThen(read: () => Promise<string | undefined>): () => Promise<string | undefined> {
  let known: { readonly token: Promise<string | undefined>; readonly at: number } | undefined;
  return () => {
    if (known && performance.now() - known.at < readEveryMs) return known.token;
    const token = read();
    known = { token, at: performance.now() };
    // A failure is not remembered.
    token.catch(() => {
      known = undefined;
    });
    return token;
  };
}
