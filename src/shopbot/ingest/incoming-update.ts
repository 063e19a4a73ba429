import type { Message } from "../model/message.ts";

/** A provider's update in a common form. */
export type Incoming =
  | {
      readonly kind: "message";
      readonly provider: string;
      readonly chatId: string;
      readonly messageId: string;
      /** Time and sequence number, if the sender gives them. */
      readonly at?: Date;
      readonly providerSeq?: string;
      readonly traceId?: string;
      readonly inGroup: boolean;
      readonly body: Message;
    }
  /** The customer edited a message. */
  | {
      readonly kind: "correction";
      readonly provider: string;
      readonly chatId: string;
      readonly messageId: string;
      readonly text: string;
    }
  | { readonly kind: "ignored"; readonly reason: string };
