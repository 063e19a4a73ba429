import { z } from "zod";
import { type App, idText, problem } from "../../../http/index.ts";
import { botPublication, botPublished, publishThroughBots } from "../../bots/publish-by-hand.ts";
import { readConfig } from "../../config/save-config.ts";
import { configChanges, configSchema } from "../../config/shape.ts";
import { manualPublication, publishManually } from "../../manual/publish-manually.ts";
import { readObject } from "../../objects/objects.ts";
import { cancelTasks } from "../../queue/cancel.ts";
import { reactivate } from "../../queue/reactivate.ts";
import { accountSchema, readAccount } from "../accounts.ts";
import { removeAutopublish, saveAutopublish, savedAutopublish } from "../autopublish.ts";
import { paceReasonSchema } from "../pace.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { asked, querystring, why } from "./request.ts";
import { wholeIdsIn } from "./whole-ids.ts";

const tags = ["accounts"];
const objectParams = z.object({ object_id: idText });

/** What is to be published by whom and where, and publishing by hand. */
export function configRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts/objects/:object_id/autopublish",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "The object's autopublish configuration",
        params: objectParams,
        querystring,
        response: { 200: configSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const { object_id } = request.params;
      await readObject(sql, workspaceId, object_id, who);
      const config = await readConfig(sql, workspaceId, object_id);
      if (!config) throw problem("not_found", { detail: "The object has no configuration." });
      return config;
    },
  );

  app.put(
    "/api/v1/accounts/objects/:object_id/autopublish",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Save the configuration; it takes effect at once",
        params: objectParams,
        querystring,
        body: configChanges.extend({ reason: why }),
        response: { 200: savedAutopublish },
      },
    },
    async (request) => {
      const { reason, ...changes } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return saveAutopublish(
        deps,
        workspaceId,
        request.params.object_id,
        await wholeIdsIn(sql, workspaceId, changes),
        who,
      );
    },
  );

  app.delete(
    "/api/v1/accounts/objects/:object_id/autopublish",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Take the configuration away and call off what waits because of it",
        params: objectParams,
        querystring: querystring.extend({ reason: why }),
        response: { 200: z.object({ cancelled: z.int() }) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request, request.query.reason);
      return removeAutopublish(deps, workspaceId, request.params.object_id, who);
    },
  );

  app.post(
    "/api/v1/accounts/publish",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Publish an object by hand, at the account's pace: in all of the chats or in none",
        querystring,
        body: manualPublication.extend({ reason: why }),
        response: {
          201: z.object({
            queue_ids: z.array(z.uuid()),
            first_time: z.date(),
            last_time: z.date().describe("A slow account may need days"),
            pace: z.array(paceReasonSchema).describe("What makes the account slow, and until when"),
            rate_limited: z.boolean().describe("The account's limiter holds it back by half an hour"),
          }),
        },
      },
    },
    async (request, reply) => {
      const { reason, ...wanted } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      const whole = await wholeIdsIn(sql, workspaceId, wanted);
      const planned = await publishManually(deps, workspaceId, whole, who);
      return reply.code(201).send({ ...planned, queue_ids: [...planned.queue_ids], pace: [...planned.pace] });
    },
  );

  app.post(
    "/api/v1/accounts/publish/bots",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Let bots publish an object by hand: in all of the chats or in none",
        querystring,
        body: botPublication.extend({ reason: why }),
        response: { 201: botPublished },
      },
    },
    async (request, reply) => {
      const { reason, ...wanted } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      const whole = await wholeIdsIn(sql, workspaceId, wanted);
      return reply.code(201).send(await publishThroughBots(deps.bots, workspaceId, whole, who));
    },
  );

  app.post(
    "/api/v1/accounts/queue/cancel",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary:
          "Call off tasks that nobody has taken yet: by their ids, or all of an object, an account or a chat",
        querystring,
        body: z.strictObject({
          ids: z.array(idText).min(1).max(1000).optional(),
          object_id: idText.optional(),
          account_id: idText.optional(),
          chat_id: idText.optional(),
          reason: why,
        }),
        response: { 200: z.object({ cancelled: z.int() }) },
      },
    },
    async (request) => {
      const { reason, ...which } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return cancelTasks(deps, workspaceId, await wholeIdsIn(sql, workspaceId, which), who);
    },
  );

  app.post(
    "/api/v1/accounts/:account_id/reactivate",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Switch an account on again; today's waiting tasks get fresh times",
        params: z.object({ account_id: idText }),
        querystring,
        body: z.strictObject({
          force: z.boolean().default(false).describe("Before Telegram's wait is over, at the account's risk"),
          reason: why,
        }),
        response: { 200: z.object({ account: accountSchema, resumed: z.int(), expired: z.int() }) },
      },
    },
    async (request) => {
      const { force, reason } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      const { account_id } = request.params;
      const done = await reactivate(deps, workspaceId, account_id, { ...who, force });
      return { account: await readAccount(deps, workspaceId, account_id, who), ...done };
    },
  );
}
