/**
 * Telegram updates besides texts and taps: payments, and whether a person has blocked the bot. They are handled at
 * once, not in the order of a chat.
 */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { BotKey } from "../engine/dialogue.ts";
import type { TelegramApi } from "./client.ts";
import {
  type CheckoutQuery,
  type MoneyUpdate,
  type ReceivedPayment,
  type ReturnedPayment,
  readMoneyUpdate,
  type SubscriptionChange,
} from "./money-update.ts";
import { languageOf } from "./update.ts";

/**
 * Records the payments of a bot that sells. All calls may be repeated and come in any order. If one throws, Telegram
 * sends the update again: nothing is confirmed before it is recorded.
 */
export interface Till {
  /** Undefined if it may be paid; otherwise the text for the person. Telegram waits ten seconds. */
  check(workspaceId: string, query: CheckoutQuery): Promise<string | undefined>;
  paid(workspaceId: string, payment: ReceivedPayment): Promise<void>;
  refunded(workspaceId: string, payment: ReturnedPayment): Promise<void>;
  subscription(workspaceId: string, change: SubscriptionChange): Promise<void>;
}

export interface AsideDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly key: BotKey;
  readonly api: TelegramApi;
  readonly till: Till | undefined;
}

/** Telegram waits ten seconds, including the network time both ways. */
const checkoutMs = 8_000;
const trouble = {
  ru: "Сейчас оплатить не получится. Деньги не списаны, попробуйте через минуту.",
  en: "The payment cannot be made right now. Nothing was charged; please try again in a minute.",
} as const;
const notForSale = {
  ru: "Этот бот ничего не продаёт. Деньги не списаны.",
  en: "This bot sells nothing. Nothing was charged.",
} as const;

/** Returns when everything is recorded. Pre-checkout queries are answered first, all at once. */
export async function hearAside(raws: readonly unknown[], deps: AsideDeps): Promise<void> {
  const money = raws.flatMap((raw) => readMoneyUpdate(raw, languageOf) ?? []);
  const answered = money.filter((update) => update.kind === "checkout").map((query) => answer(query, deps));
  for (const update of money) await record(update, deps);
  for (const raw of raws) await noteMember(raw, deps);
  await Promise.all(answered);
}

/** Never throws: a query that is not answered in time is a payment that does not happen. */
async function answer(query: CheckoutQuery, { api, till, log, key }: AsideDeps): Promise<void> {
  const { queryId, language } = query;
  const refusal = await Promise.race([decided(), late()]);
  const told = await api.call((telegram) =>
    refusal === undefined
      ? telegram.answerPreCheckoutQuery(queryId, true)
      : telegram.answerPreCheckoutQuery(queryId, false, { error_message: refusal }),
  );
  if (told.kind !== "ok")
    log.warn(
      { bot: key.bot, reason: told.kind === "refused" ? told.description : told.reason },
      "a question before a payment could not be answered: the payment does not happen",
    );

  async function decided(): Promise<string | undefined> {
    if (!till) return notForSale[language];
    try {
      return await till.check(key.workspaceId, query);
    } catch (error) {
      log.error({ err: error, bot: key.bot }, "a payment could not be checked and was refused");
      return trouble[language];
    }
  }

  async function late(): Promise<string> {
    await delay(checkoutMs, undefined, { ref: false });
    return trouble[language];
  }
}

async function record(update: MoneyUpdate, { till, log, key }: AsideDeps): Promise<void> {
  if (update.kind === "checkout") return;
  if (!till) return log.error({ bot: key.bot, update }, "money came to a bot that sells nothing");
  const { workspaceId } = key;
  if (update.kind === "paid") return till.paid(workspaceId, update);
  if (update.kind === "refunded") return till.refunded(workspaceId, update);
  return till.subscription(workspaceId, update);
}

const memberShape = z.object({
  my_chat_member: z.object({
    chat: z.object({ id: z.number(), type: z.literal("private") }),
    new_chat_member: z.object({ status: z.string() }),
  }),
});

/** A person who has blocked the bot gets no messages until they return. */
async function noteMember(raw: unknown, { sql, clock, key }: AsideDeps): Promise<void> {
  const read = memberShape.safeParse(raw);
  if (!read.success) return;
  const { chat, new_chat_member: member } = read.data.my_chat_member;
  const blockedAt = member.status === "kicked" ? clock.now() : null;
  await sql`
    update dialogs.dialogues set blocked_at = ${blockedAt}
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${String(chat.id)}`;
}
