/** Step 4 of both pipelines: the checklist, with the ways to phrases and to a description that begin and end at it. */
import type { AskState, State, StepContext, Words } from "../../../dialogs/index.ts";
import { describe } from "../categories/describe.ts";
import { keywordChoice } from "../keywords/keyword-choice.ts";
import { keywordQuestions } from "../keywords/keyword-questions.ts";
import { keywordUpload } from "../keywords/keyword-upload.ts";
import type { BotServices } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import type { Prepared } from "./prepared-data.ts";

export type PrepareName =
  | "readiness_check"
  | "readiness_keywords_city"
  | "readiness_keywords_choose"
  | "readiness_keywords_products"
  | "readiness_keywords_geo"
  | "readiness_keywords_qty"
  | "readiness_keywords_confirm"
  | "readiness_keywords_generating"
  | "readiness_keywords_upload"
  | "readiness_keywords_enriching"
  | "readiness_description"
  | "readiness_description_writing"
  | "readiness_description_review"
  | "readiness_description_manual";

interface Checklist<Data extends Prepared, More extends string> {
  readonly ask: Words<Data>;
  /** What is there, and whether something is missing; undefined if the theme is gone. */
  read(
    turn: StepContext<Data, BotServices>,
  ): Promise<{ readonly data: Partial<Data>; readonly isComplete: boolean } | undefined>;
  lacksPhrases(data: Data): boolean;
  lacksDescription(data: Data): boolean;
  words(t: Texts): Readonly<Record<"keywords" | "description" | "go" | "gone", string>>;
  /** More that can be prepared. */
  readonly more?: NonNullable<AskState<Data, More, BotServices>["buttons"]>;
}

/** Shown if something is missing that the person has not waved through, or if they ask for it. */
export function checklistState<Data extends Prepared, More extends string = never>(
  given: Checklist<Data, More>,
): AskState<Prepared, PrepareName | "confirm_cost" | More, BotServices> {
  const use: Checklist<Prepared, PrepareName | "confirm_cost" | More> = given;
  const { ask, words, more = {} } = use;
  return {
    ask,
    prepare: {
      to: ["confirm_cost", "screen:dashboard"],
      async take(turn) {
        const found = await use.read(turn);
        if (!found) return { to: "screen:dashboard", notice: words(texts[turn.language]).gone };
        const { isChecking, isReady } = turn.data;
        const isDone = found.isComplete || (isReady && !use.lacksPhrases({ ...turn.data, ...found.data }));
        return isDone && !isChecking ? { to: "confirm_cost", data: found.data } : { data: found.data };
      },
    },
    buttons: {
      keywords: {
        label: both((t) => words(t).keywords),
        to: "readiness_keywords_city",
        style: "primary",
        when: (data) => use.lacksPhrases(data),
      },
      description: {
        label: both((t) => words(t).description),
        to: "readiness_description",
        when: (data) => use.lacksDescription(data),
      },
      ...more,
      go: {
        label: both((t) => words(t).go),
        to: "confirm_cost",
        style: "success",
        when: (data) => !use.lacksPhrases(data),
        press: () => ({ data: { isReady: true, isChecking: false } }),
      },
    },
  };
}

/** Phrases and a description, below the heading of the step. Whoever leaves to buy tokens comes back to where they were. */
export function prepareStates(heading: (t: Texts) => string) {
  const categoryId = (data: Prepared) => data.categoryId;
  const place = { heading, categoryId, to: "readiness_check" } as const;
  const choice = keywordChoice<Prepared, PrepareName>({
    ...{ ...place, back: "readiness_check" },
    names: {
      ...{ city: "readiness_keywords_city", choose: "readiness_keywords_choose" },
      ...{ products: "readiness_keywords_products", generating: "readiness_keywords_generating" },
      upload: "readiness_keywords_upload",
    },
  });
  const questions = keywordQuestions<Prepared, PrepareName>({
    ...place,
    names: {
      ...{ products: "readiness_keywords_products", geography: "readiness_keywords_geo" },
      ...{ quantity: "readiness_keywords_qty", confirm: "readiness_keywords_confirm" },
      generating: "readiness_keywords_generating",
    },
    done: ({ data }, { run, summary, receipt }) => ({
      data: { spent: data.spent + run.tokens },
      notice: `${summary}\n\n${receipt}`,
    }),
  });
  const upload = keywordUpload<Prepared, PrepareName>({
    ...place,
    names: { file: "readiness_keywords_upload", generating: "readiness_keywords_enriching" },
    done: (_, { summary }) => ({ notice: summary }),
  });
  const description = describe<Prepared, PrepareName>({
    ...{ ...place, choice: heading },
    names: {
      ...{ ask: "readiness_description", writing: "readiness_description_writing" },
      ...{ review: "readiness_description_review", manual: "readiness_description_manual" },
    },
    done: ({ data }, how) => {
      const { cost } = data.describing;
      return { data: { spent: data.spent + (how === "saved" && !cost.isFree ? cost.tokens : 0) } };
    },
  });
  return keepingTopUps({
    readiness_keywords_city: choice.city,
    readiness_keywords_choose: choice.choose,
    readiness_keywords_products: questions.products,
    readiness_keywords_geo: questions.geography,
    readiness_keywords_qty: questions.quantity,
    readiness_keywords_confirm: questions.confirm,
    readiness_keywords_generating: questions.generating,
    readiness_keywords_upload: upload.file,
    readiness_keywords_enriching: upload.generating,
    readiness_description: description.ask,
    readiness_description_writing: description.writing,
    readiness_description_review: description.review,
    readiness_description_manual: description.manual,
  });
}

type Named = State<Prepared, PrepareName, BotServices>;

function keepingTopUps<States extends Readonly<Record<string, Named>>>(states: States): States {
  const kept = Object.entries(states).map(([name, state]) => {
    const topUp = "buttons" in state ? state.buttons?.top_up : undefined;
    if (!topUp || !("buttons" in state)) return [name, state];
    return [
      name,
      { ...state, buttons: { ...state.buttons, top_up: { ...topUp, press: () => ({ keep: true }) } } },
    ];
  });
  return Object.fromEntries(kept) as States;
}
