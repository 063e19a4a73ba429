import type { App } from "../../../../http/index.ts";
import { workspaceRoutes } from "../../../../workspaces/index.ts";
import { channelParams as params } from "../channel-params.ts";
import { channelTest } from "./channel-test-shape.ts";
import { type ChannelTestDeps, testChannel } from "./test-channel.ts";

export function channelTestRoute(app: App, deps: ChannelTestDeps): void {
  workspaceRoutes(app, deps.sql, { under: "/api/v1/channels", tag: "channels" }).post(
    "/:channel_id/test",
    {
      scope: "operate",
      summary: "Ask the messenger whether the channel's bot may post; nothing is posted",
      params,
      answer: channelTest,
    },
    ({ workspaceId, params: { channel_id } }) => testChannel(deps, workspaceId, channel_id),
  );
}
