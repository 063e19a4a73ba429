/** The way to phrases inside a pipeline: the city if it is unknown, then one tap, or the questions, or a file. */
import type { AskState, StepResult, Targets } from "../../../dialogs/index.ts";
import { readField } from "../../projects/field.ts";
import { projectFields } from "../../projects/project-fields.ts";
import { changeProject } from "../../projects/projects.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import {
  answered,
  costOf,
  isShort,
  type KeywordAnswers,
  placeOrder,
  readSituation,
  usualQuantity,
} from "./keyword-order.ts";

export interface KeywordChoice<Data extends KeywordAnswers, Name extends string> {
  readonly names: {
    readonly city: Name;
    readonly choose: Name;
    /** Of `keywordQuestions`. */
    readonly products: Name;
    readonly generating: Name;
    /** Of `keywordUpload`. */
    readonly upload: Name;
  };
  heading?(t: Texts): string;
  categoryId(data: Data): number;
  /** [Назад к чеклисту]. */
  readonly back: Targets<Name>;
}

const places = ["moscow", "petersburg", "russia"] as const;

/** `{ city, choose }`; enter by `city`, which leads on at once if the project has one. */
export function keywordChoice<Data extends KeywordAnswers, Name extends string>(
  given: KeywordChoice<Data, Name>,
) {
  const { names, heading, categoryId, back }: KeywordChoice<KeywordAnswers, Name> = given;
  type Asked = AskState<KeywordAnswers, Name, BotServices>;
  type Turn = Parameters<NonNullable<Asked["prepare"]>["take"]>[0];
  const headed = (t: Texts, words: string) => {
    const above = heading?.(t);
    return above === undefined ? words : `${above}\n\n${words}`;
  };
  const gone = ({ language }: Turn) =>
    ({ to: "screen:dashboard", notice: texts[language].keywords.find.gone }) as const;

  async function save(turn: Turn, city: string): Promise<StepResult<KeywordAnswers, Name>> {
    const known = await readSituation(turn, categoryId(turn.data));
    if (!known) return gone(turn);
    await changeProject(inStep(turn), whoseOf(turn), known.projectId, { company_city: city });
    return { to: names.choose, data: answered(turn, { ...known.shown, city }) };
  }

  const city: Asked = {
    ask: both((t) => headed(t, t.keywords.choice.city)),
    prepare: {
      to: [names.choose, "screen:dashboard"],
      async take(turn) {
        const known = await readSituation(turn, categoryId(turn.data));
        if (!known) return gone(turn);
        const data = answered(turn, known.shown);
        return known.shown.city === "" ? { data } : { data, to: names.choose };
      },
    },
    text: {
      to: [names.choose, "screen:dashboard"],
      take(turn, typed) {
        const read = readField(projectFields.company_city, typed);
        return read.ok && read.value.length <= 200
          ? save(turn, read.value)
          : { refuse: texts[turn.language].keywords.choice.cityFault };
      },
    },
    buttons: {
      place: {
        label: both(() => ""),
        each: (_, language) => places.map((arg) => ({ arg, label: texts[language].keywords.places[arg] })),
        columns: 3,
        to: [names.choose, "screen:dashboard"],
        press: (turn, arg) => {
          const place = places.find((each) => each === arg) ?? "russia";
          return save(turn, texts[turn.language].keywords.placeNames[place]);
        },
      },
      other: {
        label: both((t) => t.keywords.places.other),
        to: "@stay",
        press: ({ language }) => ({ notice: texts[language].keywords.choice.cityTyped }),
      },
      back: { label: both((t) => t.keywords.choice.back), to: back },
    },
  };

  const choose: Asked = {
    ask: ({ keywordOrder }, language) => {
      const t = texts[language];
      const { keywords, common } = t;
      const { category, city: place, balance } = keywordOrder;
      const cost = costOf(keywordOrder, usualQuantity);
      return headed(
        t,
        [
          keywords.choice.choose(category, place),
          ...(isShort({ ...keywordOrder, quantity: usualQuantity }) ? [common.short(cost, balance)] : []),
        ].join("\n\n"),
      );
    },
    prepare: {
      to: ["screen:dashboard"],
      async take(turn) {
        const known = await readSituation(turn, categoryId(turn.data));
        return known ? { data: answered(turn, known.shown) } : gone(turn);
      },
    },
    buttons: {
      auto: {
        label: ({ keywordOrder }, language) =>
          texts[language].keywords.choice.auto(
            usualQuantity,
            texts[language].common.tokens(costOf(keywordOrder, usualQuantity)),
          ),
        style: "success",
        when: ({ keywordOrder }) => !isShort({ ...keywordOrder, quantity: usualQuantity }),
        to: [names.generating, "@stay", "screen:dashboard"],
        press: async (turn) => {
          const known = await readSituation(turn, categoryId(turn.data));
          if (!known) return gone(turn);
          const { category, city: geography } = known.shown;
          // A name of two letters says too little.
          const products = category.length < 3 ? `${category} ${known.specialization}` : category;
          const wanted = { products, geography, quantity: usualQuantity };
          return placeOrder(turn, categoryId(turn.data), wanted, names.generating);
        },
      },
      top_up: {
        label: both((t) => t.common.topUp),
        style: "primary",
        when: ({ keywordOrder }) => isShort({ ...keywordOrder, quantity: usualQuantity }),
        to: "screen:tariffs",
      },
      tune: { label: both((t) => t.keywords.choice.tune), to: names.products },
      upload: { label: both((t) => t.keywords.choice.upload), to: names.upload },
      back: { label: both((t) => t.keywords.choice.back), to: back },
    },
  };

  return { city, choose };
}
