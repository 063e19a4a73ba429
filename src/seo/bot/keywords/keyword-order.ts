/** What is remembered of an order of phrases while its questions are asked. */
import { z } from "zod";
import { listPrices, tokensFor } from "../../../billing/index.ts";
import type { StepContext, StepResult } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { keywordsOrder, quantities } from "../../keywords/keywords-run.ts";
import { orderKeywords } from "../../keywords/order-keywords.ts";
import { readUser } from "../../people/people.ts";
import { readProject } from "../../projects/projects.ts";
import { type BotServices, type BotVisit, inStep, isAdmin, whoseOf } from "../services.ts";
import { attempted, ifFound, saidOf } from "../told.ts";

export type Quantity = (typeof quantities)[number];
/** What [Подобрать автоматически] orders. */
export const usualQuantity: Quantity = 100;

const orderSchema = z.object({
  products: z.string(),
  geography: z.string(),
  quantity: keywordsOrder.shape.quantity,
  runId: z.string(),
  // Read when a question is shown.
  category: z.string(),
  city: z.string(),
  balance: z.int(),
  /** Tokens for each of `quantities`. */
  costs: z.array(z.int()),
  isFree: z.boolean(),
});
export type KeywordOrder = z.infer<typeof orderSchema>;

/** For the data of a flow: `z.object({ ...keywordAnswers.shape, … })`. */
export const keywordAnswers = z.object({ keywordOrder: orderSchema });
export type KeywordAnswers = z.infer<typeof keywordAnswers>;
export const noKeywordAnswers: KeywordAnswers = {
  keywordOrder: {
    ...{ products: "", geography: "", quantity: usualQuantity, runId: "" },
    ...{ category: "", city: "", balance: 0, costs: [], isFree: false },
  },
};

type Turn = StepContext<KeywordAnswers, BotServices>;

/** The order with some answers changed. */
export function answered({ data }: Pick<Turn, "data">, changes: Partial<KeywordOrder>): KeywordAnswers {
  return { keywordOrder: { ...data.keywordOrder, ...changes } };
}

export const costOf = ({ costs }: KeywordOrder, quantity: Quantity): number =>
  costs[quantities.indexOf(quantity)] ?? 0;

export const isShort = ({ isFree, balance, ...order }: KeywordOrder): boolean =>
  !isFree && balance < costOf({ ...order, isFree, balance }, order.quantity);

/** What questions show: prices, balance, the names of category and city. Undefined if the category is gone. */
export async function readSituation(turn: BotVisit, categoryId: number) {
  const { sql } = inStep(turn);
  const whose = whoseOf(turn);
  const category = await ifFound(() => readCategory(sql, whose, categoryId));
  if (!category) return undefined;
  const { company_city, specialization } = await readProject(sql, whose, category.project_id);
  const { balance } = await readUser(sql, whose);
  const prices = await listPrices(sql, whose.workspaceId);
  return {
    projectId: category.project_id,
    specialization,
    shown: {
      ...{ category: category.name, city: company_city ?? "", balance, isFree: isAdmin(turn) },
      costs: quantities.map((quantity) => tokensFor(prices, "keyword_generation", quantity)),
    },
  };
}

/** What somebody answered about this category when they last ordered phrases. */
export async function lastAnswers(
  turn: BotVisit,
  categoryId: number,
): Promise<Pick<KeywordOrder, "products" | "geography"> | undefined> {
  const { workspaceId, userId } = whoseOf(turn);
  const [run] = await turn.sql<{ input: unknown }[]>`
    select input from seo.runs
    where workspace_id = ${workspaceId} and user_id = ${userId} and kind = 'keywords' and category_id = ${categoryId}
    order by created_at desc limit 1`;
  const read = keywordsOrder.safeParse(run?.input);
  return read.success ? { products: read.data.products, geography: read.data.geography } : undefined;
}

/** Orders the phrases: the run to wait for, or why it cannot begin (limits, balance). Uses the database only. */
export async function placeOrder<Name extends string>(
  turn: Turn,
  categoryId: number,
  changes: Partial<KeywordOrder>,
  to: Name,
): Promise<StepResult<KeywordAnswers, Name>> {
  const services = inStep(turn);
  const { products, geography, quantity } = { ...turn.data.keywordOrder, ...changes };
  const wanted = { products, geography, quantity };
  const ordered = await attempted(() =>
    orderKeywords(services, services.kinds.keywords, whoseOf(turn), categoryId, wanted),
  );
  if (!ordered.ok) return { to: "@stay", notice: saidOf(ordered.problem, turn.language) };
  return { to, data: answered(turn, { ...changes, runId: ordered.value.run_id }) };
}
