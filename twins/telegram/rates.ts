import type { Rate, Rates, TwinOptions } from "../shared/index.ts";
import { isAdministrator, memberOf } from "./access.ts";
import { tooManyRequests } from "./api-error.ts";
import type { Bot, Chat } from "./model.ts";

const perBotPerSecond = 30;
const perGroupPerMinute = 20;
/** The rate with `allow_paid_broadcast`. */
const paidPerBotPerSecond = 1_000;

export interface Sending {
  readonly bot: Bot;
  readonly chat: Chat;
  /** An album counts as one call for the chat, but as many messages as it has items for the group and the bot. */
  readonly items: number;
  readonly paid: boolean;
}

/** Counts a send, or refuses it with the provider's wait. */
export function takeRates(rates: Rates, options: TwinOptions, sending: Sending): void {
  if (!options.rateLimits) return;
  const waitMs = rates.take(ratesOf(sending, options.chatBurst));
  if (waitMs !== undefined) throw tooManyRequests(waitMs);
}

function ratesOf({ bot, chat, items, paid }: Sending, burst: number): Rate[] {
  const place = `${bot.id}:${chat.id}`;
  const rates: Rate[] = [
    { key: `chat ${place}`, count: burst, perMs: burst * 1_000 },
    { key: `bot ${bot.id}`, count: paid ? paidPerBotPerSecond : perBotPerSecond, perMs: 1_000, cost: items },
  ];
  if (chat.type === "group" || chat.type === "supergroup") {
    rates.push({ key: `group ${place}`, count: perGroupPerMinute, perMs: 60_000, cost: items });
    if (chat.slowModeSeconds && !isAdministrator(memberOf(chat, bot))) {
      rates.push({ key: `slow ${place}`, count: 1, perMs: chat.slowModeSeconds * 1_000 });
    }
  }
  return rates;
}
