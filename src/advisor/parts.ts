import type { Clock } from "../kernel/clock/index.ts";
import { type Config, settingsOf, takesPublishedSecrets } from "../kernel/config/index.ts";
import { randomToken } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { version } from "../kernel/paths/index.ts";
import { gatewayOf } from "../llm/index.ts";
import { listWorkspaces, perCore } from "../workspaces/index.ts";
import { planSettingsOf } from "./advisor-settings.ts";
import { demoToken } from "./demo-token.ts";
import type { AdvisorDeps } from "./deps.ts";
import { advisorSettings } from "./environment.ts";

export const advisorParts = perCore((core): AdvisorDeps => {
  const settings = settingsOf(core, advisorSettings);
  const { config, sql, clock, log, storage, publicUrl } = core;
  return {
    ...{ sql, clock, log, storage, gateway: gatewayOf(core), workspaceId: oldestWorkspace(sql, clock) },
    settings: {
      token: settings.BOT_BACKEND_TOKEN ?? demoTokenOf(config),
      version: settings.APP_VERSION ?? version,
      publicUrl: () => config.MOLVA_PUBLIC_URL ?? core.ownUrl(),
      behindTls: settings.APP_ENV === "prod" || publicUrl.startsWith("https:"),
      ...planSettingsOf(core),
    },
  };
});

/** A demo that is reachable from outside gets a random token: its bot runs in the same process. */
function demoTokenOf(config: Config): string | undefined {
  if (config.MOLVA_ENV !== "demo") return undefined;
  return takesPublishedSecrets(config) ? demoToken : randomToken();
}

const workspaceKnownForMs = 10_000;

/** The oldest workspace, cached because every request needs it. */
function oldestWorkspace(sql: Sql, clock: Clock): () => Promise<string> {
  let known: { readonly id: string; readonly until: number } | undefined;
  return async () => {
    const now = clock.now().getTime();
    if (known && now < known.until) return known.id;
    const [first] = await listWorkspaces(sql);
    if (!first) throw new Error("there is no workspace yet: run `molva workspace add`");
    known = { id: first.id, until: now + workspaceKnownForMs };
    return first.id;
  };
}
