import type { Message } from "../model/message.ts";

/** An update of a provider, in one shape for all of them. */
export type Incoming =
  | {
      readonly kind: "message";
      readonly provider: string;
      readonly chatId: string;
      readonly messageId: string;
      /** When it was written, and which one of that moment; absent where the sender does not say. */
      readonly at?: Date;
      readonly providerSeq?: string;
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
