import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../shared/index.ts";
import type { Deps } from "./call.ts";
import { peerFloodMs } from "./limits.ts";
import type { Account, Chat } from "./model.ts";
import { beginFlood } from "./pace.ts";
import { newSession } from "./session.ts";
import { changeChat, chatPatch, newAccount, newChat, upsertAccount, upsertChat } from "./setup.ts";
import { chatView } from "./view.ts";

const phonePath = z.object({ phone: z.string() });
const idPath = z.object({ id: z.coerce.number().int() });
const accountPatch = z.strictObject({
  state: z.enum(["active", "frozen", "deleted", "banned"]).optional(),
  premium: z.boolean().optional(),
  password: z.string().min(1).nullable().optional(),
  limits: newAccount.shape.limits.optional(),
});
const trouble = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("flood"),
    method: z.enum(["send", "join", "resolve"]).default("send"),
    seconds: z.int().min(1),
  }),
  z.strictObject({ kind: z.literal("peer_flood"), seconds: z.int().min(1).optional() }),
  z.strictObject({ kind: z.literal("revoke") }),
  z.strictObject({ kind: z.literal("duplicate") }),
  z.strictObject({ kind: z.literal("ban") }),
  z.strictObject({ kind: z.literal("freeze") }),
]);
const scanBody = z.strictObject({ url: z.string(), phone: z.string() });
const device = { deviceModel: "Phone", systemVersion: "1", appVersion: "1", langCode: "ru" };

/** Actions of people, Telegram's moderation and tests, below `/_control/telegram-account`. */
export async function controlRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { store, context } = deps;
  const base = "/_control/telegram-account";

  app.get(`${base}/accounts`, async () => ({ accounts: store.world.accounts.map(shown) }));
  app.post(`${base}/accounts`, async (request) =>
    shown(upsertAccount(readInput(newAccount, request.body), deps)),
  );
  app.get(`${base}/accounts/:phone`, async (request) => shown(accountAt(request.params)));
  app.patch(`${base}/accounts/:phone`, async (request) => {
    const account = accountAt(request.params);
    const { password, limits, ...rest } = readInput(accountPatch, request.body);
    Object.assign(account, definedOnly(rest));
    Object.assign(account.limits, definedOnly(limits ?? {}));
    if (password === null) delete account.password;
    else if (password !== undefined) account.password = password;
    store.changed();
    return shown(account);
  });
  app.post(`${base}/accounts/:phone/trouble`, async (request) => {
    const account = accountAt(request.params);
    begin(account, readInput(trouble, request.body));
    store.changed();
    return shown(account);
  });
  /** Clears waits, restrictions and quotas. */
  app.delete(`${base}/accounts/:phone/trouble`, async (request) => {
    const account = accountAt(request.params);
    Object.assign(account, { floods: {}, calls: {}, strangers: {}, state: "active" });
    delete account.peerFloodUntil;
    store.changed();
    return shown(account);
  });
  /** A key that is signed in already, as from another program. */
  app.post(`${base}/accounts/:phone/sessions`, async (request) => {
    const { userId } = accountAt(request.params);
    const session = newSession(store, device);
    session.userId = userId;
    return { key: session.key };
  });

  app.post(`${base}/chats`, async (request) => answer(upsertChat(readInput(newChat, request.body), deps)));
  app.patch(`${base}/chats/:id`, async (request) =>
    answer(changeChat(chatAt(request.params), readInput(chatPatch, request.body), deps)),
  );

  /** A person scans the QR code with a signed-in phone. */
  app.post(`${base}/scan`, async (request) => {
    const { url, phone } = readInput(scanBody, request.body);
    const account = accountAt({ phone });
    const token = /^tg:\/\/login\?token=([\w-]+)$/.exec(url)?.[1];
    const session = store.world.sessions.find(({ loginToken }) => loginToken?.token === token);
    if (!token || !session?.loginToken) throw new InputError("url: no such login link", 404);
    if (session.loginToken.expiresAt < context.clock.now()) throw new InputError("url: the link has expired");
    session.loginToken.acceptedBy = account.userId;
    store.changed();
    return { ok: true };
  });

  function begin(account: Account, what: z.infer<typeof trouble>): void {
    const now = context.clock.now();
    switch (what.kind) {
      case "flood":
        beginFlood(account, what.method, what.seconds, now);
        break;
      case "peer_flood":
        account.peerFloodUntil = now + (what.seconds === undefined ? peerFloodMs : what.seconds * 1000);
        break;
      case "revoke":
        kill(account, "SESSION_REVOKED");
        break;
      case "duplicate":
        kill(account, "AUTH_KEY_DUPLICATED");
        break;
      case "ban":
        account.state = "banned";
        break;
      case "freeze":
        account.state = "frozen";
    }
  }

  function kill({ userId }: Account, dead: "SESSION_REVOKED" | "AUTH_KEY_DUPLICATED"): void {
    for (const session of store.world.sessions) if (session.userId === userId) session.dead = dead;
  }

  function answer(chat: Chat) {
    const view = chatView(chat, store);
    context.bus.publish({ type: "chat", provider: "telegram-account", chat: view });
    return { id: chat.id, chat: view };
  }

  function shown(account: Account) {
    const { userId, phone, name, username, premium, state, limits, floods, peerFloodUntil } = account;
    const sessions = store.world.sessions.filter((session) => session.userId === userId);
    const codes = store.world.sessions.flatMap(({ code }) => (code?.phone === phone ? [code] : []));
    return {
      userId,
      phone,
      name,
      username,
      premium,
      state,
      limits,
      floods,
      peerFloodUntil,
      sessions: sessions.map(({ device, dead }) => ({ device, ...(dead && { dead }) })),
      /** The codes that its owner can read now, newest first. */
      codes: codes.sort((one, other) => other.sentAt - one.sentAt).map(({ code }) => code),
    };
  }

  function accountAt(params: unknown): Account {
    const { phone } = readInput(phonePath, params);
    const account = store.accountByPhone(phone);
    if (!account) throw new InputError(`phone: nobody has ${phone}`, 404);
    return account;
  }

  function chatAt(params: unknown): Chat {
    const { id } = readInput(idPath, params);
    const chat = store.chat(id);
    if (!chat) throw new InputError(`id: there is no chat ${id}`, 404);
    return chat;
  }
}
