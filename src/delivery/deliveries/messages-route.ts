import { z } from "zod";
import { type App, problem, wholeId } from "../../http/index.ts";
import { countUpTo, inWorkspace, pageLimit, workspaceOf } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { listMessages, messageDetailSchema, messageSchema, showMessage } from "./messages.ts";
import { idParams, moment } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";
import { messageWhySchema, whyMessage } from "./why-message.ts";

/** `GET /api/v1/messages` and `GET /api/v1/messages/{id}`: posts without their raw content. */
export function messagesRoute(app: App, { sql, clock, leases }: DeliveriesDeps): void {
  const tags = ["messages"];

  app.route({
    method: "GET",
    url: "/api/v1/messages",
    config: { scope: "read", quiet: true },
    schema: {
      tags,
      summary: "Posts, newest first, with their deliveries by status",
      querystring: z.object({
        ...inWorkspace,
        since: moment.optional(),
        limit: countUpTo(pageLimit.most).optional(),
        before: z.uuid().optional().describe("The `next` of the page before"),
      }),
      response: { 200: z.object({ items: z.array(messageSchema), next: z.string().nullable() }) },
    },
    async handler(request) {
      const { since, limit = pageLimit.usual, before } = request.query;
      const workspaceId = await workspaceOf(sql, request, request.query);
      return listMessages(sql, workspaceId, { limit, before, since });
    },
  });

  app.route({
    method: "GET",
    url: "/api/v1/messages/:id",
    config: { scope: "read", quiet: true },
    schema: {
      tags,
      summary: "One post and its deliveries",
      params: idParams,
      querystring: z.object(inWorkspace),
      response: { 200: messageDetailSchema },
    },
    async handler(request) {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const id = await wholeId(sql, workspaceId, idColumns.message, request.params.id);
      const message = await showMessage(sql, workspaceId, id);
      if (!message) throw problem("not_found", { detail: "There is no such message." });
      return message;
    },
  });

  app.route({
    method: "GET",
    url: "/api/v1/messages/:id/why",
    config: { scope: "read", quiet: true },
    schema: {
      tags,
      summary: "Why a post is not (yet) in each of its channels, or why no channel takes it",
      params: idParams,
      querystring: z.object(inWorkspace),
      response: { 200: messageWhySchema },
    },
    async handler(request) {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const id = await wholeId(sql, workspaceId, idColumns.message, request.params.id);
      const found = await whyMessage(sql, workspaceId, id, clock.now(), leases);
      if (!found) throw problem("not_found", { detail: "There is no such message." });
      return found;
    },
  });
}
