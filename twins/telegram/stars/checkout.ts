/** A person pays: the bot is asked and has ten seconds, then the Stars are moved, then the bot is told. */
import { InputError } from "../../shared/index.ts";
import type { Deps } from "../call.ts";
import { type Bot, type Chat, isBotAuthor, type Message, type Person } from "../model.ts";
import { publish, publishNew } from "../posting.ts";
import { messageFor, userFor } from "../wire.ts";
import type { Invoice, StarPayment, StarsContent } from "./model.ts";

type StarsDeps = Pick<Deps, "store" | "context" | "updates">;

const answerWithinMs = 10_000;
const lookEveryMs = 20;
/** Separate from the chat's queue, as the provider does: a bot answers while it still handles the chat. */
const queueOfCheckouts = 2 ** 50;

export interface Paid {
  readonly charge_id: string;
}

/** Throws with the text that the person would see. */
export async function pay(
  chat: Chat,
  person: Person,
  { invoice, message, copies }: { invoice: Invoice; message?: Message; copies: number },
  deps: StarsDeps,
): Promise<Paid> {
  const { store, context, updates } = deps;
  const bot = store.botById(invoice.botId);
  if (!bot) throw new InputError("message_id: its bot is gone");
  const content = message?.stars;
  if (content?.kind === "invoice" && content.paid) throw new InputError("This invoice has been paid already");
  if (isSubscribed(invoice, person, store)) throw new InputError("SUBSCRIPTION_ALREADY_ACTIVE");
  if (balanceOf(person, store) < invoice.amount) throw new InputError("BALANCE_TOO_LOW");
  const checkout = {
    id: `${context.clock.now()}${store.nextSerial()}`,
    botId: bot.id,
    at: context.clock.now(),
  };
  store.stars().checkouts.push(checkout);
  updates.push(
    bot,
    {
      kind: "pre_checkout_query",
      chatId: queueOfCheckouts + chat.id,
      content: {
        id: checkout.id,
        from: userFor(store, person.id),
        ...{ currency: "XTR", total_amount: invoice.amount, invoice_payload: invoice.payload },
      },
    },
    copies,
  );
  const answer = await answerTo(checkout.id, deps);
  if (!answer) throw new InputError("BOT_PRECHECKOUT_TIMEOUT");
  if (!answer.ok) throw new InputError(answer.reason ?? "The bot refuses the payment");
  if (balanceOf(person, store) < invoice.amount) throw new InputError("BALANCE_TOO_LOW");
  if (content?.kind === "invoice" && message) {
    content.paid = true;
    publish(chat, message, deps);
  }
  const until =
    invoice.subscriptionPeriod === undefined ? undefined : context.clock.now() + store.stars().periodMs;
  const payment = charge(chat, person, invoice, { until, isFirst: true, copies }, deps);
  if (until !== undefined)
    store.stars().subscriptions.push({
      chargeId: payment.chargeId,
      invoice,
      personId: person.id,
      state: "active",
      until,
    });
  store.changed();
  return { charge_id: payment.chargeId };
}

/** Moves Stars from the person to the bot, and tells the bot. */
export function charge(
  chat: Chat,
  person: Person,
  invoice: Invoice,
  { until, isFirst, copies = 1 }: { until: number | undefined; isFirst: boolean; copies?: number },
  deps: StarsDeps,
): StarPayment {
  const { store, context } = deps;
  const { amount, payload, subscriptionPeriod } = invoice;
  const chargeId = `stx${String(context.clock.now())}_${store.nextSerial()}`;
  const payment: StarPayment = {
    ...{ chargeId, botId: invoice.botId, personId: person.id, at: context.clock.now(), amount, payload },
    ...(subscriptionPeriod !== undefined && { subscriptionPeriod }),
  };
  store.stars().payments.push(payment);
  move(person, -amount, store);
  const recurring = until !== undefined && { until, isRecurring: true, isFirst };
  tellOf(
    chat,
    person,
    { kind: "payment", amount, payload, chargeId, ...recurring },
    invoice.botId,
    deps,
    copies,
  );
  return payment;
}

/** A service message of the person, which the bot receives as an update. */
export function tellOf(
  chat: Chat,
  person: Person,
  stars: StarsContent,
  botId: number,
  deps: StarsDeps,
  copies = 1,
): void {
  const { store, context, updates } = deps;
  const message: Message = {
    ...{ id: chat.nextMessageId++, at: context.clock.now(), author: { personId: person.id } },
    ...{ text: "", entities: [], stars, silent: false, protected: false },
  };
  publishNew(chat, message, deps);
  const bot = store.botById(botId);
  if (bot)
    updates.push(
      bot,
      { kind: "message", chatId: chat.id, content: messageFor(bot, chat, message, store) },
      copies,
    );
}

export function balanceOf({ id }: Person, store: StarsDeps["store"]): number {
  return store.stars().balances.find(({ personId }) => personId === id)?.stars ?? Number.POSITIVE_INFINITY;
}

export function move({ id }: Person, stars: number, store: StarsDeps["store"]): void {
  const account = store.stars().balances.find(({ personId }) => personId === id);
  if (account) account.stars += stars;
}

/** The invoice of a button: that of its message, or one whose link it opens. */
export function invoiceAt(
  message: Message,
  slug: string | undefined,
  store: StarsDeps["store"],
): Invoice | undefined {
  if (slug !== undefined) return store.stars().invoices.find((invoice) => invoice.slug === slug);
  return message.stars?.kind === "invoice" && isBotAuthor(message.author) ? message.stars.invoice : undefined;
}

function isSubscribed(invoice: Invoice, { id }: Person, store: StarsDeps["store"]): boolean {
  return store
    .stars()
    .subscriptions.some(
      (each) => each.invoice.slug === invoice.slug && each.personId === id && each.state !== "canceled",
    );
}

async function answerTo(id: string, { store, context }: StarsDeps) {
  const began = performance.now();
  for (;;) {
    const answer = store.stars().checkouts.find((checkout) => checkout.id === id)?.answer;
    if (answer || performance.now() - began > answerWithinMs || context.stopping.aborted) return answer;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** A pre-checkout query can be answered for ten seconds, once, by its bot. */
export function openCheckout(bot: Bot, id: string, { store, context }: StarsDeps) {
  const checkout = store.stars().checkouts.find((each) => each.id === id && each.botId === bot.id);
  const isLate = checkout && context.clock.now() - checkout.at > answerWithinMs;
  return checkout && !isLate && !checkout.answer ? checkout : undefined;
}
