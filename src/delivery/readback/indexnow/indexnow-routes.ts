import { z } from "zod";
import { type App, lineOfText } from "../../../http/index.ts";
import { reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { channelParams as params } from "../../admin/channels/channel-params.ts";
import {
  dropIndexNow,
  type IndexNowKeyDeps,
  indexNowSchema,
  readIndexNowKey,
  setUpIndexNow,
} from "./indexnow-key.ts";

export const indexNowBody = z.strictObject({
  folder: lineOfText({ min: 1, max: 2000 })
    .optional()
    .describe(
      "The address of the folder that holds the file, where it is not the root of the host. The key then speaks for that folder only",
    ),
  reason: reason.optional(),
});

/** The IndexNow key of a channel's site, over HTTP. */
export function indexNowRoutes(app: App, deps: IndexNowKeyDeps): void {
  const routes = workspaceRoutes(app, deps.sql, { under: "/api/v1/channels", tag: "channels" });
  routes.get(
    "/:channel_id/indexnow",
    {
      scope: "read",
      summary: "The key by which search engines are told of the channel's pages",
      params,
      answer: indexNowSchema,
    },
    ({ workspaceId, params: { channel_id } }) => readIndexNowKey(deps.sql, workspaceId, channel_id),
  );
  routes.post(
    "/:channel_id/indexnow",
    {
      scope: "write",
      summary: "Make a key unless there is one, and look whether its file is on the site",
      params,
      body: indexNowBody,
      answer: indexNowSchema,
    },
    ({ workspaceId, params: { channel_id }, body: { folder }, by }) =>
      setUpIndexNow(deps, workspaceId, channel_id, { folder }, by),
  );
  routes.delete(
    "/:channel_id/indexnow",
    {
      scope: "write",
      summary: "Give the key up: search engines are told nothing any more",
      params,
      query: { reason },
    },
    ({ workspaceId, params: { channel_id }, by }) => dropIndexNow(deps, workspaceId, channel_id, by),
  );
}
