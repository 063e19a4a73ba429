/** The runbook's operations on channels: pause, enable, disable; the last two also for a whole rate group. */

import { actAs } from "../../../audit/index.ts";
import { problem } from "../../../http/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import { type AdminDeps, type By, differences } from "../../../workspaces/index.ts";
import { inOneChange } from "../change.ts";
import type { Channel, OperationReport } from "./channel-shape.ts";
import { lockChannel, lockGroup } from "./read-channels.ts";

export interface OperationOptions {
  readonly dryRun?: boolean | undefined;
}

/** An operation on a channel by its id, or on a rate group by its name. */
export type Operation = (
  deps: AdminDeps,
  workspaceId: string,
  subject: string,
  by: By,
  options?: OperationOptions,
) => Promise<OperationReport>;

/** Also resumes: ends a pause and resets the count of refusals in a row. */
export const enableChannel = operation(lockOne, "enable_channel");
export const disableChannel = operation(lockOne, "disable_channel");
export const enableGroup = operation(lockGroup, "enable_group");
export const disableGroup = operation(lockGroup, "disable_group");

export async function pauseChannel(
  deps: AdminDeps,
  workspaceId: string,
  channelId: string,
  until: Date,
  by: By,
  options: OperationOptions = {},
): Promise<OperationReport> {
  const now = deps.clock.now();
  if (until <= now) {
    const detail = "The pause would end before it begins.";
    throw problem("unprocessable", { detail, errors: [{ pointer: "/until", detail }] });
  }
  return operate(deps, by, options, {
    look: (tx) => lockOne(tx, workspaceId, channelId, now),
    run: (tx) => tx`
      select delivery.pause_channel(${workspaceId}, ${channelId}, ${until}, ${by.operator}, ${by.reason ?? null}, ${now})`,
  });
}

type Look = (tx: Transaction, workspaceId: string, subject: string, now: Date) => Promise<Channel[]>;

function operation(look: Look, functionName: string): Operation {
  return (deps, workspaceId, subject, by, options = {}) => {
    const now = deps.clock.now();
    return operate(deps, by, options, {
      look: (tx) => look(tx, workspaceId, subject, now),
      run: (tx) => tx`
        select delivery.${tx(functionName)}(${workspaceId}, ${subject}, ${by.operator}, ${by.reason ?? null}, ${now})`,
    });
  };
}

async function lockOne(tx: Transaction, workspaceId: string, channelId: string, now: Date) {
  return [await lockChannel(tx, workspaceId, channelId, now)];
}

interface Steps {
  /** Returns the channels, locked, always in the same order. */
  look(tx: Transaction): Promise<Channel[]>;
  run(tx: Transaction): PromiseLike<unknown>;
}

/** Locks the channels, calls the SQL operation and reports the result for each. */
async function operate(
  { sql }: AdminDeps,
  by: By,
  { dryRun = false }: OperationOptions,
  { look, run }: Steps,
): Promise<OperationReport> {
  const channels = await inOneChange(
    sql,
    async (tx) => {
      await actAs(tx, by);
      const before = await look(tx);
      await run(tx);
      const after = await look(tx);
      return before.flatMap((channel, place) => {
        const changed = after[place];
        return changed ? [changeOf(channel, changed)] : [];
      });
    },
    { dryRun },
  );
  return { dry_run: dryRun, channels };
}

export function changeOf(before: Channel, after: Channel): OperationReport["channels"][number] {
  const { channel_id, platform, target_id, title, state } = after;
  return { channel_id, platform, target_id, title, state, changes: differences(before, after) };
}
