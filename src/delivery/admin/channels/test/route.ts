import { z } from "zod";
import type { App } from "../../../../http/index.ts";
import { inWorkspace, workspaceOf } from "../../../../workspaces/index.ts";
import { channelIn, channelParams } from "../named.ts";
import { channelTest } from "./shape.ts";
import { type ChannelTestDeps, testChannel } from "./test-channel.ts";

export function channelTestRoute(app: App, deps: ChannelTestDeps): void {
  app.post(
    "/api/v1/channels/:channel_id/test",
    {
      config: { scope: "operate" },
      schema: {
        tags: ["channels"],
        summary: "Ask the messenger whether the channel's bot may post; nothing is posted",
        params: channelParams,
        querystring: z.object(inWorkspace),
        response: { 200: channelTest },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(deps.sql, request, request.query);
      return testChannel(deps, workspaceId, await channelIn(deps.sql, workspaceId, request.params));
    },
  );
}
