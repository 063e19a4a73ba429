import { z } from "zod";
import { type App, problem } from "../../http/index.ts";
import { idOf, workspaceRoutes } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { deliverySchema } from "./delivery.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { moment, wordsOf } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";
import { deliveryDetailSchema, showDelivery } from "./show-delivery.ts";
import { statuses } from "./statuses.ts";

const filter = {
  status: wordsOf(statuses).optional().describe("One or several, separated by commas"),
  channel_id: idOf(idColumns.channel).optional(),
  message_id: idOf(idColumns.message).optional(),
  since: moment.optional(),
};

/** `GET /api/v1/deliveries` and `GET /api/v1/deliveries/{id}`. */
export function listRoutes(app: App, { sql, clock, leases }: DeliveriesDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/deliveries", tag: "deliveries" });

  routes.list(
    "",
    {
      scope: "read",
      quiet: true,
      summary: "Deliveries, newest first",
      description: "A page may be short, even empty, and still have a next one.",
      query: filter,
      item: deliverySchema,
    },
    ({ workspaceId, query, page }) => listDeliveries(sql, workspaceId, { ...query, ...page }),
  );
  routes.get(
    "/:id",
    {
      scope: "read",
      quiet: true,
      summary: "One delivery: why it is not yet sent, what happened to it",
      params: z.object({ id: idOf(idColumns.delivery) }),
      answer: deliveryDetailSchema,
    },
    async ({ workspaceId, params: { id } }) => {
      const delivery = await showDelivery(sql, workspaceId, id, clock.now(), leases);
      if (!delivery) throw problem("not_found", { detail: "There is no such delivery." });
      return delivery;
    },
  );
}
