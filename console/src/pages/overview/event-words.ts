/** One event as a sentence. The channel is a part of its own so that it can stand out. */
import type { DeliveryEvent } from "../../api/index.ts";
import type { EventText } from "../../texts/index.ts";

export interface Sentence {
  readonly before: string;
  readonly channel: string | null;
  readonly after: string;
}

/** An action that has no words yet is shown by its own name rather than hidden. */
export function sentenceOf(
  event: Pick<DeliveryEvent, "action" | "channel">,
  words: Readonly<Record<string, EventText>>,
): Sentence {
  const channel = event.channel?.title ?? event.channel?.target ?? null;
  const [inChannel, alone] = words[event.action] ?? [`${event.action}: {channel}`, event.action];
  if (channel === null) return { before: alone, channel, after: "" };
  const [before = "", after = ""] = inChannel.split("{channel}");
  return { before, channel, after };
}
