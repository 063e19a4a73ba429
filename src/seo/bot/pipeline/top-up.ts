/** Tokens that are bought in the middle: whoever leaves to buy some comes back to where they were. */
import type { Both, Reaction } from "../../../dialogs/index.ts";
import type { BotServices } from "../services.ts";
import { both, texts } from "../texts/index.ts";

export const topUpButton = <Data>(when: (data: Data) => boolean, label: Both = both((t) => t.common.topUp)) =>
  ({ label, to: "screen:tariffs", style: "primary", when, press: () => ({ keep: true }) }) as const;

/** Its screen is shown again, with the new balance. */
export const refilled = <Data>(changes: Partial<Data>) =>
  ({
    topped_up: {
      to: "@stay",
      take: ({ language }) => ({ data: changes, notice: texts[language].articles.confirm.refilled }),
    },
  }) satisfies Readonly<Record<string, Reaction<Data, never, BotServices>>>;
