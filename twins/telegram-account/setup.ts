import { z } from "zod";
import { definedOnly, InputError } from "../shared/index.ts";
import type { Deps } from "./call.ts";
import { usualLimits } from "./limits.ts";
import { type Account, type Chat, contents, type Member } from "./model.ts";
import type { Store } from "./store.ts";

const accountLimits = z.strictObject({
  sendsPerMinute: z.int().min(0).optional(),
  joinsPerHour: z.int().min(0).optional(),
  resolvesPerDay: z.int().min(0).optional(),
  strangersPerDay: z.int().min(0).optional(),
  floodSeconds: z.int().min(1).optional(),
});
export const newAccount = z.strictObject({
  phone: z.string().regex(/^\+\d{5,15}$/),
  name: z.string().min(1),
  username: z.string().optional(),
  password: z.string().min(1).optional(),
  hint: z.string().optional(),
  premium: z.boolean().default(false),
  fixed_code: z.string().regex(/^\d+$/).optional(),
  code_types: z
    .array(z.enum(["app", "sms", "call"]))
    .min(1)
    .default(["app", "sms", "call"]),
  contacts: z.array(z.int()).default([]),
  limits: accountLimits.default({}),
});
const member = z.strictObject({
  phone: z.string(),
  role: z.enum(["member", "admin", "muted", "banned", "left", "requested"]).default("member"),
});
const chatFields = {
  title: z.string().min(1).optional(),
  username: z.string().nullable().optional(),
  invite: z.string().nullable().optional(),
  invite_expired: z.boolean().optional(),
  join_by_request: z.boolean().optional(),
  join_to_send: z.boolean().optional(),
  extra_members: z.int().min(0).optional(),
  slow_mode_seconds: z.int().min(0).optional(),
  forbidden: z.array(z.enum(contents)).optional(),
  topic_closed: z.boolean().optional(),
  restricted: z.boolean().optional(),
  paid_stars: z.int().min(0).optional(),
  gone: z.boolean().optional(),
  members: z.array(member).optional(),
};
export const newChat = z.strictObject({
  id: z.int().optional(),
  type: z.enum(["group", "supergroup", "channel", "private"]).default("supergroup"),
  ...chatFields,
});
export const chatPatch = z.strictObject(chatFields);

/** Creates a Telegram account, or updates the given fields. */
export function upsertAccount(given: z.infer<typeof newAccount>, { store }: Deps): Account {
  const { phone, name, username, password, hint, premium, fixed_code, code_types, contacts } = given;
  const known = store.accountByPhone(phone);
  const account: Account = known ?? {
    userId: store.newId(),
    phone,
    name,
    premium,
    state: "active",
    codeTypes: code_types,
    contacts,
    limits: { ...usualLimits },
    floods: {},
    calls: {},
    strangers: {},
    codesSent: [],
    wrongCodes: [],
    wrongPasswords: [],
    sent: {},
  };
  Object.assign(account, { name, premium, codeTypes: code_types, contacts });
  Object.assign(account, definedOnly({ username, password, hint, fixedCode: fixed_code }));
  Object.assign(account.limits, definedOnly(given.limits));
  if (!known) store.world.accounts.push(account);
  store.changed();
  return account;
}

export function upsertChat({ id, type, ...fields }: z.infer<typeof newChat>, deps: Deps): Chat {
  const { store } = deps;
  const known = id === undefined ? undefined : store.chat(id);
  if (known) return changeChat(known, fields, deps);
  const chat = blankChat(id ?? freeId(type, store), type, fields.title ?? "Чат");
  store.world.chats.push(chat);
  return changeChat(chat, fields, deps);
}

export function changeChat(chat: Chat, given: z.infer<typeof chatPatch>, { store }: Deps): Chat {
  const { username, invite, members } = given;
  Object.assign(
    chat,
    definedOnly({
      title: given.title,
      inviteExpired: given.invite_expired,
      joinByRequest: given.join_by_request,
      joinToSend: given.join_to_send,
      extraMembers: given.extra_members,
      slowModeSeconds: given.slow_mode_seconds,
      forbidden: given.forbidden,
      topicClosed: given.topic_closed,
      restricted: given.restricted,
      paidStars: given.paid_stars,
      gone: given.gone,
    }),
  );
  if (username === null) delete chat.username;
  else if (username !== undefined) chat.username = username;
  if (invite === null) delete chat.invite;
  else if (invite !== undefined) chat.invite = invite;
  for (const { phone, role } of members ?? []) setMember(chat, phone, role, store);
  store.changed();
  return chat;
}

export function blankChat(id: number, type: Chat["type"], title: string): Chat {
  return {
    id,
    type,
    title,
    inviteExpired: false,
    joinByRequest: false,
    joinToSend: true,
    extraMembers: 0,
    members: [],
    slowModeSeconds: 0,
    forbidden: [],
    topicClosed: false,
    restricted: false,
    paidStars: 0,
    gone: false,
    nextMessageId: 1,
    messages: [],
  };
}

function setMember(chat: Chat, phone: string, role: Member["role"], store: Store): void {
  const account = store.accountByPhone(phone);
  if (!account) throw new InputError(`members: nobody has the phone ${phone}`);
  const known = chat.members.find(({ userId }) => userId === account.userId);
  if (known) known.role = role;
  else chat.members.push({ userId: account.userId, role });
}

/** Ids as Telegram marks them: the sign and the prefix tell the kind of chat. */
function freeId(type: Chat["type"], store: Store): number {
  const id = store.newId();
  if (type === "private") return id;
  return type === "group" ? -id : -1_000_000_000_000 - id;
}
