import { z } from "zod";
import { ifReadable, readableItems } from "../../if-readable.ts";
import type { AccountChat, AccountPerson, JoinedChat } from "../contract.ts";

/** The twin's answers. */
export const personShape = z.object({
  userId: z.number(),
  name: z.string(),
  username: z.string().optional(),
  phone: z.string(),
  premium: z.boolean(),
});
export const chatShape = z.object({
  id: z.number(),
  accessHash: z.string(),
  type: z.enum(["group", "supergroup", "channel", "private"]),
  title: z.string(),
  username: z.string().optional(),
  members: z.number(),
  slowModeSeconds: z.number(),
  joined: z.boolean(),
  admin: z.boolean(),
  canWrite: z.boolean(),
});
export type TwinChat = z.infer<typeof chatShape>;
export const dialogsShape = z.object({ chats: z.array(chatShape) });
export const messagesShape = z.object({
  messages: readableItems(z.object({ id: z.number(), text: ifReadable(z.string()) })),
});
export const keyShape = z.object({ key: z.string() });
export const fileShape = z.object({ fileId: z.string() });
export const inviteShape = z.object({ joined: z.boolean() });
export const hintShape = z.object({ hint: z.string().optional() });
export const signedInShape = z.object({ step: z.literal("signed_in"), person: personShape });
export const sentCodeShape = z.object({
  step: z.literal("code"),
  codeHash: z.string(),
  type: z.enum(["app", "sms", "call"]),
  length: z.number(),
});
export const qrShape = z.object({ step: z.literal("qr"), url: z.string(), expiresAt: z.number() });

export function personOf({ userId, name, username, phone }: z.infer<typeof personShape>): AccountPerson {
  return { userId: String(userId), name, phone, ...(username !== undefined && { username }) };
}

/** Chats with people are left out: nothing is published there. */
export function chatOf(chat: TwinChat): AccountChat | undefined {
  if (chat.type === "private") return undefined;
  return {
    chatId: String(chat.id),
    title: chat.title,
    type: chat.type,
    members: chat.members,
    ...(chat.username !== undefined && { username: chat.username }),
    ...(chat.slowModeSeconds > 0 && { slowModeSeconds: chat.slowModeSeconds }),
  };
}

export function joinedChat(chat: TwinChat, alreadyMember: boolean): JoinedChat | undefined {
  const shown = chatOf(chat);
  return shown && { ...shown, alreadyMember };
}
