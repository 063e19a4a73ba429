import { settingsOf, takesPublishedSecrets } from "../kernel/config/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Core } from "../workspaces/index.ts";
import { adapterRoutes } from "./adapters/adapter-routes.ts";
import { adminRoutes } from "./admin/admin-routes.ts";
import { monitorRoutes } from "./admin/monitor/monitor-routes.ts";
import { deliveryCommands } from "./commands/index.ts";
import { consentRoutes } from "./consent/index.ts";
import { correctionsRoutes } from "./corrections/corrections-route.ts";
import { deliveryFiles } from "./delivery-files.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { seedDemo } from "./demo/seed.ts";
import { unmirroredLines } from "./demo/twins.ts";
import { createDispatcher } from "./dispatch/dispatcher.ts";
import { deliverySettings } from "./environment.ts";
import { createMediaKeeper } from "./media/media-keeper.ts";
import { deliveryMetrics } from "./metrics.ts";
import { exposeHealth } from "./monitor/health-metrics.ts";
import { createMonitor } from "./monitor/monitor.ts";
import { deliveryParts } from "./parts.ts";
import { payloadRoutes } from "./payloads/payload-routes.ts";
import { createPuller, forgetPullReceipts } from "./pull/index.ts";
import { pageTask, wakePages } from "./readback/index.ts";
import { runRetention } from "./retention/run-retention.ts";
import { sealedDelivery } from "./sealed-delivery.ts";
import { streamRoutes } from "./stream/stream-route.ts";
import { uploadRoutes } from "./uploads/upload-routes.ts";
import { webhookRoutes } from "./webhooks/webhook-routes.ts";
import { createWebhookSender } from "./webhooks/webhook-sender.ts";

/** The module that sends posts to channels. */
export const delivery = {
  name: "delivery",
  sealed: sealedDelivery,
  files: deliveryFiles,
  metrics: Object.values(deliveryMetrics),
  settings: deliverySettings,
  commands: deliveryCommands,
  wire(core: Core) {
    const { config, sql, clock, log, metrics, platforms, storage, vault, variables } = core;
    const { publicUrl, twinsUrl } = core;
    const { payloads, fetching, leases, sending, pulling, messengers, monitoring, readingBack, webhooks } =
      deliveryParts(core);
    exposeHealth({ sql, clock, metrics, log });
    return {
      routes: [
        deliveryRoutes({
          ...{ sql, platforms, clock, metrics, leases, payloads, credentials: core.credentials },
          takesPublishedSecrets: takesPublishedSecrets(config),
        }),
        correctionsRoutes({ ...messengers, leases }),
        adapterRoutes(sending),
        adminRoutes({ ...pulling, ...messengers, guarded: core.guarded, vault, variables }),
        consentRoutes(core),
        payloadRoutes({ sql, payloads, publicUrl }),
        monitorRoutes({ ...monitoring, vault, variables }),
        webhookRoutes(webhooks),
        streamRoutes({ sql, clock, log }),
        uploadRoutes({ sql, clock, storage, maxBytes: fetching.maxBytes, publicUrl }),
      ],
      services: {
        dispatcher: () => [
          createDispatcher({
            ...sending,
            metrics,
            concurrency: settingsOf(core, deliverySettings).MOLVA_DISPATCH_CONCURRENCY,
            sendTimeoutSeconds: config.MOLVA_SEND_TIMEOUT_SECONDS,
          }),
        ],
        monitor: () => [createMonitor(monitoring)],
        jobs: () => [
          createPuller({ ...pulling, concurrency: 4 }),
          createMediaKeeper(fetching),
          createWebhookSender({ ...webhooks, metrics }),
        ],
      },
      cron: [
        every("13 * * * *", "delivery.retention", () => runRetention({ sql, storage, clock, log })),
        every("37 * * * *", "delivery.forget_pull_receipts", () => forgetPullReceipts(sql, clock.now())),
        every("*/5 * * * *", "delivery.wake_pages", () => wakePages(readingBack)),
      ],
      tasks: [pageTask(readingBack)],
      seed: async () =>
        unmirroredLines((await seedDemo({ sql, platforms, clock, vault, twinsUrl, publicUrl })).unmirrored),
    };
  },
};
