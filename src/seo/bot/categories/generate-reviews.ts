import { z } from "zod";
import type { StepContext } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readRun } from "../../runs/read-runs.ts";
import { regenerateText, saveText } from "../../texts/decide-on-text.ts";
import { orderReviews } from "../../texts/order-reviews.ts";
import { reviewsKind, reviewsResult } from "../../texts/reviews-run.ts";
import { reviewQuantities } from "../../texts/sample-reviews.ts";
import { inactivity } from "../limits.ts";
import { receiptText } from "../runs/receipt.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { wasStopped } from "../runs/was-stopped.ts";
import { action, type BotServices, flow, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { againLabel, againOf, againShape, noneAgain } from "./again.ts";
import { costOf, costShape, costText, isShort, noCost } from "./cost.ts";
import { goneHome, orHome } from "./gone.ts";
import { reviewTexts } from "./review-texts.ts";
import { waitingText } from "./waiting-text.ts";

type Name = "quantity" | "confirm_cost" | "generating" | "review";

const data = z.object({
  categoryId: z.int(),
  quantity: z.union(reviewQuantities.map((each) => z.literal(each))),
  /** Of one review. */
  each: z.int(),
  cost: costShape,
  runId: z.string(),
  text: z.string(),
  /** What the person should know about them; empty if there is nothing. */
  warning: z.string(),
  again: againShape,
  /** Another round cannot be paid for. */
  isShort: z.boolean(),
});
type Data = z.infer<typeof data>;
type Turn = StepContext<Data, BotServices>;

const [fewest] = reviewQuantities;
const empty: Data = {
  ...{ categoryId: 0, quantity: fewest, each: 0, cost: noCost },
  ...{ runId: "", text: "", warning: "", again: noneAgain, isShort: false },
};
const list = "screen:category:{id}:reviews";
const operation = "review";

export const generateReviews = flow({
  name: "ReviewGeneration",
  title: both((t) => t.categories.reviews.flow),
  data,
  empty,
  first: "quantity",
  rivals: "replace",
  inactivity,
  async leave(turn, why) {
    if (why === "cancelled") await drop(turn);
  },
  states: {
    quantity: {
      ask: both((t) => t.categories.reviews.quantity),
      prepare: {
        take: async (turn) => ({ data: { each: (await costOf(turn, operation)).tokens } }),
      },
      buttons: {
        quantity: {
          label: both(() => ""),
          each: ({ each }, language) => {
            const { categories, common } = texts[language];
            return reviewQuantities.map((count) => ({
              arg: String(count),
              label: categories.reviews.option(count, common.tokens(count * each)),
            }));
          },
          to: "confirm_cost",
          press(_, arg) {
            const quantity = reviewQuantities.find((count) => String(count) === arg) ?? fewest;
            return { data: { quantity } };
          },
        },
      },
    },
    confirm_cost: {
      ask: ({ quantity, cost }, language) =>
        `${texts[language].categories.reviews.confirm(quantity)}\n\n${costText(cost, language)}`,
      prepare: {
        take: async (turn) => ({ data: { cost: await costOf(turn, operation, turn.data.quantity) } }),
      },
      buttons: {
        yes: {
          label: both((t) => t.categories.reviews.yes),
          style: "success",
          when: ({ cost }) => !isShort(cost),
          to: ["generating", "@stay", "screen:dashboard"],
          async press(turn) {
            const services = inStep(turn);
            const { categoryId, quantity } = turn.data;
            const ordered = await ifFound(() =>
              attempted(() =>
                orderReviews(services, services.kinds.reviews, whoseOf(turn), categoryId, quantity),
              ),
            );
            if (!ordered) return goneHome(turn);
            // Shown again with the balance as it is now, which says whether a top-up helps.
            if (!ordered.ok) return { to: "@stay", notice: saidOf(ordered.problem, turn.language) };
            return { to: "generating", data: { runId: ordered.value.run_id } };
          },
        },
        top_up: {
          label: both((t) => t.common.topUp),
          style: "primary",
          when: ({ cost }) => isShort(cost),
          to: "screen:tariffs",
        },
        fewer: {
          label: both((t) => t.categories.reviews.fewer),
          when: ({ cost, quantity }) => isShort(cost) && quantity !== fewest,
          to: "quantity",
        },
      },
    },
    generating: waitForRun<Data, Name>({
      ask: both((t) => t.categories.reviews.writing),
      runId: ({ runId }) => runId,
      outcomes: {
        review: {
          to: ["review", "quantity"],
          async take(turn) {
            if (!(await wasStopped(turn, turn.data.runId))) return { to: "review" };
            await drop(turn);
            return { to: "quantity", notice: texts[turn.language].runs.stopped };
          },
        },
        cancelled: { to: "quantity", take: ({ language }) => ({ notice: texts[language].runs.stopped }) },
        failed: { to: "quantity", take: async (turn) => ({ notice: await failureOf(turn) }) },
      },
    }),
    review: {
      ask: ({ text, warning }, language) =>
        [texts[language].categories.reviews.review, text, ...(warning === "" ? [] : [warning])].join("\n\n"),
      noBack: true,
      noCancel: true,
      prepare: {
        to: ["quantity"],
        async take(turn) {
          const run = await runOf(turn);
          const result = run && reviewsResult.safeParse(run.result);
          const { language } = turn;
          if (run?.status !== "review" || !result?.success)
            return { to: "quantity", notice: texts[language].categories.reviews.outdated };
          const { reviews, regenerations, warning } = result.data;
          const text = reviewTexts(reviews, language);
          const again = againOf(turn, run, regenerations);
          return { data: { text, again, warning: warning?.[language] ?? "" } };
        },
      },
      buttons: {
        save: {
          label: both((t) => t.common.save),
          style: "success",
          to: [...orHome<Name>(list), "@stay"],
          async press(turn) {
            const saved = await ifFound(() =>
              attempted(() => saveText(inStep(turn), whoseOf(turn), turn.data.runId)),
            );
            if (!saved) return goneHome(turn);
            // Looked at again: reviews that were decided on meanwhile are not offered any more.
            if (!saved.ok) return { to: "@stay", notice: saidOf(saved.problem, turn.language) };
            const run = await runOf(turn);
            const say = texts[turn.language].categories.reviews;
            const receipt = run ? `\n\n${receiptText(run, turn.language)}` : "";
            return {
              to: `screen:category:${turn.data.categoryId}:reviews`,
              notice: `${say.saved}${receipt}`,
            };
          },
        },
        regenerate: {
          label: ({ again }, language) => againLabel(again, language),
          to: ["generating", "@stay", "screen:dashboard"],
          async press(turn) {
            const begun = await ifFound(() =>
              attempted(() => regenerateText(inStep(turn), whoseOf(turn), turn.data.runId)),
            );
            if (!begun) return goneHome(turn);
            if (begun.ok) return { to: "generating", data: { isShort: false } };
            return {
              to: "@stay",
              data: { isShort: begun.problem.code === "too_few_tokens" },
              notice: saidOf(begun.problem, turn.language),
            };
          },
        },
        top_up: {
          label: both((t) => t.common.topUp),
          style: "primary",
          when: (turn) => turn.isShort,
          to: "screen:tariffs",
        },
        drop: {
          label: both((t) => t.common.cancel),
          to: list,
          async press(turn) {
            await drop(turn);
            return {
              to: `screen:category:${turn.data.categoryId}:reviews`,
              notice: texts[turn.language].categories.reviews.dropped,
            };
          },
        },
      },
    },
  },
});

export const beginReviews = action("category:{id}:reviews:generate", {
  to: ["flow:ReviewGeneration"],
  async act({ id }, visit) {
    if (!visit.services.sampleReviews) return undefined;
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    return category && { data: { categoryId: id } };
  },
});

/** Goes on with reviews that were left before a decision. */
export const waitingReviews = action("category:{id}:reviews:waiting", {
  to: ["flow:ReviewGeneration", "category:{id}:reviews"],
  async act({ id }, visit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    if (!category) return undefined;
    const waiting = await waitingText(visit, reviewsKind, id);
    const say = texts[visit.language].categories.reviews;
    if (!waiting) return { to: `category:${id}:reviews`, notice: say.outdated };
    return {
      to: "flow:ReviewGeneration",
      state: waiting.isReady ? "review" : "generating",
      data: { categoryId: id, runId: waiting.runId },
    };
  },
});

async function drop(turn: Turn): Promise<void> {
  const { runId } = turn.data;
  if (runId !== "") await inStep(turn).runs.cancel({ ...whoseOf(turn), runId });
}

function runOf(turn: Turn) {
  const { workspaceId, userId } = whoseOf(turn);
  return ifFound(() => readRun(inStep(turn).sql, workspaceId, turn.data.runId, userId));
}

async function failureOf(turn: Turn): Promise<string> {
  const run = await runOf(turn);
  return run?.error?.message[turn.language] ?? texts[turn.language].categories.reviews.outdated;
}
