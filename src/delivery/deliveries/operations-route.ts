import { z } from "zod";
import { type App, problem } from "../../http/index.ts";
import { dryRun, idOf, reason, workspaceRoutes } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import {
  mostAtOnce,
  type Operated,
  type Operation,
  operate,
  operatedSchema,
  releaseStuck,
  requeueCandidates,
  reschedule,
} from "./operations.ts";
import { moment } from "./request.ts";
import type { DeliveriesDeps } from "./routes.ts";

const filterSchema = z.strictObject({
  status: z
    .array(z.enum(["dead", "failed_permanent"]))
    .min(1)
    .optional()
    .describe('["dead"] unless given'),
  channel_id: idOf(idColumns.channel).optional(),
  message_id: idOf(idColumns.message).optional(),
  since: moment.optional(),
});

const requeueBody = z
  .strictObject({
    ids: z.array(idOf(idColumns.delivery)).min(1).max(mostAtOnce).optional(),
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

/** The operations on one delivery: path, and summary in the API description. */
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

/** `POST /api/v1/deliveries/…`: operators' actions, each with a reason, each in the audit trail. */
export function operationsRoute(app: App, { sql, clock }: DeliveriesDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/deliveries", tag: "deliveries" });

  routes.post(
    "/requeue",
    {
      scope: "operate",
      summary:
        "Send dead deliveries again, or those that failed for a fault of their own; one more attempt each",
      body: requeueBody,
      answer: changed,
    },
    async ({ workspaceId, body: { ids, filter = {} }, by, dryRun }) => {
      const chosen = ids ?? (await requeueCandidates(sql, workspaceId, filter));
      const act = { ...by, now: clock.now(), dryRun };
      const items = await operate(sql, workspaceId, "requeue", chosen, act);
      return { dry_run: dryRun, changed: items.filter(({ refusal }) => refusal === null).length, items };
    },
  );
  routes.post(
    "/release-stuck",
    {
      scope: "operate",
      summary: "Take back what has been claimed or sending for too long",
      body: z.strictObject({
        older_than_seconds: z.int().min(1).max(604_800).default(600),
        reason,
        dry_run: dryRun,
      }),
      answer: changed,
    },
    async ({ workspaceId, body: { older_than_seconds }, by, dryRun }) => {
      const act = { ...by, now: clock.now(), dryRun };
      const items = await releaseStuck(sql, workspaceId, older_than_seconds, act);
      return { dry_run: dryRun, changed: items.length, items };
    },
  );
  for (const { path, operation, summary } of single)
    routes.post(
      `/:id/${path}`,
      {
        scope: "operate",
        summary,
        params: z.object({ id: idOf(idColumns.delivery) }),
        body: z.strictObject({ reason }),
        answer: operatedSchema,
      },
      async ({ workspaceId, params: { id }, by }) =>
        changedOne(await operate(sql, workspaceId, operation, [id], { ...by, now: clock.now() })),
    );
  routes.post(
    "/:id/reschedule",
    {
      scope: "operate",
      summary:
        "Send a waiting delivery at another time; it overrides a closed window, not the pace of the channel",
      params: z.object({ id: idOf(idColumns.delivery) }),
      body: z.strictObject({
        at: moment.describe("In the future, a year ahead at most"),
        reason,
        dry_run: dryRun,
      }),
      answer: operatedSchema,
    },
    async ({ workspaceId, params: { id }, body: { at }, by, dryRun }) =>
      changedOne(await reschedule(sql, workspaceId, [id], at, { ...by, now: clock.now(), dryRun })),
  );
}

function changedOne([operated]: readonly Operated[]): Operated {
  if (!operated?.was) throw problem("not_found", { detail: "There is no such delivery." });
  if (operated.refusal)
    throw problem("conflict", { detail: `The delivery stays as it is: ${operated.refusal}.` });
  return operated;
}
