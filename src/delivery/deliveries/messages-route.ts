import { z } from "zod";
import { type App, problem } from "../../http/index.ts";
import { idOf, workspaceRoutes } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { listMessages, messageDetailSchema, messageSchema, showMessage } from "./messages.ts";
import { moment } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";
import { messageWhySchema, whyMessage } from "./why-message.ts";

const looking = { scope: "read", quiet: true } as const;
const params = z.object({ id: idOf(idColumns.message) });

/** `GET /api/v1/messages` and `GET /api/v1/messages/{id}`: posts as readers get them, without what senders add for templates. */
export function messagesRoute(app: App, { sql, clock, leases }: DeliveriesDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/messages", tag: "messages" });
  const notFound = () => problem("not_found", { detail: "There is no such message." });

  routes.list(
    "",
    {
      ...looking,
      summary: "Posts, newest first, with their deliveries by status",
      query: { since: moment.optional() },
      item: messageSchema,
    },
    ({ workspaceId, query, page }) => listMessages(sql, workspaceId, { ...query, ...page }),
  );
  routes.get(
    "/:id",
    { ...looking, summary: "One post and its deliveries", params, answer: messageDetailSchema },
    async ({ workspaceId, params: { id } }) => {
      const message = await showMessage(sql, workspaceId, id);
      if (!message) throw notFound();
      return message;
    },
  );
  routes.get(
    "/:id/why",
    {
      ...looking,
      summary: "Why a post is not (yet) in each of its channels, or why no channel takes it",
      params,
      answer: messageWhySchema,
    },
    async ({ workspaceId, params: { id } }) => {
      const found = await whyMessage(sql, workspaceId, id, clock.now(), leases);
      if (!found) throw notFound();
      return found;
    },
  );
}
