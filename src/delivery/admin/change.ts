import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type Conflicts,
  inOneChange as changeAtOnce,
  type Noted,
  noteEvent,
  type Rehearsal,
} from "../../workspaces/index.ts";

/** What was there already, by the index that says so. */
const conflicts: Conflicts = {
  channels_workspace_id_platform_target_id_key: {
    pointer: "/target_id",
    detail: "The workspace already has a channel on this chat. allow_duplicate asks for another one.",
  },
  workspace_endpoints_active_secret: {
    pointer: "/secret",
    detail: "Another enabled endpoint has this secret, and a secret opens one endpoint only.",
  },
  workspace_endpoints_active_source: {
    pointer: "",
    detail: "The source has another enabled endpoint.",
  },
  pull_sources_pkey: {
    pointer: "/source_id",
    detail: "The workspace already has a source with this id.",
  },
};

/** One change of what this module keeps, with its conflicts in words. */
export function inOneChange<T>(
  sql: Sql,
  work: (tx: Transaction) => PromiseLike<T>,
  rehearsal: Rehearsal = {},
): Promise<T> {
  return changeAtOnce(sql, work, { ...rehearsal, conflicts });
}

/** The event of a change to a channel. */
export function noteChannelChange(tx: Transaction, channelId: string, change: Noted): Promise<void> {
  return noteEvent(tx, "channel_changed", change, channelId);
}

/** What waits may go on now: wakes the dispatcher when the change is committed. */
export async function wakeDispatcher(tx: Transaction, workspaceId: string): Promise<void> {
  await tx`select pg_notify('molva_deliveries', ${workspaceId})`;
}
