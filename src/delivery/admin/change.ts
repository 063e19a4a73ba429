import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type Conflicts,
  inOneChange as changeAtOnce,
  type Noted,
  noteEvent,
  type Rehearsal,
} from "../../workspaces/index.ts";

/** Conflicts by the unique index that reports them. */
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

/** Runs one change in a transaction and turns conflicts of this module's tables into sentences. */
export function inOneChange<T>(
  sql: Sql,
  work: (tx: Transaction) => PromiseLike<T>,
  rehearsal: Rehearsal = {},
): Promise<T> {
  return changeAtOnce(sql, work, { ...rehearsal, conflicts });
}

/** Writes the event of a change to a channel. */
export function noteChannelChange(tx: Transaction, channelId: string, change: Noted): Promise<void> {
  return noteEvent(tx, "channel_changed", change, channelId);
}

/** Wakes the dispatcher when the change is committed, because waiting deliveries may now be sendable. */
export async function wakeDispatcher(tx: Transaction, workspaceId: string): Promise<void> {
  await tx`select pg_notify('molva_deliveries', ${workspaceId})`;
}
