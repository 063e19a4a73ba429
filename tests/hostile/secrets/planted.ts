import { randomBytes } from "node:crypto";
import { demo } from "../../../src/delivery/index.ts";
import { generateKey } from "../../../src/kernel/crypto/index.ts";

/** Secrets of every kind that Molva is given or makes, each to be found nowhere afterwards. */

const random = () => randomBytes(12).toString("hex");
const [telegramBot, maxBot] = demo.bots;

/** What the system is given from the start. */
export const planted: Readonly<Record<string, string>> = {
  "the token of a Telegram bot that works": telegramBot.token,
  "the token of a MAX bot that works": maxBot.token,
  "the secret of the demo's endpoint": demo.secret,
  "the token of a Telegram bot that was revoked": `7200000001:${random()}${random().slice(0, 11)}`,
  "the token of a MAX bot that was revoked": `max-${random()}`,
  "the token of the bot that alerts": `7300000001:${random()}${random().slice(0, 11)}`,
  "the secret that signs alerts": `whsec-${random()}`,
  "a secret of the customer's own for an endpoint": `endpoint-${random()}`,
  "the Authorization header of a source": `source-${random()}`,
  "the password of a source's database": `database-${random()}`,
  "a source's secret in the environment": `environment-${random()}`,
  "the password of the mail server": `smtp-${random()}`,
  "the key of OpenRouter": `sk-or-v1-${random()}`,
  "the key of OpenAI": `sk-${random()}`,
  "the key of a server of one's own": `model-${random()}`,
  "the token of the advisor's clients": `advisor-${random()}`,
  "the key that encrypts secrets": generateKey(),
  "the second password of an account": `cloud-${random()}`,
  "the password of an account's proxy": `proxy-${random()}`,
  "the password of an operator": `operator-${random()}`,
  "a password that was mistyped": `mistyped-${random()}`,
};

export function plantedAs(what: string): string {
  const secret = planted[what];
  if (secret === undefined) throw new Error(`nothing is planted as "${what}"`);
  return secret;
}
