import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { CompiledMedia, MediaOrder, SendError } from "../contract.ts";
import { mediaError } from "../send-error.ts";
import type { Connection } from "./client.ts";
import { pictureRules } from "./limits.ts";
import { upload } from "./upload.ts";

/** Pictures as a post attaches them. */
export interface Attached {
  readonly attachments: readonly string[];
  /** Pictures from earlier requests, which VK may have deleted. */
  readonly remembered: readonly string[];
  /** Waited for the upload of another delivery, so the turn has passed. */
  readonly waited: boolean;
}

/** Uploads the pictures that this account has not uploaded for this wall yet, one by one in their order. */
export async function attach(
  media: readonly CompiledMedia[],
  groupId: number,
  connection: Connection,
  refused: readonly string[] = [],
): Promise<Attached | { readonly error: SendError }> {
  const { context } = connection;
  const order = { ...mediaOrder(context.token, groupId), refused };
  const attachments: string[] = [];
  const remembered: string[] = [];
  let waited = false;
  for (const [place, item] of media.entries()) {
    const lent = await context.media.lend([item], order, async ([file]) => {
      if (!file) throw new Error("one file was asked for and none was lent");
      if (file.kind === "reference") {
        waited ||= file.waited ?? false;
        remembered.push(file.reference);
        return { ok: true as const, attachment: file.reference };
      }
      const uploaded = await upload(file.file, groupId, connection);
      // Only a cache: a photo that cannot be stored costs one more upload.
      if (uploaded.ok) await file.uploaded(uploaded.attachment).catch(() => {});
      return uploaded;
    });
    if (!lent.ok) return { error: mediaError(lent.fault, place) };
    if (!lent.value.ok) return { error: lent.value.error };
    attachments.push(lent.value.attachment);
  }
  return { attachments, remembered, waited };
}

/**
 * Photos belong to a wall and to the account that uploaded them. A key contains no account id, so the beginning of its
 * hash is used.
 */
export function mediaOrder(token: string, groupId: number): MediaOrder {
  return {
    account: `vk:${sha256Hex(token).slice(0, 16)}:${groupId}`,
    rulesFor: () => pictureRules,
  };
}
