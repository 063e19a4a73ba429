/** Actions of people and tests with Stars: pay a link, cancel, set a balance, let time pass. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { InputError, readInput } from "../../shared/index.ts";
import type { Deps } from "../call.ts";
import { pay } from "./checkout.ts";
import { slugIn } from "./invoice.ts";
import { become, renewDue } from "./subscriptions.ts";

const idPath = z.object({ id: z.coerce.number().int() });
const copies = z.int().min(1).max(10).default(1);
const starsPatch = z.strictObject({
  /** How long a period of 30 days lasts here. */
  period_seconds: z.number().min(0.1).max(2_592_000).optional(),
});

export async function starsControl(app: FastifyInstance, deps: Deps): Promise<void> {
  const { store } = deps;

  app.get("/_control/telegram/stars", async () => {
    const { payments, subscriptions, balances, periodMs } = store.stars();
    return { payments, subscriptions, balances, period_seconds: periodMs / 1_000 };
  });
  app.patch("/_control/telegram/stars", async (request) => {
    const { period_seconds } = readInput(starsPatch, request.body);
    if (period_seconds !== undefined) store.stars().periodMs = period_seconds * 1_000;
    store.changed();
    return { period_seconds: store.stars().periodMs / 1_000 };
  });
  /** Charges what is due now; otherwise this happens within a second. */
  app.post("/_control/telegram/stars/renew", async () => ({ charged: renewDue(deps) }));

  app.put("/_control/telegram/people/:id/stars", async (request) => {
    const { id } = readInput(idPath, request.params);
    const { stars } = readInput(z.strictObject({ stars: z.int().min(0) }), request.body);
    const { balances } = store.stars();
    const account = balances.find(({ personId }) => personId === id);
    if (account) account.stars = stars;
    else balances.push({ personId: id, stars });
    store.changed();
    return { id, stars };
  });

  app.post("/_control/telegram/chats/:id/pay", async (request) => {
    const { id } = readInput(idPath, request.params);
    const { link, copies: times } = readInput(z.strictObject({ link: z.string(), copies }), request.body);
    const chat = store.chatById(id);
    const person = store.person(id);
    if (!chat || !person) throw new InputError(`id: there is no person ${id}`, 404);
    const slug = slugIn(link);
    const invoice = store.stars().invoices.find((each) => each.slug === slug);
    if (!invoice) throw new InputError("link: there is no such invoice", 404);
    return pay(chat, person, { invoice, copies: times }, deps);
  });

  app.post("/_control/telegram/chats/:id/subscription", async (request) => {
    const { id } = readInput(idPath, request.params);
    const { canceled } = readInput(z.strictObject({ canceled: z.boolean() }), request.body);
    const person = store.person(id);
    const subscription = store.stars().subscriptions.findLast((each) => each.personId === id);
    if (!person || !subscription) throw new InputError("id: this person has no subscription", 404);
    if (canceled) subscription.canceledBy = "user";
    else if (subscription.canceledBy === "bot") throw new InputError("canceled: the bot has ended it");
    else delete subscription.canceledBy;
    become(subscription, canceled ? "canceled" : "active", person, deps);
    return { charge_id: subscription.chargeId, state: subscription.state };
  });
}
