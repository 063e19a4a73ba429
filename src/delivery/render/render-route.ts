import type { App } from "../../http/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { type RenderDeps, renderPost } from "./render-post.ts";
import { renderBody, renderReport } from "./render-shape.ts";

/** `POST /api/v1/render`: a post as a channel would show it. */
export function renderRoute(app: App, deps: RenderDeps): void {
  workspaceRoutes(app, deps.sql, { under: "/api/v1/render", tag: "messages" }).post(
    "",
    {
      scope: "read",
      summary: "What a channel would show of a post, the requests that would be sent, and what would be lost",
      body: renderBody,
      answer: renderReport,
    },
    ({ workspaceId, body }) => renderPost(deps, workspaceId, body),
  );
}
