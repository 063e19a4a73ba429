import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { inOneChange } from "../admin/change.ts";
import { deleteChannel } from "../admin/channels/change-channels.ts";
import type { Channel } from "../admin/channels/channel-shape.ts";
import { chosenChat, type MessengerDeps } from "../admin/channels/find-chat.ts";
import { readChannel } from "../admin/channels/read-channels.ts";
import type { Owner } from "./publish.ts";

/** A new connection as its product describes it. Its credential was bound before, under a name that only this connection uses. */
export interface NewConnection {
  readonly owner: Owner;
  /** The product's key of the connection; unique. */
  readonly key: string;
  readonly platform: string;
  readonly target_id: string;
  readonly auth_ref: string;
  readonly rate_group?: string;
  readonly title?: string;
  readonly send_mode?: Channel["send_mode"];
  readonly settings?: Readonly<Record<string, unknown>>;
}

export type Connected =
  | { readonly outcome: "added" | "renewed"; readonly channel: Channel }
  /** The key belongs to another user or another platform. */
  | { readonly outcome: "taken" }
  /** The limit of ten new connections an hour is reached; `waitUntil` is when the user may add the next one. */
  | { readonly outcome: "too_many"; readonly waitUntil: Date };

/** Adds a connection, or renews the user's own connection with the same key. A failed one accepts posts again. */
export async function connect(
  deps: MessengerDeps,
  workspaceId: string,
  { owner, key, target_id: typed, ...fields }: NewConnection,
): Promise<Connected> {
  const chat = await chosenChat(deps, workspaceId, { ...fields, target_id: typed });
  const now = deps.clock.now();
  const given = { ...fields, target_id: chat.target_id, title: fields.title ?? chat.title };
  return inOneChange(deps.sql, async (tx): Promise<Connected> => {
    const [row] = await tx<[Answer]>`
      select outcome, channel_id, wait_until from delivery.add_connection(
        ${workspaceId}, ${owner.product}, ${owner.user}, ${key}, ${JSON.stringify(given)}::text::jsonb, ${owner.product}, ${now})`;
    if (row.outcome === "taken") return { outcome: "taken" };
    if (row.outcome === "too_many") return { outcome: "too_many", waitUntil: row.wait_until };
    return { outcome: row.outcome, channel: await readChannel(tx, workspaceId, row.channel_id, now) };
  });
}

/** A connection of a product that moves here with its people, made within the caller's transaction. */
export interface AdoptedConnection extends NewConnection {
  readonly createdAt: Date;
  /** What was wrong with it, if it did not work any more. */
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Adds it as `connect` does, without asking the platform: it has worked elsewhere. The limit of ten an hour is for people who type, so
 * one that would pass it counts as made later. Undefined if its key belongs to somebody else.
 */
export async function adoptConnection(
  tx: Transaction,
  workspaceId: string,
  { owner, key, createdAt, error, ...fields }: AdoptedConnection,
): Promise<string | undefined> {
  let at = createdAt;
  for (;;) {
    const [row] = await tx<[Answer]>`
      select outcome, channel_id, wait_until from delivery.add_connection(
        ${workspaceId}, ${owner.product}, ${owner.user}, ${key}, ${JSON.stringify(fields)}::text::jsonb, ${owner.product}, ${at})`;
    if (row.outcome === "taken") return undefined;
    if (row.outcome === "too_many") {
      at = row.wait_until;
      continue;
    }
    if (error)
      await tx`
        update delivery.channels set connection_state = 'error', connection_error = ${JSON.stringify(error)}::text::jsonb
        where workspace_id = ${workspaceId} and channel_id = ${row.channel_id}`;
    return row.channel_id;
  }
}

type Answer =
  | { readonly outcome: "added" | "renewed"; readonly channel_id: string }
  | { readonly outcome: "taken" }
  | { readonly outcome: "too_many"; readonly wait_until: Date };

/** The user's own connection; that of another user is not found. */
export async function connectionOf(
  { sql, clock }: Pick<MessengerDeps, "sql" | "clock">,
  workspaceId: string,
  { product, user }: Owner,
  channelId: string,
): Promise<Channel> {
  const channel = await readChannel(sql, workspaceId, channelId, clock.now());
  const { owner } = channel;
  if (owner?.product !== product || owner.user !== user)
    throw problem("not_found", { detail: `There is no channel ${channelId}.` });
  return channel;
}

/** Removes the user's own connection. Products whose posts still wait for it are told that it is gone. */
export async function disconnect(
  deps: { readonly sql: Sql; readonly clock: MessengerDeps["clock"] },
  workspaceId: string,
  owner: Owner,
  channelId: string,
): Promise<void> {
  await connectionOf(deps, workspaceId, owner, channelId);
  await deleteChannel(deps, workspaceId, channelId, { operator: owner.product }, { force: true });
}
