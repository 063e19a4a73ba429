/** What the engine asks of a messenger, and what it hears from one. */
import { z } from "zod";
import { type Downloaded, mediaKinds } from "./flow/flow.ts";
import type { Formatted } from "./flow/text.ts";

export interface ScreenButton {
  readonly label: string;
  /** What a press brings back; absent on links. */
  readonly payload?: string | undefined;
  readonly url?: string | undefined;
}

export interface Screen extends Formatted {
  readonly rows: readonly (readonly ScreenButton[])[];
}

/** `gone`: the message cannot be edited any more. `never`: this chat cannot be written to. */
export type Shown =
  | { readonly kind: "shown"; readonly messageId: string }
  | { readonly kind: "gone" }
  | { readonly kind: "later"; readonly afterMs: number }
  | { readonly kind: "never"; readonly reason: string };

/** None of these throws for anything that a messenger may answer. */
export interface Messenger {
  /** In UTF-16 units; the engine sends nothing longer. */
  readonly longestText: number;
  send(chatId: string, screen: Screen): Promise<Shown>;
  edit(chatId: string, messageId: string, screen: Screen): Promise<Shown>;
  /** Takes the buttons of an earlier screen away. */
  retire(chatId: string, messageId: string): Promise<void>;
  remove(chatId: string, messageId: string): Promise<void>;
  /** Ends the waiting sign on a pressed button. */
  answer(pressId: string, text?: string): Promise<void>;
  typing(chatId: string): Promise<void>;
  /** Shows what is being written, for a while. Drafts of one id replace each other; false when there is no use in more. */
  draft?(chatId: string, id: number, text: Formatted): Promise<boolean>;
  /** Throws when it may be had later. */
  download(fileId: string, longest: { readonly bytes: number }, signal: AbortSignal): Promise<Downloaded>;
}

const common = {
  id: z.number().int(),
  chatId: z.string().min(1),
  userId: z.string(),
  language: z.enum(["ru", "en"]),
  messageId: z.string().optional(),
  replyTo: z.string().optional(),
};

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
]);

/** What a person did, whatever the messenger. `id` is the messenger's own number, in whose order a chat is read. */
export type Update = z.infer<typeof updateShape>;
