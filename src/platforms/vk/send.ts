import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Compiled, Outcome, SendContext, SendError } from "../contract.ts";
import { sendSeries } from "../send-series.ts";
import type { WithToken } from "../token-credential.ts";
import type { VkSettings } from "./client.ts";
import { sendMedia } from "./send-media.ts";
import { sendText } from "./send-text.ts";
import { groupIdOf } from "./wall.ts";

/** Posts on the community's wall. A repeat of the same delivery has the same guid, by which VK detects it. */
export async function send(
  compiled: Compiled,
  context: WithToken<SendContext>,
  settings: VkSettings,
): Promise<Outcome> {
  const group = await groupIdOf({ settings, context });
  if (group.kind !== "ok") return { kind: "failed", error: withoutDoubt(group.error) };
  return sendSeries(compiled, context, (request, paced) => {
    const guid = guidOf(context.idempotencyKey, compiled.requests.indexOf(request));
    const carry = request.media.length > 0 ? sendMedia : sendText;
    return carry(request, { groupId: group.result, guid }, { settings, context: paced });
  });
}

export function guidOf(idempotencyKey: string, part: number): string {
  return sha256Hex(`${idempotencyKey} ${part}`).slice(0, 32);
}

/** Nothing is posted before the community is found, so a missing answer is a failure, not an unknown outcome. */
export function withoutDoubt(error: SendError): SendError {
  return error.code === "outcome_unknown" ? { ...error, code: "upstream_unavailable" } : error;
}
