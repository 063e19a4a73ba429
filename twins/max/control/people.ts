import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { InputError, readInput } from "../../shared/index.ts";
import type { Button } from "../content/keyboard.ts";
import { ApiError } from "../errors.ts";
import { keep } from "../files/uploads.ts";
import { limits, uploadLimits } from "../limits.ts";
import type { Attachment, Chat, Message, User } from "../model.ts";
import { change, localeIn, post, remove } from "../post.ts";
import type { Max } from "../twin.ts";
import { buttonsOf, messageView } from "../views.ts";
import { wireMessage } from "../wire.ts";
import { chatNamed, join, person, type UserBody, userBody } from "./inputs.ts";

/** Actions of people in chats: they write, edit and delete messages, and tap buttons. */
export function peopleControls(app: FastifyInstance, max: Max): void {
  const { store, updates } = max;

  app.post("/_control/max/chats/:id/say", { bodyLimit: photoBodyLimit }, async (request) => {
    const chat = chatNamed(max, request.params);
    const { from, text, photo, reply_to } = readInput(sayBody, request.body);
    const sender = speaker(max, chat, from);
    const attachments = photo === undefined ? [] : [await photoFrom(max, photo)];
    if (text.trim() === "" && attachments.length === 0) throw new InputError("text: there is nothing to say");
    const target = reply_to === undefined ? undefined : messageIn(max, chat, reply_to);
    const message = post(max, {
      chat,
      sender,
      content: { text, markup: [], attachments },
      link: target && {
        type: "reply",
        sender: target.sender,
        chat_id: target.chat_id,
        body: structuredClone(target.body),
      },
    });
    return { message: messageView(store, message) };
  });

  app.post("/_control/max/chats/:id/press", async (request) => {
    const chat = chatNamed(max, request.params);
    const { message_id, row, column, from } = readInput(pressBody, request.body);
    // A deleted message may still be on the person's screen.
    const message = messageIn(max, chat, message_id, { deleted: true });
    const button = buttonsOf(message.body)[row]?.[column];
    if (!button) throw new InputError("row, column: there is no such button", 404);
    return press(max, chat, message, button, speaker(max, chat, from));
  });

  app.get("/_control/max/callbacks/:id", async (request) => {
    const { id } = readInput(z.object({ id: z.string() }), request.params);
    const callback = store.world.callbacks.find((each) => each.id === id);
    if (!callback) throw new InputError(`id: there is no callback ${id}`, 404);
    return { callback_id: callback.id, message_id: callback.mid, answers: callback.answers };
  });

  /** Start again in an existing dialog; a new one begins at `/_control/max/bots/:bot/start`. */
  app.post("/_control/max/chats/:id/start", async (request) => {
    const chat = chatNamed(max, request.params);
    const { user: who, payload } = readInput(startBody, request.body);
    if (chat.type !== "dialog") throw new InputError("id: only a dialog can be started");
    const user = speaker(max, chat, who);
    chat.suspended = false;
    for (const member of chat.members) member.status = "active";
    const extra = payload === undefined ? {} : { payload };
    updates.tellChat(chat, "bot_started", { chat_id: chat.chat_id, user, ...extra, ...localeIn(chat) });
    store.changed();
    return { chat_id: chat.chat_id, user };
  });

  app.patch("/_control/max/chats/:id/messages/:mid", async (request) => {
    const chat = chatNamed(max, request.params);
    const { mid } = readInput(midPath, request.params);
    const { text } = readInput(z.strictObject({ text: z.string().min(1).max(limits.text) }), request.body);
    const message = messageIn(max, chat, mid);
    change(max, message, { content: { text, markup: [], attachments: message.body.attachments } });
    updates.tellChat(chat, "message_edited", { message: wireMessage(max, message) });
    return { message: messageView(store, message) };
  });

  app.delete("/_control/max/chats/:id/messages/:mid", async (request) => {
    const chat = chatNamed(max, request.params);
    const { mid } = readInput(midPath, request.params);
    const message = messageIn(max, chat, mid);
    remove(max, message);
    const user_id = speaker(max, chat, undefined).user_id;
    updates.tellChat(chat, "message_removed", { message_id: mid, chat_id: chat.chat_id, user_id });
    return { ok: true };
  });
}

/** The largest photo as a data URL, where three bytes take four characters. */
const photoBodyLimit = Math.ceil((uploadLimits.image.bytes * 4) / 3) + 64 * 1024;

const sayBody = z.strictObject({
  from: userBody.optional(),
  text: z.string().max(limits.text).default(""),
  photo: z.string().optional(),
  reply_to: z.string().optional(),
});

const pressBody = z.strictObject({
  message_id: z.string(),
  row: z.int().min(0),
  column: z.int().min(0),
  from: userBody.optional(),
});

const startBody = z.strictObject({ user: userBody.optional(), payload: z.string().max(128).optional() });

const midPath = z.object({ mid: z.string() });

/** Each kind of button has its own effect; what the page must do itself is in the answer. */
function press(max: Max, chat: Chat, message: Message, button: Button, user: User) {
  const say = (text: string, attachments: Attachment[]) => ({
    message: messageView(
      max.store,
      post(max, { chat, sender: user, content: { text, markup: [], attachments } }),
    ),
  });
  switch (button.type) {
    case "callback":
      return callBack(max, chat, message, button.payload, user);
    case "message":
      return say(button.text, []);
    case "request_contact":
      return say("", [{ type: "contact", name: user.first_name, vcf_info: null, user }]);
    case "request_geo_location":
      return say("", [{ type: "location", latitude: 55.7558, longitude: 37.6173 }]);
    case "link":
      return { open: button.url };
    case "open_app":
      return { open: `https://max.ru/${button.web_app}?startapp=${button.payload ?? ""}` };
    case "clipboard":
      return { copy: button.payload };
  }
}

/** Only the bot that sent the keyboard receives its taps. */
function callBack(max: Max, chat: Chat, message: Message, payload: string, user: User) {
  const { store, context, updates } = max;
  const bot = store.botById(message.sender.user_id);
  if (!bot) throw new InputError("message_id: the bot that sent these buttons is gone", 409);
  const id = store.newKey("callback");
  store.world.callbacks.push({ id, botId: bot.user.user_id, mid: message.body.mid, answers: [] });
  updates.tell(bot, "message_callback", {
    callback: { timestamp: context.clock.now(), callback_id: id, payload, user },
    message: message.deleted ? null : wireMessage(max, message),
    ...localeIn(chat),
  });
  return { callback_id: id };
}

/** In a dialog its person acts; elsewhere the named person, who thereby joins. */
function speaker(max: Max, chat: Chat, who: UserBody | undefined): User {
  if (chat.type === "dialog") {
    if (!chat.user) throw new InputError("id: the dialog has nobody on the other side", 409);
    if (who?.user_id !== undefined && who.user_id !== chat.user.user_id) {
      throw new InputError(`from: this is a dialog with user ${chat.user.user_id}`);
    }
    return chat.user;
  }
  // A person without an id is found by name, so that the same visitor does not join again with every message.
  const known = chat.people.find(({ first_name }) => !who?.first_name || first_name === who.first_name);
  const user = who?.user_id === undefined && known ? known : person(max, who ?? {});
  join(chat, user);
  return user;
}

function messageIn({ store }: Max, chat: Chat, mid: string, also: { deleted?: boolean } = {}): Message {
  const message = store.message(mid);
  if (!message || message.chat_id !== chat.chat_id || (message.deleted && !also.deleted)) {
    throw new InputError(`message_id: there is no message ${mid}`, 404);
  }
  return message;
}

async function photoFrom(max: Max, dataUrl: string): Promise<Attachment> {
  const [prefix = "", contentType] = /^data:([\w/+.-]+);base64,/.exec(dataUrl) ?? [];
  const base64 = dataUrl.slice(prefix.length);
  if (!contentType || !base64) throw new InputError("photo: a base64 data URL is needed");
  try {
    const file = { bytes: Buffer.from(base64, "base64"), contentType, fileName: "photo" };
    return { type: "image", token: (await keep(max, "image", file)).token };
  } catch (error) {
    if (error instanceof ApiError) throw new InputError(`photo: ${error.message}`);
    throw error;
  }
}
