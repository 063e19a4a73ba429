import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { type AdminDeps, dryRun, reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { key } from "../fields.ts";
import { channelParams as params } from "./channel-params.ts";
import { operationReport } from "./channel-shape.ts";
import {
  disableChannel,
  disableGroup,
  enableChannel,
  enableGroup,
  pauseChannel,
} from "./operate-channels.ts";
import { longestWaitSeconds, rotateChannel } from "./rotate-channel.ts";

const operate = { scope: "operate", answer: operationReport } as const;
const groupParams = z.object({ rate_group: key });
const justified = z.strictObject({ reason, dry_run: dryRun });
const explained = z.strictObject({ reason: reason.optional(), dry_run: dryRun });

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

/** The runbook's operations 5 to 9 over HTTP. */
export function channelOperationRoutes(app: App, deps: AdminDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1", tag: "channels" });

  routes.post(
    "/channels/:channel_id/pause",
    {
      ...operate,
      summary: "Keep a channel from sending for a while; posts still join its queue",
      params,
      body: pauseBody,
    },
    ({ workspaceId, params: { channel_id }, body: { seconds = 0, until }, by, dryRun }) => {
      const end = until ?? new Date(clock.now().getTime() + seconds * 1000);
      return pauseChannel(deps, workspaceId, channel_id, end, by, { dryRun });
    },
  );
  routes.post(
    "/channels/:channel_id/rotate",
    {
      ...operate,
      summary: "Give a channel another credential between two sends",
      params,
      body: rotateBody,
    },
    ({ workspaceId, params: { channel_id }, body, by, dryRun }) =>
      rotateChannel(deps, workspaceId, channel_id, body, by, { dryRun }),
  );
  for (const [verb, body, run, summary] of [
    ["resume", explained, enableChannel, "End a pause, enable, forget the streak of refusals"],
    ["enable", explained, enableChannel, "The same as resume"],
    ["disable", justified, disableChannel, "Switch a channel off: no posts join its queue, none are sent"],
  ] as const)
    routes.post(
      `/channels/:channel_id/${verb}`,
      { ...operate, summary, params, body },
      ({ workspaceId, params: { channel_id }, by, dryRun }) =>
        run(deps, workspaceId, channel_id, by, { dryRun }),
    );
  for (const [verb, run, summary] of [
    ["disable", disableGroup, "Switch off every channel of a rate group"],
    ["enable", enableGroup, "Switch on every channel of a rate group, as resume does"],
  ] as const)
    routes.post(
      `/rate_groups/:rate_group/${verb}`,
      { ...operate, summary, params: groupParams, body: justified },
      ({ workspaceId, params: { rate_group }, by, dryRun }) =>
        run(deps, workspaceId, rate_group, by, { dryRun }),
    );
}
