import { z } from "zod";
import { type App, idText, problem, wholeId } from "../../http/index.ts";
import { countUpTo, inWorkspace, pageLimit, workspaceOf } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { deliverySchema } from "./delivery.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { idParams, moment, wordsOf } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";
import { deliveryDetailSchema, showDelivery } from "./show-delivery.ts";
import { statuses } from "./statuses.ts";

/** `GET /api/v1/deliveries` and `GET /api/v1/deliveries/{id}`. */
export function deliveriesRoute(app: App, { sql, clock, leases }: DeliveriesDeps): void {
  const tags = ["deliveries"];

  app.route({
    method: "GET",
    url: "/api/v1/deliveries",
    config: { scope: "read", quiet: true },
    schema: {
      tags,
      summary: "Deliveries, newest first",
      querystring: z.object({
        ...inWorkspace,
        status: wordsOf(statuses).optional().describe("One or several, separated by commas"),
        channel_id: idText.optional(),
        message_id: idText.optional(),
        since: moment.optional(),
        limit: countUpTo(pageLimit.most).optional(),
        before: z.uuid().optional().describe("The `next` of the page before"),
      }),
      response: {
        200: z.object({
          items: z.array(deliverySchema),
          next: z
            .string()
            .nullable()
            .describe("null on the last page; a short page may still have a next one"),
        }),
      },
    },
    async handler(request) {
      const { status, channel_id, message_id, since, limit = pageLimit.usual, before } = request.query;
      const workspaceId = await workspaceOf(sql, request, request.query);
      return listDeliveries(sql, workspaceId, {
        limit,
        before,
        since,
        statuses: status,
        channelId: channel_id && (await wholeId(sql, workspaceId, idColumns.channel, channel_id)),
        messageId: message_id && (await wholeId(sql, workspaceId, idColumns.message, message_id)),
      });
    },
  });

  app.route({
    method: "GET",
    url: "/api/v1/deliveries/:id",
    config: { scope: "read", quiet: true },
    schema: {
      tags,
      summary: "One delivery: why it is not yet sent, what happened to it",
      params: idParams,
      querystring: z.object(inWorkspace),
      response: { 200: deliveryDetailSchema },
    },
    async handler(request) {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const id = await wholeId(sql, workspaceId, idColumns.delivery, request.params.id);
      const delivery = await showDelivery(sql, workspaceId, id, clock.now(), leases);
      if (!delivery) throw problem("not_found", { detail: "There is no such delivery." });
      return delivery;
    },
  });
}
