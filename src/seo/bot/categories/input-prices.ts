import { z } from "zod";
import { readCategory } from "../../categories/categories.ts";
import { inactivity } from "../limits.ts";
import { action, type BotVisit, flow, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { priceInput } from "./price-input.ts";

const names = {
  choose_method: "choose_method",
  text_input: "text_input",
  file_upload: "file_upload",
} as const;
type Name = keyof typeof names;

const data = z.object({ categoryId: z.int() });

export const inputPrices = flow({
  name: "PriceInput",
  title: both((t) => t.categories.prices.flow),
  data,
  empty: { categoryId: 0 },
  first: "choose_method",
  rivals: "replace",
  inactivity,
  states: priceInput<z.infer<typeof data>, Name>({
    names,
    to: "screen:category:{id}:prices",
    categoryId: ({ categoryId }) => categoryId,
    saved: ({ data: { categoryId }, language }, count) => ({
      to: `screen:category:${categoryId}:prices`,
      notice: texts[language].categories.prices.saved(count),
    }),
  }),
});

/** Begins with the question how, or with the way that was chosen already. */
const beginningAt = (state: Name) => ({
  to: ["flow:PriceInput"],
  async act({ id }: { readonly id: number }, visit: BotVisit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    return category && { data: { categoryId: id }, state };
  },
});

export const addPrices = action("category:{id}:prices:add", beginningAt("choose_method"));
export const typePrices = action("category:{id}:prices:text", beginningAt("text_input"));
export const uploadPrices = action("category:{id}:prices:file", beginningAt("file_upload"));
