import { z } from "zod";
import { type App, problem } from "../../../http/index.ts";
import { idOf } from "../../../workspaces/index.ts";
import { botPublication, botPublished, publishThroughBots } from "../../bots/publish-through-bots.ts";
import { configChanges, configSchema } from "../../config/config-schema.ts";
import { readConfig } from "../../config/save-config.ts";
import { accountIdColumns } from "../../id-columns.ts";
import { manualPublication, publishManually } from "../../manual/publish-manually.ts";
import { readObject } from "../../objects/objects.ts";
import { cancelTasks } from "../../queue/cancel-tasks.ts";
import { reactivate } from "../../queue/reactivate.ts";
import { whoOf } from "../access.ts";
import { accountSchema, readAccount } from "../accounts.ts";
import { removeAutopublish, saveAutopublish, savedAutopublish } from "../autopublish.ts";
import { paceReasonSchema } from "../pace-view.ts";
import { type AccountRoutesDeps, ofAccount, ofChat, ofObject, ownersRoutes, why } from "./owners-routes.ts";

const cancelled = z.object({ cancelled: z.int() });

/** Autopublish configurations, publishing by hand, and the queue's controls. */
export function configRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.get(
    "/objects/:object_id/autopublish",
    {
      scope: "read",
      summary: "The object's autopublish configuration",
      params: ofObject,
      answer: configSchema,
    },
    async ({ workspaceId, params: { object_id }, request }) => {
      await readObject(sql, workspaceId, object_id, whoOf(request));
      const config = await readConfig(sql, workspaceId, object_id);
      if (!config) throw problem("not_found", { detail: "The object has no configuration." });
      return config;
    },
  );
  routes.put(
    "/objects/:object_id/autopublish",
    {
      scope: "write",
      summary: "Save the configuration; it takes effect at once",
      params: ofObject,
      body: configChanges.extend(why),
      answer: savedAutopublish,
    },
    ({ workspaceId, params: { object_id }, body, by, request }) =>
      saveAutopublish(deps, workspaceId, object_id, body, whoOf(request, by.reason)),
  );
  routes.deleteAndTell(
    "/objects/:object_id/autopublish",
    {
      scope: "write",
      summary: "Delete the configuration and cancel its pending tasks",
      params: ofObject,
      query: why,
      answer: cancelled,
    },
    ({ workspaceId, params: { object_id }, by, request }) =>
      removeAutopublish(deps, workspaceId, object_id, whoOf(request, by.reason)),
  );

  routes.post(
    "/publish",
    {
      scope: "operate",
      summary: "Publish an object by hand at the account's pace: to all of the chats or none",
      body: manualPublication.extend(why),
      answer: z.object({
        queue_ids: z.array(z.uuid()),
        first_time: z.date(),
        last_time: z.date().describe("May be days away for a slow account"),
        pace: z.array(paceReasonSchema).describe("Why the account is slow, and until when"),
        rate_limited: z.boolean().describe("The account's limiter delays it by half an hour"),
      }),
      status: 201,
    },
    async ({ workspaceId, body, by, request }) => {
      const planned = await publishManually(deps, workspaceId, body, whoOf(request, by.reason));
      return { ...planned, queue_ids: [...planned.queue_ids], pace: [...planned.pace] };
    },
  );
  routes.post(
    "/publish/bots",
    {
      scope: "operate",
      summary: "Publish an object through bots by hand: to all of the chats or none",
      body: botPublication.extend(why),
      answer: botPublished,
      status: 201,
    },
    ({ workspaceId, body, by, request }) =>
      publishThroughBots(deps.bots, workspaceId, body, whoOf(request, by.reason)),
  );
  routes.post(
    "/queue/cancel",
    {
      scope: "operate",
      summary: "Cancel pending tasks: by id, or all of an object, an account or a chat",
      body: z.strictObject({
        ids: z.array(idOf(accountIdColumns.task)).min(1).max(1000).optional(),
        ...ofObject.partial().shape,
        ...ofAccount.partial().shape,
        ...ofChat.partial().shape,
        ...why,
      }),
      answer: cancelled,
    },
    ({ workspaceId, body, by, request }) => cancelTasks(deps, workspaceId, body, whoOf(request, by.reason)),
  );
  routes.post(
    "/:account_id/reactivate",
    {
      scope: "operate",
      summary: "Switch an account on again; its pending tasks are rescheduled",
      params: ofAccount,
      body: z.strictObject({
        force: z
          .boolean()
          .default(false)
          .describe("Even before Telegram's wait is over, at the account's risk"),
        ...why,
      }),
      answer: z.object({ account: accountSchema, resumed: z.int(), expired: z.int() }),
    },
    async ({ workspaceId, params: { account_id }, body: { force }, by, request }) => {
      const who = whoOf(request, by.reason);
      const done = await reactivate(deps, workspaceId, account_id, { ...who, force });
      return { account: await readAccount(deps, workspaceId, account_id, who), ...done };
    },
  );
}
