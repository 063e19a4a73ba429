import type { Message } from "../model/message.ts";

/** An update of a provider, in one shape for all of them. */
export type Incoming =
  | {
      readonly kind: "message";
      readonly provider: string;
      readonly chatId: string;
      readonly messageId: string;
      readonly at: Date;
      readonly traceId?: string;
      readonly inGroup: boolean;
      readonly body: Message;
    }
  /** The customer changed the words of a message. */
  | {
      readonly kind: "correction";
      readonly provider: string;
      readonly chatId: string;
      readonly messageId: string;
      readonly text: string;
    }
  /** Nothing to answer, and why. */
  | { readonly kind: "ignored"; readonly reason: string };

/** Text as it can be stored and matched: no NUL, no half characters, no more than a messenger would send. */
export function storable(text: string, longest: number): string {
  return text.replaceAll("\0", "").toWellFormed().slice(0, longest);
}
