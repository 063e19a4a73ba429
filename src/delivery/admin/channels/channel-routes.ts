import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { flag, reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { platform } from "../fields.ts";
import { addChannel, changeChannel, deleteChannel } from "./change-channels.ts";
import { channelParams as params } from "./channel-params.ts";
import {
  channelChanges,
  channelSchema,
  channelWithActivity,
  connectionStates,
  newChannel,
} from "./channel-shape.ts";
import type { MessengerDeps } from "./find-chat.ts";
import { withActivity } from "./read-activity.ts";
import { channelPage, readChannel } from "./read-channels.ts";

const filter = {
  platform: platform.optional(),
  enabled: flag.optional(),
  paused: flag.optional(),
  addressed: flag.optional().describe("Only connections of products' users, or only routed channels"),
  connection: z.enum(connectionStates).optional().describe("Only connections in this state"),
  rate_group: z.string().max(200).optional(),
  tag: z.string().max(64).optional(),
  text: z.string().max(200).optional().describe("A part of the title or of the target"),
};

const activity = flag.optional().describe("true: with what waits, the last post, and why it stands still");

export function channelRoutes(app: App, deps: MessengerDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/channels", tag: "channels" });

  routes.list(
    "",
    {
      scope: "read",
      summary: "Channels, oldest first",
      query: { ...filter, activity },
      item: channelWithActivity,
    },
    async ({ workspaceId, query: { activity: wanted, ...query }, page }) => {
      const now = clock.now();
      const found = await channelPage(sql, workspaceId, { ...query, ...page }, now);
      return wanted ? { ...found, items: await withActivity(sql, workspaceId, found.items, now) } : found;
    },
  );
  routes.post(
    "",
    {
      scope: "write",
      summary: "Add a channel; it takes the next post",
      body: newChannel,
      answer: channelSchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => addChannel(deps, workspaceId, body, by),
  );
  routes.get(
    "/:channel_id",
    { scope: "read", summary: "One channel", params, query: { activity }, answer: channelWithActivity },
    async ({ workspaceId, params: { channel_id }, query: { activity: wanted } }) => {
      const now = clock.now();
      const channel = await readChannel(sql, workspaceId, channel_id, now);
      const [whole = channel] = wanted ? await withActivity(sql, workspaceId, [channel], now) : [];
      return whole;
    },
  );
  routes.patch(
    "/:channel_id",
    {
      scope: "write",
      summary:
        "Change a channel; its credential is rotated and its switch is turned by operations of their own",
      params,
      body: channelChanges,
      answer: channelSchema,
    },
    ({ workspaceId, params: { channel_id }, body, by }) =>
      changeChannel(deps, workspaceId, channel_id, body, by),
  );
  routes.delete(
    "/:channel_id",
    {
      scope: "write",
      summary: "Delete a channel with its deliveries",
      params,
      query: { force: flag.optional().describe("Call off what still waits for it"), reason },
    },
    ({ workspaceId, params: { channel_id }, query: { force = false }, by, dryRun }) =>
      deleteChannel(deps, workspaceId, channel_id, by, { force, dryRun }),
  );
}
