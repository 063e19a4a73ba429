import { type Posted, readCompiled } from "../../platforms/index.ts";
import { messageIdsOf } from "./message-ids.ts";

/** What is published at the provider, as `delivery.posted_of` returns it. */
export interface PostedRow {
  readonly text: string | null;
  readonly compiled: unknown;
  readonly provider_message_id: string | null;
  readonly provider_meta: unknown;
  /** The ids after the last change; null if there was none. */
  readonly provider_message_ids: readonly string[] | null;
  readonly may_differ: boolean;
}

/** Undefined if no readable compiled post is stored, as when an outside sender did not report what it sent. */
export function postedFrom(
  { text, compiled, provider_message_id, provider_meta, provider_message_ids, may_differ }: PostedRow,
  { sentAt, targetId }: { readonly sentAt: Date; readonly targetId: string },
): Posted | undefined {
  const post = readCompiled(compiled, text ?? "");
  return (
    post && {
      compiled: post,
      providerMessageIds: provider_message_ids ?? messageIdsOf(provider_message_id, provider_meta),
      sentAt,
      targetId,
      mayDiffer: may_differ,
    }
  );
}
