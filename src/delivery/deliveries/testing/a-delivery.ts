import { randomUUID } from "node:crypto";
import type { Sql } from "../../../kernel/db/index.ts";
import { uuidv7 } from "../../../kernel/ids/index.ts";
import type { Status } from "../statuses.ts";

export interface DeliveryBuilder {
  status?: Status;
  now?: Date;
  not_before?: Date;
  scheduled_for?: Date | null;
  next_retry_at?: Date | null;
  attempt?: number;
  requeues?: number;
  held_at?: Date | null;
  hold_reason?: string | null;
  claimed_at?: Date | null;
  claim_token?: string | null;
  sending_started_at?: Date | null;
  sent_at?: Date | null;
  created_at?: Date;
  updated_at?: Date;
  rendered_text?: string;
  last_error?: Readonly<Record<string, string | number>> | null;
  message_id?: string;
}

/** Lets a test create deliveries in any state. Only for a database that no other test uses. */
export async function allowAnyBirth(sql: Sql): Promise<void> {
  await sql`alter table delivery.deliveries disable trigger refuse_birth`;
}

/** A delivery in any state, with the fields that the state requires, and a message of its own. */
export async function aDelivery(
  sql: Sql,
  workspaceId: string,
  channelId: string,
  { now = new Date(), status = "queued", last_error = null, message_id, ...given }: DeliveryBuilder = {},
): Promise<string> {
  const taken = status === "claimed" || status === "sending";
  const messageId = message_id ?? (await aMessage(sql, workspaceId, now));
  const row = {
    workspace_id: workspaceId,
    delivery_id: uuidv7({ now: () => now }),
    message_id: messageId,
    channel_id: channelId,
    hash_version: 1,
    content_hash: messageId,
    status,
    not_before: now,
    next_retry_at: status === "retry" ? now : null,
    claimed_at: taken ? now : null,
    claim_token: taken ? "run" : null,
    sending_started_at: status === "sending" ? now : null,
    sent_at: status === "sent" ? now : null,
    created_at: now,
    updated_at: now,
    rendered_text: "Пост",
    ...given,
  };
  const [made] = await sql<[{ delivery_id: string }]>`
    insert into delivery.deliveries ${sql({ ...row, last_error: last_error && sql.json(last_error) })}
    returning delivery_id`;
  return made.delivery_id;
}

export async function aMessage(sql: Sql, workspaceId: string, now = new Date()): Promise<string> {
  const row = {
    workspace_id: workspaceId,
    message_id: uuidv7({ now: () => now }),
    content_hash: randomUUID(),
    created_at: now,
  };
  const [made] = await sql<[{ message_id: string }]>`
    insert into delivery.messages ${sql({ ...row, payload: sql.json({ text: "Пост" }) })} returning message_id`;
  return made.message_id;
}
