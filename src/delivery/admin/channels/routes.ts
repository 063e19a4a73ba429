import { z } from "zod";
import type { App } from "../../../http/index.ts";
import {
  byOf,
  deletion,
  flag,
  inWorkspace,
  pageQuery,
  pageSchema,
  reason,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { platform } from "../fields.ts";
import type { MessengerDeps } from "./find-chat.ts";
import { channelIn, channelParams } from "./named.ts";
import { channelPage, readChannel } from "./read.ts";
import { channelChanges, channelSchema, newChannel } from "./shape.ts";
import { addChannel, changeChannel, deleteChannel } from "./write.ts";

const tags = ["channels"];
const params = channelParams;
const querystring = z.object(inWorkspace);

export function channelRoutes(app: App, deps: MessengerDeps): void {
  const { sql, clock } = deps;

  app.get(
    "/api/v1/channels",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Channels, oldest first",
        querystring: z.object({
          ...inWorkspace,
          platform: platform.optional(),
          enabled: flag.optional(),
          paused: flag.optional(),
          rate_group: z.string().max(200).optional(),
          tag: z.string().max(64).optional(),
          text: z.string().max(200).optional().describe("A part of the title or of the target"),
          ...pageQuery,
        }),
        response: { 200: pageSchema(channelSchema) },
      },
    },
    async (request) =>
      channelPage(sql, await workspaceOf(sql, request, request.query), request.query, clock.now()),
  );

  app.post(
    "/api/v1/channels",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Add a channel; it takes the next post",
        querystring,
        body: newChannel,
        response: { 201: channelSchema },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...fields } = request.body;
      return reply.code(201).send(await addChannel(deps, workspaceId, fields, byOf(request, why)));
    },
  );

  app.get(
    "/api/v1/channels/:channel_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One channel", params, querystring, response: { 200: channelSchema } },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return readChannel(sql, workspaceId, await channelIn(sql, workspaceId, request.params), clock.now());
    },
  );

  app.patch(
    "/api/v1/channels/:channel_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary:
          "Change a channel; its credential is rotated and its switch is turned by operations of their own",
        params,
        querystring,
        body: channelChanges,
        response: { 200: channelSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...fields } = request.body;
      const channelId = await channelIn(sql, workspaceId, request.params);
      return changeChannel(deps, workspaceId, channelId, fields, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/channels/:channel_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Delete a channel with its deliveries",
        params,
        querystring: z.object({
          ...deletion,
          force: flag.optional().describe("Call off what still waits for it"),
          reason,
        }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { force = false, reason: why, dry_run: dryRun = false } = request.query;
      const workspaceId = await workspaceOf(sql, request, request.query);
      const channelId = await channelIn(sql, workspaceId, request.params);
      await deleteChannel(deps, workspaceId, channelId, byOf(request, why), { force, dryRun });
      return reply.code(204).send();
    },
  );
}
