import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { type AdminDeps, byOf, dryRun, inWorkspace, reason, workspaceOf } from "../../../workspaces/index.ts";
import { key } from "../fields.ts";
import { channelIn, channelParams } from "./named.ts";
import {
  disableChannel,
  disableGroup,
  enableChannel,
  enableGroup,
  type Operation,
  pauseChannel,
} from "./operate.ts";
import { longestWaitSeconds, rotateChannel } from "./rotate.ts";
import { operationReport } from "./shape.ts";

const tags = ["channels"];
const groupParams = z.object({ rate_group: key });
const querystring = z.object(inWorkspace);
const response = { 200: operationReport };

const pauseBody = z
  .strictObject({
    seconds: z.int().min(1).max(31_536_000).optional(),
    until: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .optional(),
    reason,
    dry_run: dryRun,
  })
  .refine(({ seconds, until }) => (seconds === undefined) !== (until === undefined), {
    error: "Give one of seconds and until",
  });

const rotateBody = z.strictObject({
  auth_ref: key,
  rate_group: key.optional(),
  wait_seconds: z.int().min(1).max(longestWaitSeconds).optional(),
  reason,
  dry_run: dryRun,
});

/** The runbook over HTTP: operations 5 to 9. */
export function channelOperationRoutes(app: App, deps: AdminDeps): void {
  const { sql, clock } = deps;

  app.post(
    "/api/v1/channels/:channel_id/pause",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Keep a channel from sending for a while; posts still join its queue",
        params: channelParams,
        querystring,
        body: pauseBody,
        response,
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { seconds = 0, until, reason: why, dry_run } = request.body;
      const end = until ?? new Date(clock.now().getTime() + seconds * 1000);
      const channelId = await channelIn(sql, workspaceId, request.params);
      return pauseChannel(deps, workspaceId, channelId, end, byOf(request, why), { dryRun: dry_run });
    },
  );

  app.post(
    "/api/v1/channels/:channel_id/rotate",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Give a channel another credential between two sends",
        params: channelParams,
        querystring,
        body: rotateBody,
        response,
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run, ...rotation } = request.body;
      const channelId = await channelIn(sql, workspaceId, request.params);
      return rotateChannel(deps, workspaceId, channelId, rotation, byOf(request, why), { dryRun: dry_run });
    },
  );

  const onChannel = (
    verb: string,
    summary: string,
    why: typeof reason | z.ZodOptional<typeof reason>,
    run: Operation,
  ) =>
    app.post(
      `/api/v1/channels/:channel_id/${verb}`,
      {
        config: { scope: "operate" },
        schema: {
          tags,
          summary,
          params: channelParams,
          querystring,
          body: z.strictObject({ reason: why, dry_run: dryRun }),
          response,
        },
      },
      async (request) => {
        const workspaceId = await workspaceOf(sql, request, request.query);
        const by = byOf(request, request.body.reason);
        const channelId = await channelIn(sql, workspaceId, request.params);
        return run(deps, workspaceId, channelId, by, { dryRun: request.body.dry_run });
      },
    );
  onChannel("resume", "End a pause, enable, forget the streak of refusals", reason.optional(), enableChannel);
  onChannel("enable", "The same as resume", reason.optional(), enableChannel);
  onChannel(
    "disable",
    "Switch a channel off: no posts join its queue, none are sent",
    reason,
    disableChannel,
  );

  const onGroup = (verb: string, summary: string, run: Operation) =>
    app.post(
      `/api/v1/rate_groups/:rate_group/${verb}`,
      {
        config: { scope: "operate" },
        schema: {
          tags,
          summary,
          params: groupParams,
          querystring,
          body: z.strictObject({ reason, dry_run: dryRun }),
          response,
        },
      },
      async (request) => {
        const workspaceId = await workspaceOf(sql, request, request.query);
        const by = byOf(request, request.body.reason);
        return run(deps, workspaceId, request.params.rate_group, by, { dryRun: request.body.dry_run });
      },
    );
  onGroup("disable", "Switch off every channel of a rate group", disableGroup);
  onGroup("enable", "Switch on every channel of a rate group, as resume does", enableGroup);
}
