import type { Clock } from "../kernel/clock/index.ts";
import { type Config, takesPublishedSecrets } from "../kernel/config/index.ts";
import { randomToken } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { version } from "../kernel/paths/index.ts";
import { gatewayOf } from "../llm/index.ts";
import { listWorkspaces, perCore } from "../workspaces/index.ts";
import { demoToken } from "./demo-token.ts";
import type { AdvisorDeps } from "./deps.ts";
import { planSettingsOf } from "./settings.ts";

/** The advisor of this installation. */
export const advisorParts = perCore((core): AdvisorDeps => {
  const { config, sql, clock, log, storage, publicUrl } = core;
  return {
    ...{ sql, clock, log, storage, gateway: gatewayOf(core), workspaceId: oldestWorkspace(sql, clock) },
    settings: {
      token: config.BOT_BACKEND_TOKEN ?? demoTokenOf(config),
      version: config.APP_VERSION ?? version,
      publicUrl: () => config.MOLVA_PUBLIC_URL ?? core.ownUrl(),
      behindTls: config.APP_ENV === "prod" || publicUrl.startsWith("https:"),
      ...planSettingsOf(config),
    },
  };
});

/** A demo that others reach gets a token of its own: its bot and its `/v1` live in one process. */
function demoTokenOf(config: Config): string | undefined {
  if (config.MOLVA_ENV !== "demo") return undefined;
  return takesPublishedSecrets(config) ? demoToken : randomToken();
}

const workspaceKnownForMs = 10_000;

/** Whose advisor `/v1` is: an installation has one. Every request asks, so the answer holds for a while. */
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
