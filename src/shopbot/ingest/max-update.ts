import { z } from "zod";
import { longestText, type Message } from "../model/message.ts";
import type { Incoming } from "./incoming-update.ts";
import { storable } from "./storable-text.ts";

/** The fields of MAX's updates that we use; the whole update is stored. */
const id = z.union([z.int(), z.string().min(1).max(256)]).transform(String);
const user = z.object({
  user_id: id,
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  name: z.string().nullish(),
  is_bot: z.boolean().nullish(),
});
const attachment = z.looseObject({
  type: z.string().max(64),
  payload: z.looseObject({ url: z.string().nullish(), buttons: z.unknown().optional() }).nullish(),
});
const body = z.object({
  mid: z.string().min(1).max(256),
  // May exceed 2^53; only orders messages of the same moment.
  seq: z
    .number()
    .min(0)
    .max(2 ** 62)
    .nullish(),
  text: z.string().nullish(),
  attachments: z.array(attachment).nullish(),
});
const message = z.object({
  sender: user.nullish(),
  recipient: z.object({ chat_id: id.nullish(), chat_type: z.string().nullish() }),
  timestamp: z.number(),
  body,
  link: z.object({ type: z.string(), message: z.object({ mid: z.string() }).nullish() }).nullish(),
});
type MaxMessage = z.output<typeof message>;

const stamped = { timestamp: z.number() };
export const maxUpdate = z.discriminatedUnion("update_type", [
  z.object({ update_type: z.literal("message_created"), ...stamped, message }),
  z.object({ update_type: z.literal("message_edited"), ...stamped, message }),
  z.object({
    update_type: z.literal("message_callback"),
    ...stamped,
    callback: z.object({
      callback_id: z.string().min(1).max(512),
      payload: z.string().nullish(),
      user,
      timestamp: z.number(),
    }),
    message: message.nullish(),
  }),
  z.object({ update_type: z.literal("bot_started"), ...stamped, chat_id: id, user }),
]);
type MaxUpdate = z.output<typeof maxUpdate>;

export const wantedUpdates = [
  "message_created",
  "message_edited",
  "message_callback",
  "bot_started",
] as const;

/** Other update types, including those of later API versions. */
export const silentUpdate = z.looseObject({
  update_type: z.string().refine((type) => !wantedUpdates.some((wanted) => wanted === type)),
});

export function fromMaxUpdate(update: MaxUpdate): Incoming {
  switch (update.update_type) {
    case "message_created": {
      const refusal = refusalOf(update.message);
      return refusal ?? created(update.message);
    }
    case "message_edited": {
      const refusal = refusalOf(update.message);
      if (refusal) return refusal;
      const { recipient, body } = update.message;
      return {
        kind: "correction",
        provider: "max",
        chatId: recipient.chat_id ?? "",
        messageId: body.mid,
        text: storable(body.text ?? "", longestText),
      };
    }
    case "message_callback":
      return pressed(update);
    case "bot_started":
      return {
        kind: "message",
        provider: "max",
        chatId: update.chat_id,
        // A start has no id of its own.
        messageId: `start:${update.user.user_id}:${update.timestamp}`,
        ...momentOf(update.timestamp),
        inGroup: false,
        body: { kind: "start", text: "", attachments: [], sender: senderOf(update.user) },
      };
  }
}

function refusalOf({ sender, recipient }: MaxMessage): Incoming | undefined {
  if (sender?.is_bot) return { kind: "ignored", reason: "written by a bot" };
  if (!recipient.chat_id) return { kind: "ignored", reason: "without a chat" };
  return undefined;
}

/** Customers are not served in groups; the operators' group is the exception. */
function isGroup({ chat_type }: MaxMessage["recipient"]): boolean {
  return chat_type !== undefined && chat_type !== null && chat_type !== "dialog";
}

function created({ sender, recipient, timestamp, body, link }: MaxMessage): Incoming {
  const replyTo = link?.type === "reply" ? link.message?.mid : undefined;
  return {
    kind: "message",
    provider: "max",
    chatId: recipient.chat_id ?? "",
    messageId: body.mid,
    ...momentOf(timestamp),
    ...(body.seq != null && { providerSeq: BigInt(Math.trunc(body.seq)).toString() }),
    inGroup: isGroup(recipient),
    body: {
      kind: "message",
      text: storable(body.text ?? "", longestText),
      attachments: attachmentsOf(body.attachments ?? []),
      ...(replyTo !== undefined && { replyTo }),
      sender: sender ? senderOf(sender) : {},
    },
  };
}

function pressed({
  callback,
  message: on,
}: Extract<MaxUpdate, { update_type: "message_callback" }>): Incoming {
  const chatId = on?.recipient.chat_id;
  // The update does not tell the chat of a deleted message.
  if (!chatId) return { kind: "ignored", reason: "a button of a deleted message" };
  if (callback.user.is_bot) return { kind: "ignored", reason: "tapped by a bot" };
  const press = storable(callback.payload ?? "", 1024);
  const label = labelOf(on.body.attachments ?? [], callback.payload ?? "");
  return {
    kind: "message",
    provider: "max",
    chatId,
    messageId: callback.callback_id,
    ...momentOf(callback.timestamp),
    inGroup: isGroup(on.recipient),
    body: {
      kind: "press",
      text: "",
      press,
      ...(label !== undefined && { label: storable(label, 256) }),
      pressedOn: on.body.mid,
      attachments: [],
      sender: senderOf(callback.user),
    },
  };
}

/** The end of the year 9999; the database cannot read later times. */
const lastMoment = 253_402_300_799_999;

/** An impossible time is dropped; the time of receipt is used. */
function momentOf(timestamp: number): { at?: Date } {
  return timestamp >= 0 && timestamp <= lastMoment ? { at: new Date(timestamp) } : {};
}

const keyboardShape = z.array(z.array(z.looseObject({ text: z.string(), payload: z.string().nullish() })));

function labelOf(attachments: readonly z.output<typeof attachment>[], payload: string): string | undefined {
  const rows = attachments.flatMap((each) => keyboardShape.safeParse(each.payload?.buttons).data ?? []);
  return rows.flat().find((button) => button.payload === payload)?.text;
}

function attachmentsOf(attachments: readonly z.output<typeof attachment>[]): Message["attachments"] {
  return attachments
    .filter(({ type }) => type !== "inline_keyboard")
    .slice(0, 20)
    .map(({ type, payload }) => ({ type, ...(payload?.url && { url: storable(payload.url, 4096) }) }));
}

function senderOf({ user_id, first_name, last_name, name }: z.output<typeof user>): Message["sender"] {
  const full = [first_name, last_name].filter(Boolean).join(" ") || name;
  return { id: user_id, ...(full && { name: storable(full, 200) }) };
}
