import { z } from "zod";
import { InputError } from "../shared/index.ts";
import { memberOf } from "./access.ts";
import type { Deps } from "./call.ts";
import type { Bot, Chat, ChatType, Member, MemberStatus } from "./model.ts";
import { personFor } from "./people.ts";
import type { Store } from "./store.ts";
import { chatView } from "./view.ts";
import { chatFor, memberFor, seconds, userFor } from "./wire.ts";

type SetupDeps = Pick<Deps, "store" | "context" | "updates">;

const username = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{2,31}$/, "letters, digits and _, from a letter");

export const newBot = z.strictObject({
  token: z.string().regex(/^\d+:[A-Za-z0-9_-]{35}$/, "a token is digits, a colon and 35 characters"),
  username,
  first_name: z.string().min(1),
  can_read_all_group_messages: z.boolean().default(false),
});

const memberStatus = z.enum(["creator", "administrator", "member", "restricted", "left", "kicked"]);
/** All fields besides the bot and its status are rights, such as `can_post_messages`. */
const memberInput = z
  .object({ bot: z.string(), status: memberStatus.optional() })
  .catchall(z.boolean())
  .transform(({ bot, status, ...rights }) => ({ bot, status, rights }));

/** A change of a bot's membership; absent fields stay as they are. */
interface MemberChange {
  readonly status?: MemberStatus | undefined;
  readonly rights?: Readonly<Record<string, boolean>>;
}

export const newChat = z.strictObject({
  id: z.int().optional(),
  type: z.enum(["private", "group", "supergroup", "channel"]),
  title: z.string().min(1).optional(),
  first_name: z.string().min(1).optional(),
  /** Of the person of a private chat; Russian unless given. */
  language_code: z.string().min(2).max(35).optional(),
  username: username.optional(),
  members: z.array(memberInput).default([]),
  /** Ids of topics, which make a supergroup a forum. */
  topics: z.array(z.int().min(1)).min(1).optional(),
});

export const chatPatch = z.strictObject({
  title: z.string().min(1).optional(),
  /** The id of the supergroup that this group became; created if it does not exist. */
  migrate_to: z.int().optional(),
  /** A bot to remove. */
  kick: z.string().optional(),
  /** The person blocks the bots of a private chat, or unblocks them. */
  block: z.boolean().optional(),
  deactivated: z.boolean().optional(),
  slow_mode_delay: z.int().min(0).max(3_600).optional(),
  members: z.array(memberInput).default([]),
});

/** Creates or updates the bot; a repeat changes nothing. */
export function upsertBot(input: z.infer<typeof newBot>, { store }: SetupDeps): Bot {
  const namesake = store.botNamed(input.username);
  if (namesake && namesake.token !== input.token) throw new InputError("username: another bot has it");
  const id = Number(input.token.split(":")[0]);
  const known = store.botByToken(input.token);
  if (!known && store.botById(id)) throw new InputError("token: this bot id has another token");
  const bot = known ?? { id, token: input.token, commands: [], updates: [], ...described(input) };
  Object.assign(bot, described(input));
  if (!known) store.addBot(bot);
  store.changed();
  return bot;
}

function described(input: z.infer<typeof newBot>) {
  return {
    username: input.username,
    firstName: input.first_name,
    readsAllGroupMessages: input.can_read_all_group_messages,
  };
}

/** Creates or updates the chat. Without an id it is found by its username, else by type and title. */
export function upsertChat(input: z.infer<typeof newChat>, deps: SetupDeps): Chat {
  const { store } = deps;
  const title = input.title ?? input.first_name;
  if (title === undefined) throw new InputError("title: a chat needs one");
  if (input.id !== undefined) checkId(input.id, input.type);
  if (input.topics && input.type !== "supergroup") throw new InputError("topics: only a supergroup has them");
  const members = input.members.map((member) => ({ input: member, bot: botOf(member.bot, store) }));

  const known = knownChat(input, title, store);
  if (known && known.type !== input.type) throw new InputError(`type: this chat is a ${known.type}`);
  const chat: Chat = known ?? {
    id: input.id ?? freeId(input.type, store),
    type: input.type,
    title,
    members: [],
    messages: [],
    nextMessageId: 1,
  };
  const before = known && JSON.stringify(chatView(known, store));
  chat.title = title;
  if (input.username !== undefined) chat.username = input.username;
  if (input.topics !== undefined) chat.topics = input.topics;
  if (input.first_name !== undefined) chat.firstName = input.first_name;
  if (chat.type === "private") {
    const person = personFor(store, { id: chat.id, first_name: chat.firstName ?? title });
    if (input.language_code !== undefined) person.languageCode = input.language_code;
  }
  for (const { input: member, bot } of members) setMember(chat, bot, member, "administrator");
  if (!known) store.addChat(chat);
  if (before !== JSON.stringify(chatView(chat, store))) announce(chat, deps);
  store.changed();
  return chat;
}

function knownChat(input: z.infer<typeof newChat>, title: string, store: Store): Chat | undefined {
  if (input.id !== undefined) return store.chatById(input.id);
  if (input.username !== undefined) return store.chatByUsername(input.username);
  return store.chats().find((chat) => chat.type === input.type && chat.title === title);
}

/** Changes a chat while bots write there. Bots receive the updates that concern them, as from the provider. */
export function changeChat(chat: Chat, patch: z.infer<typeof chatPatch>, deps: SetupDeps): Chat {
  const { store } = deps;
  if (patch.title !== undefined) chat.title = patch.title;
  if (patch.slow_mode_delay !== undefined) chat.slowModeSeconds = patch.slow_mode_delay;
  if (patch.deactivated !== undefined) chat.deactivated = patch.deactivated;
  for (const input of patch.members) change(chat, botOf(input.bot, store), input, deps);
  if (patch.kick !== undefined) change(chat, botOf(patch.kick, store), { status: "kicked" }, deps);
  if (patch.block !== undefined) {
    if (chat.type !== "private") throw new InputError("block: only a person in a private chat can block");
    const status = patch.block ? "kicked" : "member";
    for (const member of chat.members) {
      const bot = store.botById(member.botId);
      if (bot) change(chat, bot, { status }, deps);
    }
  }
  if (patch.migrate_to !== undefined) migrate(chat, patch.migrate_to, deps);
  announce(chat, deps);
  store.changed();
  return chat;
}

function change(chat: Chat, bot: Bot, input: MemberChange, { store, context, updates }: SetupDeps): void {
  const before = memberFor(bot, memberOf(chat, bot));
  const after = memberFor(bot, setMember(chat, bot, input, "member"));
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const person = personFor(store, chat.type === "private" ? { id: chat.id } : {});
  updates.push(bot, {
    kind: "my_chat_member",
    chatId: chat.id,
    content: {
      chat: chatFor(chat),
      from: userFor(store, person.id),
      date: seconds(context.clock.now()),
      old_chat_member: before,
      new_chat_member: after,
    },
  });
}

function setMember(chat: Chat, bot: Bot, input: MemberChange, whenNew: "member" | "administrator"): Member {
  const { status, rights = {} } = input;
  const known = memberOf(chat, bot);
  if (known) {
    if (status !== undefined) known.status = status;
    known.rights = { ...known.rights, ...rights };
    return known;
  }
  const usual = chat.type === "channel" ? whenNew : "member";
  const member: Member = { botId: bot.id, status: status ?? usual, rights };
  chat.members.push(member);
  return member;
}

function migrate(chat: Chat, target: number, deps: SetupDeps): void {
  if (chat.type !== "group") throw new InputError("migrate_to: only a group becomes a supergroup");
  checkId(target, "supergroup", "migrate_to");
  const { store } = deps;
  if (!store.chatById(target)) {
    const supergroup: Chat = {
      id: target,
      type: "supergroup",
      title: chat.title,
      members: chat.members.map((member) => ({ ...member })),
      messages: [],
      nextMessageId: 1,
    };
    store.addChat(supergroup);
    announce(supergroup, deps);
  }
  chat.migratedTo = target;
}

function announce(chat: Chat, { store, context }: SetupDeps): void {
  context.bus.publish({ type: "chat", provider: "telegram", chat: chatView(chat, store) });
}

function botOf(name: string, store: Store): Bot {
  const bot = store.botNamed(name);
  if (!bot) throw new InputError("members: there is no such bot; create it first");
  return bot;
}

const idShapes: Readonly<Record<ChatType, readonly [RegExp, string]>> = {
  private: [/^[1-9]\d*$/, "a private chat's id is the person's, a positive number"],
  group: [/^-(?!100\d{10})[1-9]\d*$/, "a group's id is a negative number without the -100 prefix"],
  supergroup: [/^-100\d{5,13}$/, "a supergroup's id begins with -100"],
  channel: [/^-100\d{5,13}$/, "a channel's id begins with -100"],
};

function checkId(id: number, type: ChatType, field = "id"): void {
  const [shape, rule] = idShapes[type];
  if (!shape.test(String(id))) throw new InputError(`${field}: ${rule}`);
}

/** An id that no chat has: ids may also be given, in the same range. */
export function freeId(type: ChatType, store: Store): number {
  for (;;) {
    const serial = store.nextSerial();
    const id =
      type === "private"
        ? 700_000_000 + serial
        : -((type === "group" ? 400_000_000 : 1_002_000_000_000) + serial);
    if (!store.chatById(id)) return id;
  }
}
