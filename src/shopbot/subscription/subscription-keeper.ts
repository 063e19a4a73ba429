import type { Service } from "../../kernel/service/index.ts";
import { createWorker } from "../../kernel/worker/index.ts";
import { keepSubscribed, type SubscriptionDeps } from "./keep-subscribed.ts";

export interface KeeperDeps extends SubscriptionDeps {
  /** Known once the server listens. */
  readonly publicUrl: () => string;
  readonly everyMs?: number;
}

/** Checks the webhooks every ten minutes, at once when an endpoint changes, and sooner after a failure. */
const usual = { everyMs: 10 * 60_000, afterFailureMs: 30_000 } as const;

export function createSubscriptionKeeper(deps: KeeperDeps): Service {
  const { sql, log, everyMs = usual.everyMs } = deps;
  return createWorker({
    name: "shopbot subscriptions",
    log,
    trouble: "the shop bots' webhooks could not be looked after",
    notices: { sql, channel: "molva_endpoints" },
    safetyNetMs: everyMs,
    async round() {
      const bots = await sql<{ workspace_id: string }[]>`
        select workspace_id from shopbot.bots where keep_subscribed and enabled`;
      let failed = false;
      for (const { workspace_id } of bots) {
        const kept = await keepSubscribed(workspace_id, deps.publicUrl(), deps);
        if (kept.kind !== "failed") continue;
        failed = true;
        log.warn({ workspace_id, reason: kept.reason }, "the shop bot's webhook could not be subscribed");
      }
      return failed ? usual.afterFailureMs : everyMs;
    },
  });
}
