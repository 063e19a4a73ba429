import { z } from "zod";
import type { RouteModule } from "../../http/index.ts";
import { idOf, workspaceRoutes } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import {
  addWebhook,
  changeWebhook,
  removeWebhook,
  rotateWebhook,
  type WebhookAdminDeps,
} from "./change-webhooks.ts";
import { messagePage, readMessage, readWebhook, webhookPage } from "./read-webhooks.ts";
import { replayMessages, testWebhook } from "./replay.ts";
import type { WebhookDeps } from "./send-message.ts";
import { webhookTypeNames } from "./webhook-event.ts";
import {
  messageStatuses,
  newWebhook,
  replayed,
  replayRequest,
  webhookChanges,
  webhookMessageInFull,
  webhookMessageSchema,
  webhookRotation,
  webhookSchema,
  webhookTestResult,
  webhookWithSecret,
} from "./webhook-shape.ts";

const params = z.object({ webhook_id: idOf(idColumns.webhook) });

/** Webhooks over HTTP. Their secrets are shown when they are made. */
export function webhookRoutes(deps: WebhookAdminDeps & WebhookDeps): RouteModule {
  const { sql } = deps;
  return {
    name: "delivery.webhooks",
    routes(app) {
      const routes = workspaceRoutes(app, sql, { under: "/api/v1/webhooks", tag: "webhooks" });

      routes.list(
        "",
        { scope: "read", summary: "Who is told of events, oldest first", item: webhookSchema },
        ({ workspaceId, page }) => webhookPage(sql, workspaceId, page),
      );
      routes.post(
        "",
        {
          scope: "admin",
          summary:
            "Tell an address of events; the answer is the only place that shows the secret it verifies with",
          body: newWebhook,
          answer: webhookWithSecret,
          status: 201,
        },
        ({ workspaceId, body, by, reply }) => {
          reply.header("cache-control", "no-store");
          return addWebhook(deps, workspaceId, body, by);
        },
      );
      routes.get(
        "/:webhook_id",
        { scope: "read", summary: "One webhook", params, answer: webhookSchema },
        ({ workspaceId, params: { webhook_id } }) => readWebhook(sql, workspaceId, webhook_id),
      );
      routes.patch(
        "/:webhook_id",
        {
          scope: "admin",
          summary: "Change a webhook; one that is enabled again begins with new events",
          params,
          body: webhookChanges,
          answer: webhookSchema,
        },
        ({ workspaceId, params: { webhook_id }, body, by }) =>
          changeWebhook(deps, workspaceId, webhook_id, body, by),
      );
      routes.delete(
        "/:webhook_id",
        {
          scope: "admin",
          summary: "Tell this address nothing any more, and forget its secret and log",
          params,
        },
        ({ workspaceId, params: { webhook_id }, by, dryRun }) =>
          removeWebhook(deps, workspaceId, webhook_id, by, { dryRun }),
      );
      routes.post(
        "/:webhook_id/rotate",
        {
          scope: "admin",
          summary: "Give a webhook another secret; messages are signed with both until the overlap ends",
          params,
          body: webhookRotation,
          answer: webhookWithSecret,
        },
        ({ workspaceId, params: { webhook_id }, body, by, reply }) => {
          reply.header("cache-control", "no-store");
          return rotateWebhook(deps, workspaceId, webhook_id, body, by);
        },
      );
      routes.post(
        "/:webhook_id/test",
        {
          scope: "operate",
          summary: "Send a test message now, enabled or not, and say whether it arrived",
          params,
          body: z.strictObject({}),
          answer: webhookTestResult,
        },
        ({ workspaceId, params: { webhook_id } }) => testWebhook(deps, workspaceId, webhook_id),
      );
      routes.list(
        "/:webhook_id/messages",
        {
          scope: "read",
          summary: "What a webhook was told, newest first, and whether it arrived",
          params,
          query: { status: z.enum(messageStatuses).optional(), type: z.enum(webhookTypeNames).optional() },
          item: webhookMessageSchema,
        },
        ({ workspaceId, params: { webhook_id }, query, page }) =>
          messagePage(sql, workspaceId, webhook_id, { ...query, ...page }),
      );
      routes.get(
        "/:webhook_id/messages/:event_id",
        {
          scope: "read",
          summary: "One message with its body and every attempt",
          params: params.extend({ event_id: z.uuid() }),
          answer: webhookMessageInFull,
        },
        ({ workspaceId, params: { webhook_id, event_id } }) =>
          readMessage(sql, workspaceId, webhook_id, event_id),
      );
      routes.post(
        "/:webhook_id/replay",
        {
          scope: "operate",
          summary: "Send one message again, or all that failed since a time, under the ids they had",
          params,
          body: replayRequest,
          answer: replayed,
        },
        async ({ workspaceId, params: { webhook_id }, body: { event_id, failed_since }, by }) => ({
          replayed: await replayMessages(
            deps,
            workspaceId,
            webhook_id,
            event_id === undefined ? { failedSince: new Date(failed_since ?? 0) } : { eventId: event_id },
            by,
          ),
        }),
      );
    },
  };
}
