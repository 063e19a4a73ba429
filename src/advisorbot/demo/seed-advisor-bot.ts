import { callTwins, demo } from "../../delivery/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { keepCredential } from "../../workspaces/index.ts";
import { botName } from "../bot.ts";
import { demoAdvisorBot } from "./demo-advisor-bot.ts";

export interface SeedAdvisorBotDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly twinsUrl?: string | undefined;
}

/** Adds the advisor's bot to the demo. Idempotent. */
export async function seedAdvisorBot(deps: SeedAdvisorBotDeps): Promise<void> {
  const { token, username, title } = demoAdvisorBot;
  const bound = await deps.sql`
    select from workspaces.credential_bindings
    where workspace_id = ${demo.workspaceId} and auth_ref = ${botName} and platform = 'telegram'`;
  if (bound.length === 0)
    await keepCredential(
      deps,
      demo.workspaceId,
      { platform: "telegram", auth_ref: botName },
      { token },
      { operator: "molva seed" },
    );
  if (deps.twinsUrl)
    await callTwins(deps.twinsUrl, "POST", "/_control/telegram/bots", { token, username, first_name: title });
}
