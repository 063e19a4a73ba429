import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { InputError, readInput } from "../shared/index.ts";
import { ApiError } from "./api-error.ts";
import type { Deps } from "./call.ts";
import { limits } from "./limits.ts";
import { takeSent } from "./media.ts";
import type { Button, Chat, Message, Person, StoredFile } from "./model.ts";
import { personFor, press, say } from "./people.ts";
import { changeChat, chatPatch, newBot, newChat, upsertBot, upsertChat } from "./setup.ts";
import { invoiceAt, pay } from "./stars/checkout.ts";
import { slugIn } from "./stars/invoice.ts";
import { start, startBody } from "./start.ts";
import { codePoints } from "./text/index.ts";
import { chatView, messageView } from "./view.ts";

/** A picture of the largest size, written as base64. */
const bodyLimit = Math.ceil(limits.upload.photo * 1.4);

const person = z
  .strictObject({
    id: z.int().positive().optional(),
    first_name: z.string().min(1).optional(),
    username: z.string().optional(),
  })
  .default({});
const copies = z.int().min(1).max(10).default(1);
const sayBody = z.strictObject({
  from: person,
  text: z.string().default(""),
  /** A `data:` URL, or the id or path of a stored file. */
  photo: z.string().optional(),
  /** Any other file, as a `data:` URL. */
  file: z
    .strictObject({
      kind: z.enum(["voice", "audio", "video", "document"]),
      data: z.string(),
      name: z.string().min(1).default("file"),
    })
    .optional(),
  copies,
});
const pressBody = z.strictObject({
  message_id: z.coerce.number().int(),
  row: z.int().min(0).optional(),
  column: z.int().min(0).optional(),
  /** Any data, as a client of one's own can send it for a message of a bot; in place of row and column. */
  data: z.string().optional(),
  from: person,
  copies,
});
const copyShape = z.object({ text: z.string() });
const idPath = z.object({ id: z.string() });

/** Actions of people and tests, below `/_control/telegram`. */
export async function controlRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { store, context } = deps;

  app.get("/_control/telegram/bots", async () => ({
    bots: store
      .bots()
      .map(({ id, username, firstName, commands }) => ({ id, username, first_name: firstName, commands })),
  }));
  app.post("/_control/telegram/bots", async (request) => {
    const { id, username, firstName } = upsertBot(readInput(newBot, request.body), deps);
    return { id, username, first_name: firstName };
  });

  app.post("/_control/telegram/bots/:bot/start", async (request) => {
    const { bot: name } = readInput(z.object({ bot: z.string() }), request.params);
    const bot = store.botNamed(name);
    if (!bot) throw new InputError(`bot: there is no bot ${name}`, 404);
    const chat = start(bot, readInput(startBody, request.body ?? {}), deps);
    return { chat_id: chat.id, chat: chatView(chat, store) };
  });

  app.post("/_control/telegram/chats", async (request) => {
    const chat = upsertChat(readInput(newChat, request.body), deps);
    return { id: chat.id, chat: chatView(chat, store) };
  });
  app.patch("/_control/telegram/chats/:id", async (request) => {
    const chat = changeChat(chatAt(request.params), readInput(chatPatch, request.body), deps);
    return { id: chat.id, chat: chatView(chat, store) };
  });

  app.post("/_control/telegram/chats/:id/say", { bodyLimit }, async (request) => {
    const chat = chatAt(request.params);
    const { from, text, photo, file, copies } = readInput(sayBody, request.body);
    if (photo !== undefined && file) throw new InputError("file: a message holds a photo or another file");
    if (text.trim() === "" && photo === undefined && !file)
      throw new InputError("text: say something, or send a photo or a file");
    if (codePoints(text) > limits.text) throw new InputError(`text: at most ${limits.text} characters`);
    const sent = photo !== undefined ? await photoOf(photo) : file && (await fileOf(file));
    const utterance = { text, copies, ...(sent && { fileUid: sent.uid }) };
    const message = say(chat, speakerIn(chat, from), utterance, deps);
    return { message_id: message.id, message: messageView(chat, message, store) };
  });

  app.post("/_control/telegram/chats/:id/press", async (request) => {
    const chat = chatAt(request.params);
    const { message_id, row = -1, column = -1, data, from, copies } = readInput(pressBody, request.body);
    const message = store.messageIn(chat, message_id);
    if (!message) throw new InputError("message_id: there is no such message", 404);
    if (data !== undefined)
      return asked(chat, message, { callback_data: data }, speakerIn(chat, from), copies);
    const button = message.keyboard?.rows[row]?.[column];
    if (!button) throw new InputError("row: there is no button at this place");
    return pressed(chat, message, button, speakerIn(chat, from), copies);
  });

  app.get("/_control/telegram/callbacks/:id", async (request) => {
    const query = store.callback(readInput(idPath, request.params).id);
    if (!query) throw new InputError("id: nobody asked that", 404);
    return { id: query.id, answered: query.answer !== undefined, ...query.answer };
  });

  async function pressed(chat: Chat, message: Message, button: Button, by: Person, copies: number) {
    if (!message.keyboard?.inline) {
      const said = say(chat, by, { text: button.text, copies }, deps);
      return { message_id: said.id };
    }
    const slug = slugIn(button.url);
    const invoice = button.pay || slug !== undefined ? invoiceAt(message, slug, store) : undefined;
    if (invoice) return pay(chat, by, { invoice, copies, ...(slug === undefined && { message }) }, deps);
    if (button.copy_text !== undefined) return { copy: readInput(copyShape, button.copy_text).text };
    if (button.callback_data === undefined) throw new InputError("row: this button asks the bot nothing");
    return asked(chat, message, button, by, copies);
  }

  function asked(
    chat: Chat,
    message: Message,
    button: Pick<Button, "callback_data">,
    by: Person,
    copies: number,
  ) {
    const id = press(chat, message, button, { person: by, copies }, deps);
    if (id === undefined) throw new InputError("message_id: its bot is gone");
    return { callback_query_id: id };
  }

  function chatAt(params: unknown): Chat {
    const { id } = readInput(idPath, params);
    const chat = store.chatById(Number(id));
    if (!chat) throw new InputError(`id: there is no chat ${id}`, 404);
    return chat;
  }

  /** In a private chat only its person writes. */
  function speakerIn(chat: Chat, from: z.infer<typeof person>): Person {
    const { id, first_name, username } = from;
    if (chat.type === "private") return personFor(store, { id: chat.id });
    return personFor(store, {
      ...(id !== undefined && { id }),
      ...(first_name !== undefined && { first_name }),
      ...(username !== undefined && { username }),
    });
  }

  async function photoOf(photo: string): Promise<StoredFile> {
    const [prefix] = /^data:image\/[a-z+.-]+;base64,/.exec(photo) ?? [];
    const encoded = prefix && photo.slice(prefix.length);
    const stored =
      encoded === undefined ? await context.blobs.get(photo.replace(/^\/_blobs\//, "")) : undefined;
    const bytes = encoded === undefined ? stored?.bytes : Buffer.from(encoded, "base64");
    if (!bytes) throw new InputError("photo: a data: URL of an image, or the path of a stored file");
    try {
      return await takeSent("photo", { bytes, fileName: "photo", contentType: "" }, deps);
    } catch (error) {
      if (error instanceof ApiError) throw new InputError(`photo: ${error.message}`);
      throw error;
    }
  }

  async function fileOf({ kind, data, name }: NonNullable<z.infer<typeof sayBody>["file"]>) {
    const [prefix, contentType = ""] = /^data:([^;,]*);base64,/.exec(data) ?? [];
    if (prefix === undefined) throw new InputError("file.data: a data: URL in base64");
    const bytes = Buffer.from(data.slice(prefix.length), "base64");
    return takeSent(kind, { bytes, fileName: name, contentType }, deps);
  }
}
