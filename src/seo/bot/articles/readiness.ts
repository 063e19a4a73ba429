/** Step 4 of the pipeline: what is still missing for a good article, on one screen, with what it costs so far. */
import { listPrices, tokensFor } from "../../../billing/index.ts";
import type { Language, State, StepContext } from "../../../dialogs/index.ts";
import { imageOperation } from "../../articles/article-deps.ts";
import { readCategory } from "../../categories/categories.ts";
import { estimateWork } from "../../estimates/estimate.ts";
import { imagesAtMost } from "../../settings/options.ts";
import { changeSettings } from "../../settings/settings.ts";
import { priceInput } from "../categories/price-input.ts";
import { checklistState, prepareStates } from "../pipeline/prepare-states.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import type { PipelineData, Readiness } from "./pipeline-data.ts";
import type { PipelineName } from "./pipeline-names.ts";
import { beginPlan } from "./plan-states.ts";
import { publications } from "./published.ts";

type Named = State<PipelineData, PipelineName, BotServices>;
type Turn = StepContext<PipelineData, BotServices>;

/** From so many publications on, prices and pictures are on the list, too. */
const experienced = 2;

const header = (t: Texts) => t.articles.pipeline.steps.preparation;

const readiness_check: Named = checklistState<PipelineData, PipelineName>({
  ask: readinessText,
  async read(turn) {
    const readiness = await readReadiness(turn);
    return readiness && { data: { readiness }, isComplete: isComplete(readiness) };
  },
  lacksPhrases: ({ readiness }) => readiness?.lacking !== null,
  lacksDescription: ({ readiness }) => !readiness?.hasDescription,
  words: ({ articles }) => {
    const { keywords, description, go } = articles.pipeline.readiness;
    return { keywords, description, go, gone: articles.gone };
  },
  more: {
    prices: {
      label: both((t) => t.articles.pipeline.readiness.prices),
      to: "readiness_prices",
      when: ({ readiness }) => readiness !== null && isExperienced(readiness) && readiness.prices === 0,
    },
    images: {
      label: both((t) => t.articles.pipeline.readiness.images),
      to: "configure_images",
      when: ({ readiness }) => readiness !== null && isExperienced(readiness),
    },
    plan: {
      label: both((t) => t.articles.confirm.plan),
      to: ["planning", "@stay"],
      when: ({ readiness, planId }) => readiness?.lacking === null && planId === "",
      press: (turn) => beginPlan(turn),
    },
  },
});

const pricing = priceInput<PipelineData, PipelineName>({
  names: {
    ...{ choose_method: "readiness_prices", text_input: "readiness_prices_text" },
    file_upload: "readiness_prices_file",
  },
  ...{ to: "readiness_check", categoryId: (data) => data.categoryId },
  saved: () => ({}),
});

const configure_images: Named = {
  ask: ({ readiness }, language) => {
    const t = texts[language];
    return `${header(t)}\n\n${t.articles.pipeline.images.text(readiness?.images ?? 0)}`;
  },
  prepare: {
    async take(turn) {
      return { data: { readiness: (await readReadiness(turn)) ?? null } };
    },
  },
  buttons: {
    use: {
      label: ({ readiness }, language) =>
        texts[language].articles.pipeline.images.use(readiness?.imagesCost ?? 0),
      to: "readiness_check",
      style: "success",
    },
    count: { label: both((t) => t.articles.pipeline.images.count), to: "images_count" },
  },
};

const images_count: Named = {
  ask: both((t) => `${header(t)}\n\n${t.articles.pipeline.images.howMany}`),
  buttons: {
    count: {
      label: both(() => ""),
      each: () =>
        Array.from({ length: imagesAtMost + 1 }, (_, count) => ({
          arg: String(count),
          label: String(count),
        })),
      columns: 4,
      to: ["configure_images", "screen:dashboard"],
      async press(turn, arg) {
        const changed = await ifFound(() =>
          changeSettings(inStep(turn), whoseOf(turn), turn.data.categoryId, "wordpress", {
            image: { count: Number(arg) },
          }),
        );
        if (changed) return { to: "configure_images" };
        return { to: "screen:dashboard", notice: texts[turn.language].articles.gone };
      },
    },
  },
};

export const readinessStates = {
  ...{ readiness_check, ...prepareStates(header), configure_images, images_count },
  readiness_prices: pricing.choose_method,
  readiness_prices_text: pricing.text_input,
  readiness_prices_file: pricing.file_upload,
};

const isExperienced = ({ publications: count }: Readiness) => count >= experienced;

/** Pictures have a number from the beginning: they are never missing. */
function isComplete(given: Readiness): boolean {
  return given.lacking === null && given.hasDescription && (!isExperienced(given) || given.prices > 0);
}

async function readReadiness(turn: Turn): Promise<Readiness | undefined> {
  const services = inStep(turn);
  const whose = whoseOf(turn);
  return ifFound(async () => {
    const category = await readCategory(services.sql, whose, turn.data.categoryId);
    const estimate = await estimateWork(services, whose, category.id);
    const prices = await listPrices(services.sql, whose.workspaceId);
    const lacking = estimate.missing.find(({ what }) => what === "phrases" || what === "article_phrases");
    return {
      lacking: lacking?.message ?? null,
      ...{
        phrases: category.phrases,
        hasDescription: category.description !== null,
        prices: category.prices,
      },
      ...{ images: estimate.images, imagesCost: tokensFor(prices, imageOperation, estimate.images) },
      ...{ about: estimate.tokens.about, balance: estimate.balance, isFree: estimate.is_free },
      publications: await publications(turn),
    };
  });
}

function readinessText({ readiness, spent }: PipelineData, language: Language): string {
  const t = texts[language];
  const say = t.articles.pipeline.readiness;
  if (!readiness) return header(t);
  const { lacking, hasDescription, prices, images, imagesCost } = readiness;
  const isLong = isExperienced(readiness);
  const missing = [
    ...(lacking ? [say.item.keywords] : []),
    ...(hasDescription ? [] : [say.item.description]),
    ...(isLong && prices === 0 ? [say.item.prices] : []),
  ];
  const there = [
    ...(lacking ? [] : [say.done.keywords(say.phrases(readiness.phrases))]),
    ...(hasDescription ? [say.done.description] : []),
    ...(isLong && prices > 0 ? [say.done.prices(prices)] : []),
    ...(isLong ? [say.done.images(images, imagesCost)] : []),
  ];
  return [
    header(t),
    "",
    missing.length > 0 ? say.intro : say.complete,
    ...missing.map((line) => `▫️ ${line}`),
    ...there.map((line) => `✅ ${line}`),
    "",
    readiness.isFree ? t.articles.confirm.free(readiness.about) : say.cost(readiness.about, spent),
    say.balance(readiness.balance),
    ...(lacking ? ["", readiness.phrases === 0 ? say.blocked : lacking[language]] : []),
  ].join("\n");
}
