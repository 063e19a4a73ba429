/** The token that the installation was given becomes the credential of the bot. */
import type { Service } from "../../kernel/service/index.ts";
import { type Core, firstCredential, workspacesWithCredential } from "../../workspaces/index.ts";
import { botName } from "./bot-name.ts";

const key = { platform: "telegram", auth_ref: botName } as const;

type TokenDeps = Pick<Core, "sql" | "clock" | "vault" | "variables" | "log">;

/** Binds the token in the oldest workspace, unless a workspace has it. A token that was bound there before is replaced. */
export async function keepBotToken(deps: TokenDeps, token: string): Promise<void> {
  for (const workspaceId of await workspacesWithCredential(deps.sql, key))
    if ((await firstCredential(deps, workspaceId, key).token()) === token) return;
  const [oldest] = await deps.sql<{ workspace_id: string }[]>`
    select workspace_id from workspaces.workspaces order by created_at, workspace_id limit 1`;
  if (!oldest) return deps.log.warn("there is no workspace yet for the bot of TELEGRAM_BOT_TOKEN");
  const credential = firstCredential(deps, oldest.workspace_id, key);
  await credential.keep(token, await credential.token());
}

export function botTokenService(deps: TokenDeps, token: string): Service {
  return {
    name: "token of the bot",
    start: () => keepBotToken(deps, token),
    stop: async () => {},
  };
}
