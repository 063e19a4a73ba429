import { pageOf, pager, type View } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readReviews, setReviews } from "../../categories/lists.ts";
import { reviewsKind, samplesOnly } from "../../texts/reviews-run.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { reviewTexts } from "./review-texts.ts";
import { waitingText } from "./waiting-text.ts";

/** Reviews are long: three of them are a message. */
const perPage = 3;

const targets = [
  ...["category:{id}:reviews:{page}", "category:{id}:reviews:generate", "category:{id}:reviews:waiting"],
  ...["category:{id}:reviews:delete", "category:{id}:card"],
];

export const reviews = screen("category:{id}:reviews", {
  to: targets,
  show: ({ id }, visit) => reviewPage(id, 1, visit),
});
export const reviewsPage = screen("category:{id}:reviews:{page}", {
  to: targets,
  show: ({ id, page }, visit) => reviewPage(id, page, visit),
});

async function reviewPage(id: number, wanted: number, visit: BotVisit): Promise<View | undefined> {
  const { language } = visit;
  const { categories, common } = texts[language];
  const say = categories.reviews;
  const { sql, sampleReviews } = inStep(visit);
  const category = await ifFound(() => readCategory(sql, whoseOf(visit), id));
  if (!category) return undefined;
  const all = await readReviews(sql, whoseOf(visit), id);
  const page = pageOf(all, wanted, perPage);
  const waiting = await waitingText(visit, reviewsKind, id);
  const to = (what: string) => `category:${id}:reviews:${what}`;
  const shown = all.length === 0 ? say.empty : reviewTexts(page.items, language);
  return {
    text: [say.title(category.name, all.length), shown, sampleReviews ? samplesOnly[language] : say.off].join(
      "\n\n",
    ),
    buttons: [
      pager(page, (each) => to(String(each))),
      waiting
        ? [{ label: waiting.isReady ? say.look : say.follow, to: to("waiting"), style: "primary" }]
        : [],
      sampleReviews ? [{ label: say.generate, to: to("generate"), style: "success" }] : [],
      all.length > 0 ? [{ label: say.remove, to: to("delete"), style: "danger" }] : [],
      [{ label: common.toCategory, to: `category:${id}:card` }],
    ],
  };
}

export const askToDeleteReviews = screen("category:{id}:reviews:delete", {
  to: ["category:{id}:reviews:delete:yes", "category:{id}:reviews"],
  async show({ id }, visit) {
    const { categories, removal, common } = texts[visit.language];
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    if (!category) return undefined;
    return {
      text: categories.reviews.askToRemove(category.name, category.reviews),
      buttons: [
        [{ label: removal.yes, to: `category:${id}:reviews:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `category:${id}:reviews` }],
      ],
    };
  },
});

export const deleteReviews = action("category:{id}:reviews:delete:yes", {
  to: ["category:{id}:reviews"],
  async act({ id }, visit) {
    const left = await ifFound(() => setReviews(inStep(visit), whoseOf(visit), id, []));
    return left && { to: `category:${id}:reviews`, notice: texts[visit.language].categories.reviews.removed };
  },
});
