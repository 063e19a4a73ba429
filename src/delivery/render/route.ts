import { z } from "zod";
import { type App, wholeId } from "../../http/index.ts";
import { inWorkspace, workspaceOf } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { type RenderDeps, renderPost } from "./render-post.ts";
import { renderBody, renderReport } from "./shape.ts";

/** `POST /api/v1/render`: a post as a channel would show it. */
export function renderRoute(app: App, deps: RenderDeps): void {
  app.post(
    "/api/v1/render",
    {
      config: { scope: "read" },
      schema: {
        tags: ["messages"],
        summary:
          "What a channel would show of a post, the requests that would be sent, and what would be lost",
        querystring: z.object(inWorkspace),
        body: renderBody,
        response: { 200: renderReport },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(deps.sql, request, request.query);
      const { channel_id } = request.body;
      return renderPost(deps, workspaceId, {
        ...request.body,
        channel_id: await wholeId(deps.sql, workspaceId, idColumns.channel, channel_id, "/channel_id"),
      });
    },
  );
}
