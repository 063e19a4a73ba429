import { z } from "zod";
import { badRequest } from "../api-error.ts";
import type { Deps, MethodCall } from "../call.ts";
import { integer, json, type Params, text } from "../params.ts";
import { codePoints } from "../text/index.ts";
import { type Invoice, monthSeconds } from "./model.ts";

const limits = {
  title: 32,
  description: 255,
  payloadBytes: 128,
  stars: 100_000,
  subscription: 10_000,
} as const;
const pricesShape = z.array(z.object({ label: z.string().min(1), amount: z.int() }));
/** Fields that are not allowed with Stars. */
const notForStars = ["provider_data", "max_tip_amount", "suggested_tip_amounts"] as const;

/**
 * The invoice of a call; throws the provider's refusal. Only Stars are supported: this twin has no payment providers.
 */
export function readInvoice({ bot, params }: MethodCall, { store }: Deps): Invoice {
  const title = required(params, "title");
  const description = required(params, "description");
  const payload = required(params, "payload");
  const currency = required(params, "currency");
  if (codePoints(title) > limits.title) throw badRequest("INVOICE_TITLE_INVALID");
  if (codePoints(description) > limits.description) throw badRequest("INVOICE_DESCRIPTION_INVALID");
  if (Buffer.byteLength(payload) > limits.payloadBytes) throw badRequest("INVOICE_PAYLOAD_INVALID");
  const prices = pricesShape.safeParse(json(params, "prices"));
  if (!prices.success) throw badRequest("can't parse prices JSON object");
  if (currency !== "XTR") throw badRequest("PAYMENT_PROVIDER_INVALID");
  const [price] = prices.data;
  const isForStars =
    text(params, "provider_token") === "" && notForStars.every((name) => text(params, name) === "");
  if (!price || prices.data.length !== 1 || !isForStars) throw badRequest("STARS_INVOICE_INVALID");
  if (price.amount < 1 || price.amount > limits.stars) throw badRequest("CURRENCY_TOTAL_AMOUNT_INVALID");
  const period =
    text(params, "subscription_period") === "" ? undefined : integer(params, "subscription_period");
  if (text(params, "subscription_period") !== "" && period !== monthSeconds)
    throw badRequest("SUBSCRIPTION_PERIOD_INVALID");
  if (period !== undefined && price.amount > limits.subscription)
    throw badRequest("CURRENCY_TOTAL_AMOUNT_INVALID");
  return {
    slug: `inv${store.nextSerial().toString(36).padStart(6, "0")}`,
    ...{ botId: bot.id, title, description, payload, amount: price.amount },
    startParameter: text(params, "start_parameter"),
    ...(period !== undefined && { subscriptionPeriod: period }),
  };
}

export const linkOf = ({ slug }: Invoice) => `https://t.me/$${slug}`;

export function slugIn(url: string | undefined): string | undefined {
  return /^https:\/\/t\.me\/\$([\w-]+)$/.exec(url ?? "")?.[1];
}

function required(params: Params, name: string): string {
  const value = text(params, name);
  if (value === "") throw badRequest(`parameter "${name}" is required`);
  return value;
}
