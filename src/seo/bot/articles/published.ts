/** An article on its site: the link, the receipt, and what is worth doing next. */
import { createLedger } from "../../../billing/index.ts";
import type { ScreenKey } from "../../../dialogs/index.ts";
import { articleOrder, articleResult } from "../../articles/shape.ts";
import { readCategory } from "../../categories/categories.ts";
import { readConnection } from "../../connections/connections.ts";
import { readPreview } from "../../previews/previews.ts";
import { articleOf } from "../../publish/decide-article.ts";
import { receiptText } from "../runs/receipt.ts";
import { scheduleOffer } from "../schedule/schedule-offer.ts";
import { type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

/** After the first article a schedule is offered; whoever wants it later is not asked again before the fifth. */
const offersAfter = { first: 1, again: 5 };

export const published = screen("article:{id}:published", {
  to: [
    ...[
      "category:{id}:connection:{connection}:more",
      "schedule:{category}:{connection}:{@preset}",
      "dashboard",
    ],
    ...[
      "category:{id}:connection:{connection}:schedule",
      "category:{id}:description",
      "category:{id}:prices",
    ],
    "pipeline:article:start",
    ...["category:{id}:scheduler", "category:{id}:keywords", "category:{id}:media", "category:{id}:card"],
  ],
  show: ({ id }, visit) => publishedView(visit, id),
});

async function publishedView(visit: BotVisit, id: number) {
  const whose = whoseOf(visit);
  const { sql, clock } = inStep(visit);
  const { articles, common } = texts[visit.language];
  const say = articles.published;
  const preview = await ifFound(() => readPreview(sql, whose, id));
  const run = preview?.run ? await ifFound(() => articleOf(sql, whose, preview.run ?? "")) : undefined;
  if (!preview || run?.status !== "done") return undefined;
  const result = articleResult.parse(run.result);
  const order = articleOrder.parse(run.input);
  const { category_id: categoryId } = preview;
  const connectionId = run.connection_id;
  const category = await ifFound(() => readCategory(sql, whose, categoryId));
  const site =
    connectionId === null ? undefined : await ifFound(() => readConnection(sql, whose, connectionId));
  const balance = (await createLedger(sql, clock).balance(whose.workspaceId, whose.userId)) ?? 0;
  const count = await publications(visit);
  const hint = category && hintFor(count, category);
  const advice = result.warnings.filter(({ code }) => code === "phrases");
  const pictures = result.warnings.find(({ code }) => code === "pictures_failed");
  const offers =
    category && site && category.schedules === 0 && isOffered(count)
      ? { categoryId, connectionId: site.id }
      : undefined;
  const row = (key: ScreenKey | undefined | false): ScreenKey[][] => (key ? [[key]] : []);
  return {
    text: [
      order.update ? say.updated : say.title,
      "",
      result.article.title,
      ...(site ? [say.site(site.identifier)] : []),
      ...(result.post_url === undefined ? [] : [result.post_url]),
      "",
      say.charged(run.tokens, balance),
      "",
      receiptText(run, visit.language),
      ...(pictures ? ["", pictures.message[visit.language]] : []),
      ...advice.flatMap(({ message }) => ["", message[visit.language]]),
      ...(hint ? ["", say.hints[hint]] : []),
      ...(offers ? ["", say.offer] : []),
    ].join("\n"),
    buttons: [
      ...row(result.post_url !== undefined && { label: say.open, url: result.post_url }),
      ...(offers ? scheduleOffer(offers, visit.language) : []),
      ...row({
        label: say.more,
        to: site ? `category:${categoryId}:connection:${site.id}:more` : "pipeline:article:start",
        style: "primary",
      }),
      ...row(pictures && { label: say.addImages, to: `category:${categoryId}:media` }),
      ...row(advice.length > 0 && { label: say.findPhrases, to: `category:${categoryId}:keywords` }),
      ...row(
        hint === "description" && { label: say.addDescription, to: `category:${categoryId}:description` },
      ),
      ...row(hint === "prices" && { label: say.addPrices, to: `category:${categoryId}:prices` }),
      ...row(
        !offers &&
          site && {
            label: say.schedule,
            to: `category:${categoryId}:connection:${site.id}:schedule`,
          },
      ),
      [
        { label: common.toCategory, to: `category:${categoryId}:card` },
        { label: common.mainMenu, to: "dashboard" },
      ],
    ],
  };
}

const isOffered = (count: number) => count <= offersAfter.first || count >= offersAfter.again;

type Hint = "description" | "prices" | "schedule";

/** One hint after the first, the third and the fifth publication, about what is still missing. */
function hintFor(
  count: number,
  category: { readonly description: string | null; readonly prices: number; readonly schedules: number },
): Hint | undefined {
  if (count === 1 && category.description === null) return "description";
  if (count === 3 && category.prices === 0) return "prices";
  return count === 5 && category.schedules === 0 ? "schedule" : undefined;
}

/** How much the person has published, of every kind. */
export async function publications(visit: Pick<BotVisit, "sql" | "workspaceId" | "userId">): Promise<number> {
  const { workspaceId, userId } = whoseOf(visit);
  const [row] = await visit.sql<[{ count: number }]>`
    select count(*)::int as count from seo.publication_logs l
    where l.workspace_id = ${workspaceId} and l.user_id = ${userId} and l.status = 'success'`;
  return row.count;
}
