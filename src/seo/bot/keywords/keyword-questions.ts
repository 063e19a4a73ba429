/** Finding phrases: the questions, the price, the wait. Asked by its own flow, and inside the pipelines. */
import type { AskState, Outcome, StepContext, StepResult, Targets, Words } from "../../../dialogs/index.ts";
import { type KeywordsResult, keywordsResult, quantities } from "../../keywords/keywords-run.ts";
import { type RunDetail, readRun } from "../../runs/read-runs.ts";
import type { Stage } from "../../runs/texts.ts";
import { receiptText } from "../runs/receipt.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import {
  answered,
  costOf,
  isShort,
  type KeywordAnswers,
  type KeywordOrder,
  lastAnswers,
  placeOrder,
  readSituation,
} from "./keyword-order.ts";
import { keywordsSummary } from "./keywords-summary.ts";

export { type KeywordAnswers, keywordAnswers, noKeywordAnswers } from "./keyword-order.ts";

export interface KeywordQuestions<Data extends KeywordAnswers, Name extends string> {
  /** How the flow calls the states. */
  readonly names: Readonly<Record<"products" | "geography" | "quantity" | "confirm" | "generating", Name>> & {
    /** States that take over the wait at these stages, if the flow has them. */
    readonly stages?: Partial<Record<Stage, Name>>;
  };
  /** Stands above the questions instead of "Подбор фраз (1/3)…". */
  heading?(t: Texts): string;
  categoryId(data: Data): number;
  /** Where `done` may lead. */
  readonly to: Targets<Name>;
  /** The phrases are saved in the category. */
  done(
    turn: StepContext<Data, BotServices>,
    found: FoundKeywords,
  ): StepResult<Data, Name> | Promise<StepResult<Data, Name>>;
}

export interface FoundKeywords {
  readonly run: RunDetail;
  readonly result: KeywordsResult;
  /** How many were ordered. */
  readonly wanted: number;
  /** Clusters, places of the volumes, warnings. */
  readonly summary: string;
  readonly receipt: string;
}

type Turn = StepContext<KeywordAnswers, BotServices>;
type Question = "saved" | "products" | "geography" | "quantity" | "confirm";

/**
 * `saved` (answers of last time), `products`, `geography`, `quantity`, `confirm`, `generating`, and `waiting(stage)` for flows that show
 * the stages of the run as states: for the flow to place under its own names. A failure leads back to `confirm`, tokens returned.
 */
export function keywordQuestions<Data extends KeywordAnswers, Name extends string>(
  given: KeywordQuestions<Data, Name>,
) {
  const { names, heading, categoryId, to, done }: KeywordQuestions<KeywordAnswers, Name> = given;
  type Asked = AskState<KeywordAnswers, Name, BotServices>;

  const ask =
    (name: Question, words: (t: Texts, order: KeywordOrder) => string): Words<KeywordAnswers> =>
    ({ keywordOrder }, language) => {
      const t = texts[language];
      return `${heading?.(t) ?? t.keywords.find.headings[name]}\n\n${words(t, keywordOrder)}`;
    };

  /** Reads prices and names, or leaves if the category is gone. */
  const situation: NonNullable<Asked["prepare"]> = {
    to: ["screen:dashboard"],
    async take(turn) {
      const known = await readSituation(turn, categoryId(turn.data));
      if (!known) return { to: "screen:dashboard", notice: texts[turn.language].keywords.find.gone };
      return { data: answered(turn, known.shown) };
    },
  };

  const saved: Asked = {
    ask: ask("saved", ({ keywords }, { products, geography }) => keywords.find.saved(products, geography)),
    prepare: {
      to: [names.products],
      async take(turn) {
        const last = await lastAnswers(turn, categoryId(turn.data));
        return last ? { data: answered(turn, last) } : { to: names.products };
      },
    },
    buttons: {
      use: { label: both((t) => t.keywords.find.useSaved), to: names.quantity, style: "primary" },
      anew: { label: both((t) => t.keywords.find.anew), to: names.products },
    },
  };

  const products: Asked = {
    ask: ask("products", ({ keywords }) => keywords.find.products),
    text: {
      to: names.geography,
      take(turn, typed) {
        const read = within(typed, 3, 1000);
        return read === undefined
          ? { refuse: texts[turn.language].keywords.find.productsFault }
          : { data: answered(turn, { products: read }) };
      },
    },
  };

  const geography: Asked = {
    ask: ask("geography", ({ keywords }) => keywords.find.geography),
    prepare: situation,
    text: {
      to: names.quantity,
      take(turn, typed) {
        const read = within(typed, 2, 200);
        return read === undefined
          ? { refuse: texts[turn.language].keywords.find.geographyFault }
          : { data: answered(turn, { geography: read }) };
      },
    },
    buttons: {
      own: {
        label: ({ keywordOrder }) => keywordOrder.city,
        when: ({ keywordOrder }) => keywordOrder.city !== "",
        to: names.quantity,
        press: (turn) => ({ data: answered(turn, { geography: turn.data.keywordOrder.city }) }),
      },
      russia: {
        label: both((t) => t.keywords.places.russia),
        to: names.quantity,
        press: (turn) => ({
          data: answered(turn, { geography: texts[turn.language].keywords.placeNames.russia }),
        }),
      },
    },
  };

  const quantity: Asked = {
    ask: ask("quantity", ({ keywords, common }, { balance }) =>
      keywords.find.quantity(common.tokens(balance)),
    ),
    prepare: situation,
    buttons: {
      count: {
        label: both(() => ""),
        each: ({ keywordOrder }, language) =>
          quantities.map((each) => ({
            arg: String(each),
            label: texts[language].keywords.find.option(
              each,
              texts[language].common.tokens(costOf(keywordOrder, each)),
            ),
          })),
        to: names.confirm,
        press: (turn, arg) => {
          const chosen = quantities.find((each) => String(each) === arg);
          return chosen ? { data: answered(turn, { quantity: chosen }) } : { to: "@stay" };
        },
      },
    },
  };

  const confirm: Asked = {
    ask: ask("confirm", confirmation),
    prepare: situation,
    buttons: {
      yes: {
        label: both((t) => t.keywords.find.yes),
        style: "success",
        when: ({ keywordOrder }) => !isShort(keywordOrder),
        to: [names.generating, "@stay"],
        press: (turn) => placeOrder(turn, categoryId(turn.data), {}, names.generating),
      },
      top_up: {
        label: both((t) => t.common.topUp),
        style: "primary",
        when: ({ keywordOrder }) => isShort(keywordOrder),
        to: "screen:tariffs",
      },
    },
  };

  const back = (
    words: (turn: Turn, run: RunDetail) => string,
  ): Outcome<KeywordAnswers, Name, BotServices> => ({
    to: names.confirm,
    take: async (turn) => {
      const run = await orderedRun(turn);
      const { retry } = texts[turn.language].keywords.find;
      return { notice: `${words(turn, run)}\n\n${receiptText(run, turn.language)}\n\n${retry}` };
    },
  });
  const waiting = (stages: Partial<Record<Stage, Name>> = {}) =>
    waitForRun<KeywordAnswers, Name>({
      ask: both((t) => t.keywords.find.working),
      runId: ({ keywordOrder }) => keywordOrder.runId,
      stages,
      outcomes: {
        done: {
          to,
          async take(turn) {
            const run = await orderedRun(turn);
            const result = keywordsResult.parse(run.result);
            const wanted = turn.data.keywordOrder.quantity;
            const summary = keywordsSummary(result, wanted, turn.language);
            return done(turn, { run, result, wanted, summary, receipt: receiptText(run, turn.language) });
          },
        },
        failed: back(
          ({ language }, { error }) => error?.message[language] ?? texts[language].keywords.find.failed,
        ),
        cancelled: back(({ language }) => texts[language].runs.stopped),
      },
    });

  return {
    ...{ saved, products, geography, quantity, confirm },
    generating: waiting(names.stages),
    /** For a state that takes over at a stage; `next` are the stages after it. */
    waiting,
  };
}

function confirmation({ keywords, common }: Texts, order: KeywordOrder): string {
  const { products, geography, quantity, balance, isFree } = order;
  const cost = costOf(order, quantity);
  return [
    keywords.find.order(products, geography, quantity),
    "",
    keywords.find.cost(common.tokens(cost), common.tokens(balance)),
    ...(isFree ? [keywords.find.free] : []),
    isShort(order) ? common.short(cost, balance) : keywords.find.onlyFound,
  ].join("\n");
}

const orderedRun = (turn: Turn) => {
  const { workspaceId, userId } = whoseOf(turn);
  return readRun(inStep(turn).sql, workspaceId, turn.data.keywordOrder.runId, userId);
};

/** Undefined if it is too short or too long. */
export function within(typed: string, min: number, max: number): string | undefined {
  const text = typed.trim();
  return text.length >= min && text.length <= max ? text : undefined;
}
