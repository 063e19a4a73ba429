/** Tells people what has become of their purchases and subscriptions. */
import type { z } from "zod";
import { defineOutcomeTask, type OutcomeTask, type SaleOutcome } from "../../../billing/index.ts";
import { type Both, type Language, type NoticeKeys, notify } from "../../../dialogs/index.ts";
import type { Clock } from "../../../kernel/clock/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { botName } from "../bot-name.ts";
import { both, texts } from "../texts/index.ts";
import { nameOf, priceOf } from "./packages.ts";

/** What may have been left to buy tokens. */
const unfinished = ["ArticlePipeline", "SocialPipeline", "ArticlePublish", "SocialPostPublish"] as const;
/** The event by which a flow goes on after a top-up. */
export const toppedUp = "topped_up";
/** The page that the person was sent to is of no use any more. */
export const notPaid = "not_paid";

export interface SoldDeps<Given> {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly given: z.ZodType<Given, Given>;
}

/** Run twice, it says nothing new. */
export function createSoldTask<Given>({ sql, clock, given }: SoldDeps<Given>): OutcomeTask<Given> {
  return defineOutcomeTask({
    name: "seo.sold",
    given,
    async run({ outcome }) {
      const { workspace_id: workspaceId, user_id: userId, kind } = outcome;
      const told = { ru: tellingOf(outcome, "ru"), en: tellingOf(outcome, "en") };
      const hasComeIn = kind === "paid" || kind === "renewed";
      const name = hasComeIn ? toppedUp : kind === "failed" ? notPaid : "sold";
      await notify(
        sql,
        { workspaceId, bot: botName },
        {
          ...{ chatId: String(userId), id: noticeOf(outcome), name },
          say: { ru: told.ru.say, en: told.en.say },
          keys: { ru: told.ru.keys, en: told.en.keys },
          ...(hasComeIn && {
            resume: { flows: unfinished, ask: both((t) => t.money.sold.goOn), ...yesOrNo },
            // Nobody is asked again how to pay for what they have just paid for.
            leads: { from: "tariff", to: "dashboard" },
          }),
        },
        clock.now(),
      );
    },
  });
}

const yesOrNo: { yes: Both; no: Both } = {
  yes: both((t) => t.money.sold.yes),
  no: both((t) => t.money.sold.no),
};

interface Telling {
  readonly say: string;
  readonly keys: NoticeKeys;
}

function tellingOf(outcome: SaleOutcome, language: Language): Telling {
  const { money } = texts[language];
  const say = money.sold;
  const { tokens, balance, package: code, provider } = outcome;
  const [count, left, name] = [tokens ?? 0, balance ?? 0, nameOf(code)];
  const date = money.day(new Date(outcome.until ?? outcome.at));
  const price = priceOf(outcome.amount ?? 0, outcome.currency ?? "RUB", language);
  const manage = { label: say.manage, to: "subscription" };
  switch (outcome.kind) {
    case "paid":
      return { say: say.paid(count, left), keys: [] };
    case "renewed":
      return { say: say.renewed(name, date, count, left), keys: [[manage]] };
    case "refused":
      return { say: say.refused, keys: [[{ label: say.support, to: "support" }]] };
    case "failed":
      return {
        say: say.failed,
        keys: [
          [{ label: say.again, to: `tariff:${code}`, style: "primary" }],
          [{ label: say.toTariffs, to: "tariffs" }],
        ],
      };
    case "refunded": {
      const gone = priceOf(outcome.refunded ?? 0, outcome.currency ?? "RUB", language);
      const told = say.refunded(gone, outcome.refunded_tokens ?? 0, left);
      return {
        say: left < 0 ? `${told}\n\n${say.debt(left)}` : told,
        keys: [[{ label: say.topUp, to: "tariffs", style: "primary" }]],
      };
    }
    case "referral_bonus":
      return { say: say.referral(count, left), keys: [[{ label: say.toReferral, to: "profile:referral" }]] };
    case "renewal_soon":
      return { say: say.soon(name, date, price), keys: [[manage]] };
    case "renewal_failed":
      return { say: say.renewalFailed(date), keys: otherWays(code, language) };
    case "paused":
      if (provider !== "stars") return { say: say.renewalFailed(date), keys: otherWays(code, language) };
      return {
        say: say.paused(name),
        keys: [[{ label: say.topUpStars, url: starsLink(outcome.amount ?? 1), style: "primary" }], [manage]],
      };
    case "cancelled":
      return { say: say.cancelled(name, date), keys: [[manage]] };
    case "resumed":
      return { say: say.resumed(name, date), keys: [[manage]] };
    case "ended":
      return { say: say.ended(name), keys: [[{ label: say.toTariffs, to: "tariffs" }]] };
  }
}

function otherWays(code: string, language: Language): NoticeKeys {
  const say = texts[language].money.sold;
  return [
    [{ label: say.newMethod, to: `tariff:${code}:yookassa`, style: "primary" }],
    [{ label: say.payStars, to: `tariff:${code}:stars` }],
  ];
}

/** Opens Telegram's own purchase of Stars. */
const starsLink = (amount: number) => `tg://stars_topup?balance=${Math.ceil(amount)}&purpose=subs`;

/** What makes an outcome the same as another. */
function noticeOf({ kind, sale_id, payment_id, subscription_id, until, refunded, user_id }: SaleOutcome) {
  return ["seo", kind, sale_id, payment_id, subscription_id, until, refunded, user_id].join("/");
}
