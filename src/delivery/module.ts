import { takesPublishedSecrets } from "../kernel/config/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Core } from "../workspaces/index.ts";
import { adapterRoutes } from "./adapters/routes.ts";
import { monitorRoutes } from "./admin/monitor/routes.ts";
import { adminRoutes } from "./admin/routes.ts";
import { seedDemo } from "./demo/seed.ts";
import { unmirroredLines } from "./demo/twins.ts";
import { createDispatcher } from "./dispatch/dispatcher.ts";
import { createMediaKeeper } from "./media/media-keeper.ts";
import { exposeHealth } from "./monitor/health-metrics.ts";
import { createMonitor } from "./monitor/monitor.ts";
import { deliveryParts } from "./parts.ts";
import { payloadRoutes } from "./payloads/routes.ts";
import { createPuller, forgetPullReceipts } from "./pull/index.ts";
import { runRetention } from "./retention/run-retention.ts";
import { deliveryRoutes } from "./routes.ts";

/** Everything that goes out to a channel. */
export const delivery = {
  name: "delivery",
  wire(core: Core) {
    const { config, sql, clock, log, metrics, platforms, storage, vault, variables } = core;
    const { publicUrl, twinsUrl } = core;
    const { payloads, fetching, leases, sending, pulling, messengers, monitoring } = deliveryParts(core);
    exposeHealth({ sql, clock, metrics, log });
    return {
      routes: [
        deliveryRoutes({
          ...{ sql, platforms, clock, metrics, leases, payloads },
          takesPublishedSecrets: takesPublishedSecrets(config),
        }),
        adapterRoutes(sending),
        adminRoutes({ ...pulling, ...messengers, vault, variables }),
        payloadRoutes({ sql, payloads, publicUrl }),
        monitorRoutes({ ...monitoring, vault, variables }),
      ],
      services: {
        dispatcher: () => [
          createDispatcher({
            ...sending,
            metrics,
            concurrency: config.MOLVA_DISPATCH_CONCURRENCY,
            sendTimeoutSeconds: config.MOLVA_SEND_TIMEOUT_SECONDS,
          }),
        ],
        monitor: () => [createMonitor(monitoring)],
        jobs: () => [createPuller({ ...pulling, concurrency: 4 }), createMediaKeeper(fetching)],
      },
      cron: [
        every("13 * * * *", "delivery.retention", () => runRetention({ sql, storage, clock, log })),
        every("37 * * * *", "delivery.forget_pull_receipts", () => forgetPullReceipts(sql, clock.now())),
      ],
      seed: async () =>
        unmirroredLines((await seedDemo({ sql, platforms, clock, vault, twinsUrl })).unmirrored),
    };
  },
};
