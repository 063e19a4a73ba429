import type { App } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { inOneChange, workspaceRoutes } from "../../workspaces/index.ts";
import { acceptedSchema } from "../ingest/accept-post.ts";
import { pushBody } from "../ingest/body.ts";
import { type PostingDeps, postAsOperator } from "./post-as-operator.ts";
import { recipientsBody, recipientsOf, recipientsSchema } from "./recipients.ts";

/**
 * `POST /api/v1/messages`: a post by whoever may write; the same body and answer as ingest has for senders with an endpoint.
 * `POST /api/v1/messages/recipients`: who would get it.
 */
export function postRoute(app: App, deps: PostingDeps & { readonly sql: Sql }): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/messages", tag: "messages" });
  routes.post(
    "/recipients",
    {
      scope: "read",
      quiet: true,
      summary: "Which channels would get a post, and why the others would not; nothing is stored",
      body: recipientsBody,
      answer: recipientsSchema,
    },
    ({ workspaceId, body }) => recipientsOf(deps, workspaceId, body),
  );
  routes.post(
    "",
    {
      scope: "write",
      summary: "Post as an operator: to every matching channel, or to those that are named",
      description:
        "The body and the answer are those of `POST /api/v1/ingest`. The same `source_ref` or `Idempotency-Key` again is dropped; without one, the same content within 10 seconds, unless channels are named.",
      body: pushBody,
      answer: acceptedSchema,
    },
    ({ workspaceId, body, by, dryRun, request }) => {
      const post = withReference(body, request.headers["idempotency-key"]);
      return inOneChange(sql, (tx) => postAsOperator(tx, workspaceId, post, by.operator, deps), { dryRun });
    },
  );
}

/** The sender's own id of the post, from the header if the body has none. */
function withReference(body: object, key: string | string[] | undefined): object {
  const given = "source_ref" in body && typeof body.source_ref === "string" ? body.source_ref.trim() : "";
  const reference = given || (typeof key === "string" ? key.trim().slice(0, 512) : "");
  return reference ? { ...body, source_ref: reference } : body;
}
