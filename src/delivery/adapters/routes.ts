import { z } from "zod";
import type { App, RouteModule } from "../../http/index.ts";
import { platformNames } from "../../platforms/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { type CarryingDeps, carryDepsOf } from "../dispatch/carry-deps.ts";
import { answerSchema } from "./answer.ts";
import { sendBody } from "./body.ts";
import { sendDelivery } from "./send-delivery.ts";
import { sendPost } from "./send-post.ts";

/** The adapters as senders outside this process, such as n8n, reach them. */
export function adapterRoutes(deps: CarryingDeps): RouteModule {
  return { name: "adapters", routes: (app) => sendRoute(app, deps) };
}

/** `POST /api/v1/adapters/{platform}/send`: the document's adapter contract. */
function sendRoute(app: App, deps: CarryingDeps): void {
  const leaving = new AbortController();
  app.addHook("preClose", () => leaving.abort());
  // The caller's claims are left to their leases, however long this process may be cut off from the database.
  const carrying = carryDepsOf(deps, leaving.signal, () => true);

  workspaceRoutes(app, deps.sql, { under: "/api/v1/adapters", tag: "adapters" }).post(
    "/:platform/send",
    {
      scope: "write",
      summary: "Send a started delivery, or a post to one channel at once, through the platform's adapter",
      params: z.object({ platform: z.enum(platformNames) }),
      body: sendBody,
      answer: answerSchema,
    },
    ({ workspaceId, params: { platform }, body, by: { operator } }) => {
      if (!("delivery" in body))
        return sendPost({ workspaceId, platform, post: body, operator }, deps, carrying, leaving.signal);
      const { delivery_id: deliveryId, claim_token: claimToken } = body.delivery;
      return sendDelivery({ workspaceId, platform, deliveryId, claimToken }, deps, carrying);
    },
  );
}
