import { setTimeout as delay } from "node:timers/promises";
import { actAs } from "../../../audit/index.ts";
import { problem } from "../../../http/index.ts";
import type { AdminDeps, By } from "../../../workspaces/index.ts";
import { inOneChange, wakeDispatcher } from "../change.ts";
import type { Channel, OperationReport } from "./channel-shape.ts";
import { changeOf, type OperationOptions, pauseChannel } from "./operate-channels.ts";
import { lockChannel, readChannel } from "./read-channels.ts";

export interface Rotation {
  readonly auth_ref: string;
  readonly rate_group?: string | undefined;
  /** How long to wait for sends in progress; without it, a send in progress is a reason to refuse. */
  readonly wait_seconds?: number | undefined;
}

/** The longest pause of the channel that waiting may cause. */
export const longestWaitSeconds = 120;

const askAgainAfterMs = 200;

/**
 * Gives a channel another credential between two sends. Waiting pauses the channel, so that sends in progress end and none
 * begin. The pause lasts as long as the wait; the switch ends it, or it ends by itself if this process dies.
 */
export async function rotateChannel(
  deps: AdminDeps,
  workspaceId: string,
  channelId: string,
  rotation: Rotation,
  by: By,
  { dryRun = false }: OperationOptions = {},
): Promise<OperationReport> {
  const before = await readChannel(deps.sql, workspaceId, channelId, deps.clock.now());
  const attempt = (pausedUntil?: Date) =>
    switchBetweenSends(deps, workspaceId, { before, rotation, by, dryRun, pausedUntil });
  const waitMs = dryRun ? 0 : (rotation.wait_seconds ?? 0) * 1000;
  const after = (await attempt()) ?? (waitMs > 0 ? await afterDraining() : undefined);
  if (!after)
    throw problem("conflict", {
      detail: "Something is being sent to the channel this moment. Give `wait_seconds`, or try again later.",
    });
  return { dry_run: dryRun, channels: [changeOf(before, after)] };

  async function afterDraining(): Promise<Channel | undefined> {
    const until = new Date(deps.clock.now().getTime() + waitMs);
    if (!before.paused_until || before.paused_until < until)
      await pauseChannel(deps, workspaceId, channelId, until, by);
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      await delay(askAgainAfterMs);
      const switched = await attempt(until);
      if (switched) return switched;
    }
    return undefined;
  }
}

interface Switch {
  readonly before: Channel;
  readonly rotation: Rotation;
  readonly by: By;
  readonly dryRun: boolean;
  /** The pause that waiting has set; the switch removes it. */
  readonly pausedUntil: Date | undefined;
}

/** Returns the channel after the switch; undefined while something is being sent. */
function switchBetweenSends(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { before, rotation, by, dryRun, pausedUntil }: Switch,
): Promise<Channel | undefined> {
  const now = clock.now();
  const { channel_id } = before;
  return inOneChange(
    sql,
    async (tx) => {
      await actAs(tx, by);
      const channel = await lockChannel(tx, workspaceId, channel_id, now);
      const [{ outcome }] = await tx<[{ outcome: "rotated" | "not_found" | "unbound" | "sending" }]>`
        select delivery.rotate_channel_auth(${workspaceId}, ${channel_id}, ${rotation.auth_ref},
          ${rotation.rate_group ?? null}, ${by.operator}, ${by.reason ?? null}, ${now}) as outcome`;
      if (outcome === "sending") return undefined;
      if (outcome === "unbound") throw unbound(channel.platform, rotation.auth_ref);
      if (pausedUntil && channel.paused_until?.getTime() === pausedUntil.getTime()) {
        await tx`
          update delivery.channels set paused_until = ${before.paused_until}
          where workspace_id = ${workspaceId} and channel_id = ${channel_id}`;
        await wakeDispatcher(tx, workspaceId);
      }
      return readChannel(tx, workspaceId, channel_id, now);
    },
    { dryRun },
  );
}

function unbound(platform: string, authRef: string) {
  const detail = `No ${platform} credential is called ${authRef}: bind its token first.`;
  return problem("unprocessable", { detail, errors: [{ pointer: "/auth_ref", detail }] });
}
