import type { AskState } from "../../../dialogs/index.ts";
import type { BotServices } from "../services.ts";
import { both } from "../texts/index.ts";

interface Reported {
  readonly categoryId: number;
  readonly report: string;
}

/** The last state: its report is shown above the category's keywords, and the flow is over. */
export const resultsState: AskState<Reported, never, BotServices> = {
  ask: ({ report }) => report,
  prepare: {
    to: ["screen:category:{id}:keywords"],
    take: ({ data: { categoryId, report } }) => ({
      to: `screen:category:${categoryId}:keywords`,
      notice: report,
    }),
  },
  buttons: {
    list: {
      label: both((t) => t.keywords.result.list),
      to: "screen:category:{id}:keywords",
      press: ({ data: { categoryId } }) => ({ to: `screen:category:${categoryId}:keywords` }),
    },
  },
};
