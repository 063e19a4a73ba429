import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Profile } from "../ingest/compile-for-channel.ts";
import type { PostedRow } from "./posted.ts";

/** What a correction applies to: all deliveries of a post, or some. */
export type Scope =
  | { readonly message_id: string }
  | { readonly delivery_ids: readonly string[] }
  /** Deliveries that a product published for one of its users; those of anybody else are not found. */
  | {
      readonly delivery_ids: readonly string[];
      readonly owner: { readonly product: string; readonly user: string };
    };

/** A delivery with its channel, and what is published there: a row of `delivery.correction_targets`. */
export interface Target extends Omit<Profile, "key"> {
  readonly delivery_id: string;
  readonly message_id: string;
  readonly status: string;
  readonly sent_at: Date | null;
  readonly channel_id: string;
  readonly title: string | null;
  readonly profile_key: string;
  readonly secret_ref: string | null;
  /** Only for a delivery that was sent. */
  readonly posted: PostedRow | null;
}

export async function targetsOf(
  sql: Sql | Transaction,
  workspaceId: string,
  scope: Scope,
): Promise<Target[]> {
  const message = "message_id" in scope ? scope.message_id : null;
  const deliveries = "delivery_ids" in scope ? [...scope.delivery_ids] : null;
  const owner = "owner" in scope ? scope.owner : undefined;
  return sql<Target[]>`
    select * from delivery.correction_targets(
      ${workspaceId}, ${message}, ${deliveries}, ${owner?.product ?? null}, ${owner?.user ?? null})`;
}
