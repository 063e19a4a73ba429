/** The twins' control API as this page uses it. */
import * as z from "zod/mini";
import type { Page } from "./model/state.ts";
import { chatView, messageView, placeView } from "./types.ts";

export interface ChatAddress {
  readonly provider: string;
  readonly id: string;
}

/** The result of a person's action. */
export type Done<Answer = unknown> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly reason: string };

/** What a messenger's app would do by itself after some buttons. */
export interface Pressed {
  readonly open?: string;
  readonly copy?: string;
}

/** Any file but a photo, as a `data:` URL. */
export interface SentFile {
  readonly kind: "document";
  readonly name: string;
  readonly data: string;
}

const pageSize = 50;
const chatsAnswer = z.object({ chats: z.array(chatView) });
const placesAnswer = z.object({ places: z.array(placeView) });
const pressAnswer = z.object({ open: z.exactOptional(z.string()), copy: z.exactOptional(z.string()) });
const messagesAnswer = z.object({ messages: z.array(messageView) });

export async function readChats() {
  return chatsAnswer.parse(await read("/_control/chats")).chats;
}

export async function readPlaces() {
  return placesAnswer.parse(await read("/_control/places")).places;
}

const maxBots = z.object({
  bots: z.array(
    z.object({
      username: z.nullish(z.string()),
      user_id: z.number(),
      first_name: z.string(),
      description: z.nullish(z.string()),
    }),
  ),
});
const telegramBots = z.object({
  bots: z.array(z.object({ username: z.string(), first_name: z.string(), commands: z.array(z.unknown()) })),
});
const startAnswer = z.object({ chat_id: z.number() });

/** A bot with whom a dialogue can be begun. */
export interface StartableBot extends BotAddress {
  readonly title: string;
  readonly about?: string;
}

export interface BotAddress {
  readonly provider: "max" | "telegram";
  readonly name: string;
  /** The text after `?start=` in the link to it. */
  readonly payload?: string;
}

export async function readBots(): Promise<StartableBot[]> {
  const [inMax, inTelegram] = await Promise.all([
    read("/_control/max/bots"),
    read("/_control/telegram/bots"),
  ]);
  return [
    ...maxBots.parse(inMax).bots.map(({ username, user_id, first_name, description }) => ({
      provider: "max" as const,
      name: username ?? String(user_id),
      title: first_name,
      ...(description && { about: description }),
    })),
    // A bot without commands posts and does not talk.
    ...telegramBots
      .parse(inTelegram)
      .bots.filter(({ commands }) => commands.length > 0)
      .map(({ username, first_name }) => ({
        ...{ provider: "telegram" as const, name: username, title: first_name, about: "Telegram" },
      })),
  ];
}

/** A new person opens the bot and taps Start; returns their dialogue. */
export async function startDialogue(
  { provider, name, payload }: BotAddress,
  guest: { readonly name: string; readonly language: string },
): Promise<Done<ChatAddress>> {
  const person = { first_name: guest.name };
  const inTelegram = { ...person, language_code: guest.language, ...(payload !== undefined && { payload }) };
  const body = provider === "max" ? { user: person } : inTelegram;
  const done = await act(`/_control/${pathOf(provider, "bots", name, "start")}`, body);
  if (!done.ok) return done;
  const answer = startAnswer.safeParse(done.answer);
  return answer.success
    ? { ok: true, answer: { provider, id: String(answer.data.chat_id) } }
    : { ok: false, reason: "?" };
}

export async function readMessages(chat: ChatAddress, before?: string): Promise<Page> {
  const query = new URLSearchParams({ limit: String(pageSize), ...(before !== undefined && { before }) });
  const path = `/_control/${pathOf("chats", chat.provider, chat.id, "messages")}?${query}`;
  const { messages } = messagesAnswer.parse(await read(path));
  return { messages, hasOlder: messages.length >= pageSize };
}

export function say(
  chat: ChatAddress,
  said: {
    readonly name: string;
    readonly text?: string;
    readonly photo?: string;
    readonly file?: SentFile;
    readonly reply_to?: string;
  },
): Promise<Done> {
  const { name, ...content } = said;
  return act(`/_control/${pathOf(chat.provider, "chats", chat.id, "say")}`, {
    from: { first_name: name },
    ...content,
  });
}

export async function press(
  chat: ChatAddress,
  button: { readonly message_id: string; readonly row: number; readonly column: number },
): Promise<Done<Pressed>> {
  const done = await act(`/_control/${pathOf(chat.provider, "chats", chat.id, "press")}`, button);
  return done.ok ? { ok: true, answer: pressAnswer.safeParse(done.answer).data ?? {} } : done;
}

function pathOf(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join("/");
}

async function read(path: string): Promise<unknown> {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

async function act(path: string, body: unknown): Promise<Done> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    return response.ok ? { ok: true, answer } : { ok: false, reason: reasonIn(answer, response.status) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

const refusal = z.object({
  error: z.optional(z.string()),
  description: z.optional(z.string()),
  message: z.optional(z.string()),
});

/** Each twin refuses in its provider's words; the field differs. */
function reasonIn(answer: unknown, status: number): string {
  const { description, message, error } = refusal.safeParse(answer).data ?? {};
  return description ?? message ?? error ?? `HTTP ${status}`;
}
