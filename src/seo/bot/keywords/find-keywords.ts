import { z } from "zod";
import { inactivity, keepHours } from "../limits.ts";
import { flow } from "../services.ts";
import { both } from "../texts/index.ts";
import { keywordAnswers, keywordQuestions, noKeywordAnswers } from "./keyword-questions.ts";
import { broughtText } from "./keywords-summary.ts";
import { resultsState } from "./results-state.ts";

const findData = z.object({ ...keywordAnswers.shape, categoryId: z.int(), report: z.string() });
type FindData = z.infer<typeof findData>;

const waits = ["fetching", "clustering", "enriching"] as const;
type Name = "products" | "geography" | "quantity" | "confirm" | (typeof waits)[number] | "results";

const questions = keywordQuestions<FindData, Name>({
  names: {
    ...{ products: "products", geography: "geography", quantity: "quantity", confirm: "confirm" },
    generating: "fetching",
    stages: { clustering: "clustering", enriching: "enriching" },
  },
  categoryId: ({ categoryId }) => categoryId,
  to: "results",
  done: ({ language }, { result, wanted, receipt }) => {
    const counts = { clusters: result.clusters.length, phrases: result.phrases, wanted };
    return { data: { report: [broughtText(counts, result, language), receipt].join("\n\n") } };
  },
});

/**
 * The stages of the run are states of the dialogue, as far as a look meets them: a run that hurries is seen in one or two of them. The
 * results end it: they stand above the category's keywords.
 */
export const findKeywords = flow({
  name: "KeywordGeneration",
  title: both((t) => t.keywords.find.title),
  data: findData,
  empty: { ...noKeywordAnswers, categoryId: 0, report: "" },
  first: "saved",
  rivals: "replace",
  inactivity,
  // Whoever goes elsewhere while phrases are being found is brought back by their end.
  keep: { hours: keepHours, when: (_, state) => waits.some((each) => each === state) },
  states: {
    saved: questions.saved,
    products: questions.products,
    geography: questions.geography,
    quantity: questions.quantity,
    confirm: questions.confirm,
    fetching: questions.generating,
    clustering: questions.waiting({ enriching: "enriching" }),
    enriching: questions.waiting(),
    results: resultsState,
  },
});
