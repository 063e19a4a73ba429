import { randomUUID } from "node:crypto";
import { createSessionStore } from "../../src/accounts/index.ts";
import { createVault, generateKey, type Vault } from "../../src/kernel/crypto/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import {
  type AccountDriver,
  type AccountPost,
  type AccountRef,
  createTwinDriver,
  type TwinDriverDeps,
} from "../../src/platforms/index.ts";
import { startTestTwins, type TestClock, type TestTwins, testClock } from "../../twins/shared/testing.ts";
import { telethonString } from "./session-strings.ts";

/** People with Telegram accounts at the twin, and a driver that signs them in. */
export interface AccountTwin {
  readonly twins: TestTwins;
  readonly clock: TestClock;
  readonly driver: AccountDriver;
  readonly vault: Vault;
  /** Another process: the same accounts, another driver. */
  anotherDriver(settings?: TwinDriverDeps["connections"]): AccountDriver;
  /** Somebody new at Telegram. */
  aPerson(given?: Record<string, unknown>): Promise<string>;
  /** Somebody new who is signed in under this account's id. */
  signedIn(
    account: { workspaceId: string; accountId?: string },
    person?: Record<string, unknown>,
  ): Promise<AccountRef & { phone: string }>;
  /** A chat with these people; returns its marked id. */
  aChat(phones: readonly string[], given?: Record<string, unknown>): Promise<string>;
  /** The messages of a chat, oldest first: who wrote what. */
  said(chatId: string): Promise<{ author: string; text: string; media: number }[]>;
  trouble(phone: string, what: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

export const device = {
  deviceModel: "Molva",
  systemVersion: "Linux",
  appVersion: "0.1",
  langCode: "ru",
} as const;

/** Tests do not wait for processes that died. */
const quick = { leaseMs: 1_000, heartbeatMs: 100, waitMs: 3_000, idleMs: 60_000 };

export async function accountTwin(
  sql: Sql,
  given: { clock?: TestClock; rateLimits?: boolean; vault?: Vault } = {},
): Promise<AccountTwin> {
  const clock = given.clock ?? testClock();
  const twins = await startTestTwins({ clock, rateLimits: given.rateLimits ?? false });
  const http = createProviderClient();
  const vault = given.vault ?? createVault([generateKey()]);
  const drivers: AccountDriver[] = [];
  let people = 0;

  function anotherDriver(settings: TwinDriverDeps["connections"] = {}): AccountDriver {
    const root = `${twins.url}/telegram-account`;
    const driver = createTwinDriver({
      sessions: createSessionStore({ sql, vault }),
      http,
      root,
      connections: { ...quick, ...settings },
    });
    drivers.push(driver);
    return driver;
  }
  const driver = anotherDriver();

  async function aPerson(person: Record<string, unknown> = {}): Promise<string> {
    people += 1;
    const phone = `+7901${String(2_000_000 + people)}`;
    const made = { phone, name: `Риелтор ${people}`, ...person };
    await twins.control("POST", "/telegram-account/accounts", made);
    return made.phone;
  }

  return {
    twins,
    clock,
    driver,
    vault,
    anotherDriver,
    aPerson,
    async signedIn({ workspaceId, accountId = randomUUID() }, person = {}) {
      const phone = await aPerson(person);
      const { key } = await twins.control<{ key: string }>(
        "POST",
        `/telegram-account/accounts/${phone}/sessions`,
      );
      const account = { workspaceId, accountId, device };
      const imported = await driver.logins.importSession(
        account,
        telethonString(Buffer.from(key, "base64url")),
      );
      if (!imported.ok) throw new Error(imported.error.message);
      return { ...account, phone };
    },
    async aChat(phones, chat = {}) {
      const members = phones.map((phone) => ({ phone }));
      const { id } = await twins.control<{ id: number }>("POST", "/telegram-account/chats", {
        title: "Аренда",
        members,
        ...chat,
      });
      return String(id);
    },
    async said(chatId) {
      const { messages } = await twins.control<{
        messages: { author: { name: string }; text: string; media: unknown[] }[];
      }>("GET", `/chats/telegram-account/${chatId}/messages?limit=500`);
      return messages.map(({ author, text, media }) => ({ author: author.name, text, media: media.length }));
    },
    async trouble(phone, what) {
      await twins.control("POST", `/telegram-account/accounts/${phone}/trouble`, what);
    },
    async close() {
      for (const each of drivers) await each.close();
      await http.close();
      await twins.close();
    },
  };
}

let lastRandom = 0n;

export function aPost(chatId: string, given: Partial<AccountPost> & { words?: string } = {}): AccountPost {
  const { words = "Сдаётся квартира", ...rest } = given;
  lastRandom += 1n;
  const photos = rest.photos ?? [];
  return {
    chatId,
    text: { text: words, marks: [] },
    photos,
    randomIds: Array.from({ length: Math.max(1, photos.length) }, (_, index) =>
      String(lastRandom * 100n + BigInt(index)),
    ),
    ...rest,
  };
}
