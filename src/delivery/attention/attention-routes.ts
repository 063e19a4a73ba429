import { z } from "zod";
import type { App } from "../../http/index.ts";
import { pageOfAll, pageQuery, pageSchema, workspaceRoutes } from "../../workspaces/index.ts";
import { moment } from "../deliveries/request.ts";
import type { DeliveriesDeps } from "../deliveries/routes.ts";
import { attention, attentionSchema } from "./attention.ts";
import { failureSchema, failuresSince } from "./failures.ts";

const dayMs = 24 * 3_600_000;

const since = moment.optional().describe("What happened since then; the last 24 hours unless given");

const failuresPage = pageSchema(failureSchema).extend({
  since: z.date(),
  truncated: z.boolean().describe("There are more failures than were looked at: the newest are counted"),
});

/** `GET /api/v1/attention` and `GET /api/v1/failures`: what a person should look at. */
export function attentionRoutes(app: App, { sql, clock, leases }: DeliveriesDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1", tag: "attention" });
  const aDayAgo = () => new Date(clock.now().getTime() - dayMs);

  routes.get(
    "/attention",
    {
      scope: "read",
      quiet: true,
      summary:
        "What a person should look at: failures by cause, stopped channels, sources, stuck and held deliveries",
      query: { since },
      answer: attentionSchema,
    },
    ({ workspaceId, query: { since = aDayAgo() } }) =>
      attention(sql, workspaceId, { since, now: clock.now(), leases }),
  );
  routes.get(
    "/failures",
    {
      scope: "read",
      quiet: true,
      summary: "What failed and why, grouped by cause, the newest first, with what helps",
      query: {
        since,
        code: z.string().min(1).max(100).optional().describe("Only this error"),
        scope: z.enum(["delivery", "channel", "platform"]).optional(),
        ...pageQuery,
      },
      answer: failuresPage,
    },
    async ({ workspaceId, query: { since = aDayAgo(), code, scope, ...page } }) => {
      const { groups, truncated } = await failuresSince(sql, workspaceId, { since, code, scope });
      return { ...pageOfAll(groups, page), since, truncated };
    },
  );
}
