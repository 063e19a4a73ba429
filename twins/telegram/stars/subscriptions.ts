/** Renews subscriptions: charges what is due, or fails if there are too few Stars. */
import type { Deps } from "../call.ts";
import type { Person } from "../model.ts";
import { userFor } from "../wire.ts";
import { balanceOf, charge } from "./checkout.ts";
import type { StarSubscription } from "./model.ts";

type StarsDeps = Pick<Deps, "store" | "context" | "updates">;

/** Charges everything that is due now; returns the number of charges. */
export function renewDue(deps: StarsDeps): number {
  const { store, context } = deps;
  const now = context.clock.now();
  let charges = 0;
  for (const subscription of store.stars().subscriptions) {
    if (subscription.state === "canceled" || subscription.until > now) continue;
    const person = store.person(subscription.personId);
    const chat = store.chatById(subscription.personId);
    if (!person || !chat) continue;
    if (balanceOf(person, store) < subscription.invoice.amount) {
      if (subscription.state === "active") become(subscription, "failed", person, deps);
      continue;
    }
    subscription.state = "active";
    // One period after another, even if it runs late.
    subscription.until = Math.max(subscription.until, now - store.stars().periodMs) + store.stars().periodMs;
    charge(chat, person, subscription.invoice, { until: subscription.until, isFirst: false }, deps);
    charges += 1;
  }
  if (charges > 0) store.changed();
  return charges;
}

/** The bot is told about changes that it did not make itself. */
export function become(
  subscription: StarSubscription,
  state: StarSubscription["state"],
  person: Person,
  { store, updates }: StarsDeps,
): void {
  subscription.state = state;
  store.changed();
  const bot = store.botById(subscription.invoice.botId);
  if (bot)
    updates.push(bot, {
      kind: "subscription",
      chatId: subscription.personId,
      content: {
        ...{ user: userFor(store, person.id), invoice_payload: subscription.invoice.payload, state },
      },
    });
}
