import { z } from "zod";
import { type App, idText, wholeId, wholeIds } from "../../http/index.ts";
import { dryRun, inWorkspace, reason, workspaceOf } from "../../workspaces/index.ts";
import { key, platform } from "../admin/fields.ts";
import { idColumns } from "../id-columns.ts";
import { cancelledSchema, cancelMany, waitingStates } from "./cancel-many.ts";
import { actOfRequest } from "./operations-route.ts";
import { recover, recoveredSchema } from "./recover.ts";
import { moment } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";

const recoverBody = z
  .strictObject({
    since: moment.describe("What failed since then"),
    channel_id: idText.optional().describe("Only of this channel"),
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
    channel_ids: z.array(idText).min(1).max(1_000).optional(),
    tags: z.array(key).min(1).max(100).optional().describe("Posts with one of these tags"),
    states: z.array(z.enum(waitingStates)).min(1).optional(),
    source: key.optional().describe("A source that is asked, by its name, or an endpoint's id"),
    created_after: moment.optional(),
    created_before: moment.optional(),
  })
  .refine((given) => Object.keys(given).length > 0, { message: "Say which: at least one of the fields" });

/** `POST /api/v1/deliveries/recover` and `/cancel`: operations on as many as fit, in sets. */
export function manyRoute(app: App, { sql, clock }: DeliveriesDeps): void {
  const tags = ["deliveries"];
  const querystring = z.object(inWorkspace);

  app.route({
    method: "POST",
    url: "/api/v1/deliveries/recover",
    config: { scope: "operate" },
    schema: {
      tags,
      summary:
        "After the cause is mended: send again what failed because of its channel, its platform or for want of attempts",
      querystring,
      body: recoverBody,
      response: { 200: recoveredSchema },
    },
    async handler(request) {
      const { since, channel_id, credential, resume, reason: why, dry_run } = request.body;
      const workspaceId = await workspaceOf(sql, request, request.query);
      const channelId = channel_id && (await wholeId(sql, workspaceId, idColumns.channel, channel_id));
      const scope = { since, channelId, credential, resume };
      return recover(sql, workspaceId, scope, actOfRequest(request, clock.now(), why, dry_run));
    },
  });

  app.route({
    method: "POST",
    url: "/api/v1/deliveries/cancel",
    config: { scope: "operate" },
    schema: {
      tags,
      summary: "Call off everything that waits and fits",
      querystring,
      body: z.strictObject({ filter, reason, dry_run: dryRun }),
      response: { 200: cancelledSchema },
    },
    async handler(request) {
      const { filter: given, reason: why, dry_run } = request.body;
      const workspaceId = await workspaceOf(sql, request, request.query);
      const waiting = {
        channelIds:
          given.channel_ids && (await wholeIds(sql, workspaceId, idColumns.channel, given.channel_ids)),
        tags: given.tags,
        states: given.states,
        source: given.source,
        createdAfter: given.created_after,
        createdBefore: given.created_before,
      };
      return cancelMany(sql, workspaceId, waiting, actOfRequest(request, clock.now(), why, dry_run));
    },
  });
}
