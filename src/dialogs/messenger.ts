/** What the engine needs from a messenger, and the updates it receives. */
import { z } from "zod";
import { type Downloaded, mediaKinds, type Style, styles } from "./flow/flow.ts";
import type { Invoice } from "./flow/invoice.ts";
import type { Formatted } from "./flow/text.ts";

export interface ScreenButton {
  readonly label: string;
  /** Returned by a tap; absent on links. */
  readonly payload?: string | undefined;
  readonly url?: string | undefined;
  /** Copied by a tap. */
  readonly copy?: string | undefined;
  readonly style?: Style | undefined;
}

/** The keyboard below the chat, row by row. */
export type ReplyKeyboard = readonly (readonly {
  readonly label: string;
  readonly style?: Style | undefined;
}[])[];

export interface Screen extends Formatted {
  readonly rows: readonly (readonly ScreenButton[])[];
  /** Sent with a message that has no buttons of its own. */
  readonly keyboard?: ReplyKeyboard | undefined;
  /** Above the text. */
  readonly picture?: OutgoingFile | undefined;
}

/** Bytes, or an address from which the messenger fetches them. */
export type OutgoingFile = { readonly bytes: Uint8Array } | { readonly url: string };

export type Outgoing =
  | { readonly kind: "photo"; readonly file: OutgoingFile; readonly caption: Formatted }
  | {
      readonly kind: "document";
      readonly file: OutgoingFile;
      readonly name: string;
      readonly caption: Formatted;
    }
  | {
      readonly kind: "album";
      readonly photos: readonly { readonly file: OutgoingFile; readonly caption: Formatted }[];
    };

/** `gone`: the message can no longer be edited. `never`: this chat cannot be written to. */
export type Shown =
  | { readonly kind: "shown"; readonly messageId: string }
  | { readonly kind: "gone" }
  | { readonly kind: "later"; readonly afterMs: number }
  | { readonly kind: "never"; readonly reason: string };

/** None of these throws, whatever the messenger answers. */
export interface Messenger {
  /** In UTF-16 units; the engine sends nothing longer. */
  readonly longestText: number;
  /** The same for the text under a picture. */
  readonly longestCaption: number;
  send(chatId: string, screen: Screen): Promise<Shown>;
  /** A message with a picture stays one, and a message without stays without: the engine sends a new one instead. */
  edit(chatId: string, messageId: string, screen: Screen): Promise<Shown>;
  /** `gone` if the messenger refuses this file for good. */
  sendFile(chatId: string, outgoing: Outgoing): Promise<Shown>;
  /** An invoice in the chat, where the messenger supports it; `gone` if it refuses this invoice. */
  invoice?(chatId: string, invoice: Invoice): Promise<Shown>;
  /** Removes the buttons of an earlier screen. */
  retire(chatId: string, messageId: string): Promise<void>;
  remove(chatId: string, messageId: string): Promise<void>;
  /** Ends the loading indicator of a tapped button. */
  answer(pressId: string, text?: string): Promise<void>;
  typing(chatId: string): Promise<void>;
  /**
   * Shows what is being written, for a while. Drafts of one id replace each other; false if further ones are useless.
   */
  draft?(chatId: string, id: number, text: Formatted): Promise<boolean>;
  /** Throws on a temporary error. */
  download(fileId: string, longest: { readonly bytes: number }, signal: AbortSignal): Promise<Downloaded>;
}

const common = {
  id: z.number().int(),
  chatId: z.string().min(1),
  userId: z.string(),
  language: z.enum(["ru", "en"]),
  messageId: z.string().optional(),
  replyTo: z.string().optional(),
  /** How the person is called there. */
  person: z.object({ name: z.string(), username: z.string().optional() }).optional(),
};

const both = z.object({ ru: z.string(), en: z.string() });
const rows = z.array(
  z.array(
    z.object({
      label: z.string(),
      payload: z.string().optional(),
      url: z.string().optional(),
      copy: z.string().optional(),
      style: z.enum(styles).optional(),
    }),
  ),
);

export const updateShape = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("text"), text: z.string() }),
  z.object({ ...common, kind: z.literal("command"), command: z.string(), argument: z.string() }),
  z.object({ ...common, kind: z.literal("press"), pressId: z.string(), payload: z.string() }),
  z.object({
    ...common,
    kind: z.literal("media"),
    media: z.object({
      kind: z.enum(mediaKinds),
      fileId: z.string().optional(),
      name: z.string().optional(),
      size: z.number().optional(),
      caption: z.string().optional(),
    }),
  }),
  z.object({ ...common, kind: z.literal("edited") }),
  // Not caused by the person: an event from elsewhere that concerns them.
  z.object({
    ...common,
    kind: z.literal("event"),
    name: z.string(),
    say: both,
    facts: z.record(z.string(), z.unknown()),
    rows: z.object({ ru: rows, en: rows }).optional(),
    resume: z.object({ flows: z.array(z.string()), ask: both, yes: both, no: both }).optional(),
    leads: z.object({ from: z.string(), to: z.string() }).optional(),
  }),
  // What a flow waits for has ended.
  z.object({
    ...common,
    kind: z.literal("wake"),
    on: z.string(),
    outcome: z.string(),
    facts: z.record(z.string(), z.unknown()),
  }),
]);

/**
 * What a person did or has to be told, in any messenger. `id` is the messenger's number; a chat is handled in its
 * order.
 */
export type Update = z.infer<typeof updateShape>;
