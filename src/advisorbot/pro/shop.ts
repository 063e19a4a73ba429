/** Pro as something to buy: one offer, for thirty days, once or again and again. */
import { z } from "zod";
import {
  defineOutcomeTask,
  type Offer,
  type OutcomeTask,
  paidUntil,
  type SaleOutcome,
  type Shop,
} from "../../billing/index.ts";
import { notify } from "../../dialogs/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Backend } from "../backend/backend-client.ts";
import { both } from "../texts/index.ts";

export const product = "advisor_pro";
export const packageCode = "pro";
const given = z.object({});
export type Given = z.infer<typeof given>;

export interface SoldDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly bot: string;
  backend(): Backend;
}

/** Without a price nothing is sold; what was sold goes on. */
export function proShop(stars: number | undefined, outcomes: OutcomeTask<Given>): Shop<Given> {
  const offers: readonly Offer[] =
    stars === undefined
      ? []
      : [
          {
            ...{ code: packageCode, tokens: 0, bonus: 0, priceRub: null, prices: { XTR: stars } },
            ...{ periodDays: 30, once: true, recurring: true },
          },
        ];
  return { product, outcomes, offers: async () => offers };
}

/** The advisor hears until when Pro is paid for, then the person does. Run twice, it changes and says nothing new. */
export function proSold(deps: SoldDeps): OutcomeTask<Given> {
  return defineOutcomeTask({
    name: "advisorbot.pro_sold",
    given,
    async run({ outcome }, { signal }) {
      const { sql, clock, bot, backend } = deps;
      const { workspace_id: workspaceId, user_id: userId } = outcome;
      const until = await paidUntil(sql, { workspaceId, userId, product });
      const told = await backend().paidUntil(userId, until?.toISOString() ?? null, signal);
      // Tried again later: whoever has paid gets what was paid for.
      if (!told.ok) throw new Error(`the advisor could not be told of a payment: ${told.error.kind}`);
      const left = until && until > clock.now() ? until.toISOString() : null;
      const shown = outcome.kind === "refunded" ? left : (outcome.until ?? null);
      const say = both((t) => t.sold[outcome.kind]?.(shown) ?? "");
      if (say.ru !== "")
        await notify(
          sql,
          { workspaceId, bot },
          { chatId: String(userId), id: noticeOf(outcome), name: "pro_sold", say },
          clock.now(),
        );
    },
  });
}

/** What makes an outcome the same as another. */
function noticeOf({ kind, sale_id, payment_id, subscription_id, until, refunded }: SaleOutcome): string {
  return ["pro", kind, sale_id, payment_id, subscription_id, until, refunded].join("/");
}
