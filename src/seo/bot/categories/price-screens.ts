import { pageOf, pager, type View } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readPrices, setPrices } from "../../categories/lists.ts";
import { priceWorkbook } from "../../categories/price-export.ts";
import { type Price, priceText } from "../../categories/price-lines.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

/** Lines of a message: the longest of them are cut, so that a page always fits. */
const shown = { lines: 20, longest: 150 } as const;

const targets = [
  ...["category:{id}:prices:{page}", "category:{id}:prices:add", "category:{id}:prices:text"],
  ...["category:{id}:prices:file", "category:{id}:prices:excel", "category:{id}:prices:delete"],
  "category:{id}:card",
];

export const prices = screen("category:{id}:prices", {
  to: targets,
  show: ({ id }, visit) => pricePage(id, 1, visit),
});
export const pricesPage = screen("category:{id}:prices:{page}", {
  to: targets,
  show: ({ id, page }, visit) => pricePage(id, page, visit),
});

async function pricePage(id: number, wanted: number, visit: BotVisit): Promise<View | undefined> {
  const { categories, common } = texts[visit.language];
  const say = categories.prices;
  const { sql } = inStep(visit);
  const category = await ifFound(() => readCategory(sql, whoseOf(visit), id));
  if (!category) return undefined;
  const all = await readPrices(sql, whoseOf(visit), id);
  const page = pageOf(all, wanted, shown.lines);
  const to = (what: string) => `category:${id}:prices:${what}`;
  const parent = [{ label: common.toCategory, to: `category:${id}:card` }];
  if (all.length === 0)
    return {
      text: `${say.title(category.name)}\n\n${say.empty}`,
      buttons: [[{ label: say.add, to: to("add"), style: "success" }], parent],
    };
  return {
    text: [say.title(category.name), say.count(all.length), "", ...page.items.map(lineOf)].join("\n"),
    buttons: [
      pager(page, (each) => to(String(each))),
      [
        { label: say.update, to: to("text") },
        { label: say.byFile, to: to("file") },
      ],
      [{ label: say.download, to: to("excel") }],
      [{ label: say.remove, to: to("delete"), style: "danger" }],
      parent,
    ],
  };
}

function lineOf(price: Price): string {
  const line = priceText([price]);
  return line.length > shown.longest ? `${cut(line, shown.longest)}…` : line;
}

export const downloadPrices = action("category:{id}:prices:excel", {
  to: ["category:{id}:prices"],
  async act({ id }, visit) {
    const { sql } = inStep(visit);
    const found = await ifFound(() => readPrices(sql, whoseOf(visit), id));
    if (!found) return undefined;
    const say = texts[visit.language].categories.prices;
    const to = `category:${id}:prices`;
    if (found.length === 0) return { to, notice: say.empty };
    const bytes = await priceWorkbook(found, visit.language);
    return { to, say: [{ document: { bytes }, name: `${say.fileName}-${id}.xlsx` }] };
  },
});

export const askToDeletePrices = screen("category:{id}:prices:delete", {
  to: ["category:{id}:prices:delete:yes", "category:{id}:prices"],
  async show({ id }, visit) {
    const { categories, removal, common } = texts[visit.language];
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    if (!category) return undefined;
    return {
      text: categories.prices.askToRemove(category.name, category.prices),
      buttons: [
        [{ label: removal.yes, to: `category:${id}:prices:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `category:${id}:prices` }],
      ],
    };
  },
});

export const deletePrices = action("category:{id}:prices:delete:yes", {
  to: ["category:{id}:prices"],
  async act({ id }, visit) {
    const left = await ifFound(() => setPrices(inStep(visit), whoseOf(visit), id, []));
    if (left === undefined) return undefined;
    return { to: `category:${id}:prices`, notice: texts[visit.language].categories.prices.removed };
  },
});
