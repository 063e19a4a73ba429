import { z } from "zod";
import { type App, problem, wholeId } from "../../../http/index.ts";
import { idOf, inWorkspace, workspaceOf } from "../../../workspaces/index.ts";
import { botPublication, botPublished, publishThroughBots } from "../../bots/publish-by-hand.ts";
import { readConfig } from "../../config/save-config.ts";
import { configChanges, configSchema } from "../../config/shape.ts";
import { accountIdColumns } from "../../id-columns.ts";
import { manualPublication, publishManually } from "../../manual/publish-manually.ts";
import { readObject } from "../../objects/objects.ts";
import { cancelTasks } from "../../queue/cancel.ts";
import { reactivate } from "../../queue/reactivate.ts";
import { whoOf } from "../access.ts";
import { accountSchema, readAccount } from "../accounts.ts";
import { removeAutopublish, saveAutopublish, savedAutopublish } from "../autopublish.ts";
import { paceReasonSchema } from "../pace.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { ofAccount, ofChat, ofObject, ownersRoutes, tags, under, why } from "./request.ts";

const cancelled = z.object({ cancelled: z.int() });

/** What is to be published by whom and where, and publishing by hand. */
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
  app.delete(
    `${under}/objects/:object_id/autopublish`,
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Take the configuration away and call off what waits because of it",
        params: ofObject,
        querystring: z.object({ ...inWorkspace, ...why }),
        response: { 200: cancelled },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const id = await wholeId(sql, workspaceId, accountIdColumns.object, request.params.object_id);
      return removeAutopublish(deps, workspaceId, id, whoOf(request, request.query.reason));
    },
  );

  routes.post(
    "/publish",
    {
      scope: "operate",
      summary: "Publish an object by hand, at the account's pace: in all of the chats or in none",
      body: manualPublication.extend(why),
      answer: z.object({
        queue_ids: z.array(z.uuid()),
        first_time: z.date(),
        last_time: z.date().describe("A slow account may need days"),
        pace: z.array(paceReasonSchema).describe("What makes the account slow, and until when"),
        rate_limited: z.boolean().describe("The account's limiter holds it back by half an hour"),
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
      summary: "Let bots publish an object by hand: in all of the chats or in none",
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
      summary:
        "Call off tasks that nobody has taken yet: by their ids, or all of an object, an account or a chat",
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
      summary: "Switch an account on again; today's waiting tasks get fresh times",
      params: ofAccount,
      body: z.strictObject({
        force: z.boolean().default(false).describe("Before Telegram's wait is over, at the account's risk"),
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
