import { z } from "zod";
import type { App } from "../../http/index.ts";
import { dryRun, idOf, reason, workspaceRoutes } from "../../workspaces/index.ts";
import { key, platform } from "../admin/fields.ts";
import { idColumns } from "../id-columns.ts";
import { cancelledSchema, cancelMany, cancelThese, waitingStates } from "./cancel-many.ts";
import { mostAtOnce } from "./operations.ts";
import { recover, recoveredSchema } from "./recover.ts";
import { moment } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";

const recoverBody = z
  .strictObject({
    since: moment.describe("What failed since then"),
    channel_id: idOf(idColumns.channel).optional().describe("Only of this channel"),
    credential: z
      .strictObject({ platform, auth_ref: key })
      .optional()
      .describe("Only of the channels that send with it"),
    resume: z
      .boolean()
      .default(true)
      .describe("Let channels go on that stand still because they refused posts"),
    reason,
    dry_run: dryRun,
  })
  .refine(({ channel_id, credential }) => channel_id === undefined || credential === undefined, {
    message: "Give `channel_id` or `credential`, not both",
    path: ["credential"],
  });

const filter = z
  .strictObject({
    channel_ids: z.array(idOf(idColumns.channel)).min(1).max(1_000).optional(),
    tags: z.array(key).min(1).max(100).optional().describe("Posts with one of these tags"),
    states: z.array(z.enum(waitingStates)).min(1).optional(),
    source: key.optional().describe("A source that is asked, by its name, or an endpoint's id"),
    created_after: moment.optional(),
    created_before: moment.optional(),
  })
  .refine((given) => Object.keys(given).length > 0, { message: "Say which: at least one of the fields" });

const cancelBody = z
  .strictObject({
    ids: z.array(idOf(idColumns.delivery)).min(1).max(mostAtOnce).optional(),
    filter: filter.optional(),
    reason,
    dry_run: dryRun,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    message: "Give either `ids` or `filter`",
    path: ["filter"],
  });

/** `POST /api/v1/deliveries/recover` and `/cancel`: operations on all deliveries that match, in batches. */
export function manyRoute(app: App, { sql, clock }: DeliveriesDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/deliveries", tag: "deliveries" });

  routes.post(
    "/recover",
    {
      scope: "operate",
      summary:
        "After the cause is mended: send again what failed because of its channel, its platform or for want of attempts",
      body: recoverBody,
      answer: recoveredSchema,
    },
    ({ workspaceId, body, by, dryRun }) =>
      recover(sql, workspaceId, body, { ...by, now: clock.now(), dryRun }),
  );
  routes.post(
    "/cancel",
    {
      scope: "operate",
      summary: "Call off everything that waits and fits, or these deliveries as far as they wait",
      body: cancelBody,
      answer: cancelledSchema,
    },
    ({ workspaceId, body: { ids, filter = {} }, by, dryRun }) => {
      const act = { ...by, now: clock.now(), dryRun };
      return ids ? cancelThese(sql, workspaceId, ids, act) : cancelMany(sql, workspaceId, filter, act);
    },
  );
}
