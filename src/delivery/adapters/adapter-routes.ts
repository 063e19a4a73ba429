import { z } from "zod";
import type { App, RouteModule } from "../../http/index.ts";
import { platformNames } from "../../platforms/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { type CarryingDeps, carryDepsOf } from "../dispatch/carry-deps.ts";
import { answerSchema } from "./answer.ts";
import { sendBody } from "./body.ts";
import { sendDelivery } from "./send-delivery.ts";
import { sendPost } from "./send-post.ts";

/** Adapters for senders outside this process, such as n8n. */
export function adapterRoutes(deps: CarryingDeps): RouteModule {
  return { name: "adapters", routes: (app) => sendRoute(app, deps) };
}

/** `POST /api/v1/adapters/{platform}/send`: the adapter contract of the specification. */
function sendRoute(app: App, deps: CarryingDeps): void {
  const leaving = new AbortController();
  app.addHook("preClose", () => leaving.abort());
  // The claims belong to the caller, so they are limited by their leases only, not by this process's connection to the
  // database.
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
