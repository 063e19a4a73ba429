import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { type App, callerOf, idText, problem, wholeId, wholeIds } from "../../http/index.ts";
import { dryRun, inWorkspace, reason, workspaceOf } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import {
  type Act,
  mostAtOnce,
  type Operation,
  operate,
  operatedSchema,
  releaseStuck,
  requeueCandidates,
} from "./operations.ts";
import { idParams, moment } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";

const filterSchema = z.strictObject({
  status: z
    .array(z.enum(["dead", "failed_permanent"]))
    .min(1)
    .optional()
    .describe('["dead"] unless given'),
  channel_id: idText.optional(),
  message_id: idText.optional(),
  since: moment.optional(),
});

const requeueBody = z
  .strictObject({
    ids: z.array(idText).min(1).max(mostAtOnce).optional(),
    filter: filterSchema.optional(),
    reason,
    dry_run: dryRun,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    message: "Give either `ids` or `filter`",
    path: ["ids"],
  });

const changed = z.object({
  dry_run: z.boolean(),
  changed: z.int(),
  items: z.array(operatedSchema),
});

/** The operations on one delivery: their path, and what they are called in the description. */
const single: readonly { readonly path: string; readonly operation: Operation; readonly summary: string }[] =
  [
    { path: "cancel", operation: "cancel", summary: "Call a waiting delivery off" },
    { path: "hold", operation: "hold", summary: "Keep a waiting delivery back" },
    { path: "release", operation: "release", summary: "Let a held delivery go on" },
    {
      path: "send-now",
      operation: "send_now",
      summary: "Do not wait for its time any longer; the pace of the channel stays in force",
    },
  ];

/** Who acts by this request. */
export function actOfRequest(request: FastifyRequest, now: Date, why: string, dryRun?: boolean): Act {
  return { operator: callerOf(request).name, reason: why, now, dryRun };
}

/** `POST /api/v1/deliveries/…`: what operators do, each with a reason, each in the audit trail. */
export function operationsRoute(app: App, { sql, clock }: DeliveriesDeps): void {
  const tags = ["deliveries"];
  const actOf = (request: FastifyRequest, why: string, dry?: boolean) =>
    actOfRequest(request, clock.now(), why, dry);

  app.route({
    method: "POST",
    url: "/api/v1/deliveries/requeue",
    config: { scope: "operate" },
    schema: {
      tags,
      summary:
        "Send dead deliveries again, or those that failed for a fault of their own; one more attempt each",
      querystring: z.object(inWorkspace),
      body: requeueBody,
      response: { 200: changed },
    },
    async handler(request) {
      const { ids, filter = {}, reason: why, dry_run = false } = request.body;
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { channel_id, message_id } = filter;
      const chosen = ids
        ? await wholeIds(sql, workspaceId, idColumns.delivery, ids, "/ids")
        : await requeueCandidates(sql, workspaceId, {
            statuses: filter.status,
            channelId: channel_id && (await wholeId(sql, workspaceId, idColumns.channel, channel_id)),
            messageId: message_id && (await wholeId(sql, workspaceId, idColumns.message, message_id)),
            since: filter.since,
          });
      const items = await operate(sql, workspaceId, "requeue", chosen, actOf(request, why, dry_run));
      return { dry_run, changed: items.filter(({ refusal }) => refusal === null).length, items };
    },
  });

  app.route({
    method: "POST",
    url: "/api/v1/deliveries/release-stuck",
    config: { scope: "operate" },
    schema: {
      tags,
      summary: "Take back what has been claimed or sending for too long",
      querystring: z.object(inWorkspace),
      body: z.strictObject({
        older_than_seconds: z.int().min(1).max(604_800).default(600),
        reason,
        dry_run: dryRun,
      }),
      response: { 200: changed },
    },
    async handler(request) {
      const { older_than_seconds, reason: why, dry_run = false } = request.body;
      const workspaceId = await workspaceOf(sql, request, request.query);
      const items = await releaseStuck(sql, workspaceId, older_than_seconds, actOf(request, why, dry_run));
      return { dry_run, changed: items.length, items };
    },
  });

  for (const { path, operation, summary } of single) {
    app.route({
      method: "POST",
      url: `/api/v1/deliveries/:id/${path}`,
      config: { scope: "operate" },
      schema: {
        tags,
        summary,
        params: idParams,
        querystring: z.object(inWorkspace),
        body: z.strictObject({ reason }),
        response: { 200: operatedSchema },
      },
      async handler(request) {
        const workspaceId = await workspaceOf(sql, request, request.query);
        const act = actOf(request, request.body.reason);
        const id = await wholeId(sql, workspaceId, idColumns.delivery, request.params.id);
        const [operated] = await operate(sql, workspaceId, operation, [id], act);
        if (!operated?.was) throw problem("not_found", { detail: "There is no such delivery." });
        if (operated.refusal)
          throw problem("conflict", { detail: `The delivery stays as it is: ${operated.refusal}.` });
        return operated;
      },
    });
  }
}
