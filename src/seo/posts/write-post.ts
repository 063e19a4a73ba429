import type { LlmError } from "../../llm/index.ts";
import { type SocialAnswer, seoTasks } from "../answers/index.ts";
import { type ArticleDeps, textOperation } from "../articles/article-deps.ts";
import { priceText } from "../categories/price-lines.ts";
import { findPhrase, type Language, phraseOf, sentencesOf } from "../language/index.ts";
import { askModel, type ShapedTask } from "../models/ask-model.ts";
import type { RunScope } from "../runs/run-kind.ts";
import { type Fitting, fitPost } from "./fit-post.ts";
import { asText } from "./markup.ts";
import {
  type CrossBrief,
  type PostBrief,
  type PostResult,
  type WrittenPost,
  writtenPostSchema,
} from "./shape.ts";

/** What is needed to write posts. */
export type PostDeps = ArticleDeps;

const pricesShown = 5;

/** Why there is no text that can be used: the failure of the models, or undefined if they wrote what does not fit. */
export type Wrote =
  | { readonly ok: true; readonly post: WrittenPost }
  | { readonly ok: false; readonly error: LlmError | undefined };

/** Writes a post about the phrase of the brief. */
export function writePost(
  deps: PostDeps,
  run: RunScope,
  brief: PostBrief,
  { disclaimer, before }: { disclaimer: string | null; before: PostResult | undefined },
): Promise<Wrote> {
  const { company, platform, words, phrase, styles } = brief;
  const prices = brief.prices.slice(0, pricesShown);
  return written(deps, run, {
    ...{ task: seoTasks.social, operation: textOperation },
    fitting: { platform, words, phrase, disclaimer },
    data: {
      ...{ keyword: phrase, platform, language: "ru", text_style: styles },
      ...{ company_name: company.name, specialization: company.specialization },
      ...{ city: company.city, advantages: company.advantages },
      ...{ words_min: words.min, words_max: words.max },
      facts: company.facts.join("\n"),
      style_guide: brief.style_guide,
      prices_excerpt: prices.length > 0 ? priceText(prices) : "",
      previous_text: before ? asText(before.text) : "",
    },
  });
}

export const crossOperation = "cross_post";

/** Adapts a published post to the platform of the brief. */
export function adaptPost(
  deps: PostDeps,
  run: RunScope,
  { platform, words, phrase, disclaimer, company_name, source }: CrossBrief,
): Promise<Wrote> {
  return written(deps, run, {
    ...{ task: seoTasks.crossPost, operation: crossOperation },
    fitting: { platform, words, phrase, disclaimer },
    data: {
      ...{ source_text: source.text, source_platform: source.platform, keyword: phrase, platform },
      ...{ company_name, language: "ru", words_max: words.max },
    },
  });
}

interface Asking {
  readonly task: ShapedTask<SocialAnswer>;
  readonly operation: string;
  readonly fitting: Fitting;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A model whose text has faults is told them and asked once more. */
const attempts = 2;

async function written(
  deps: PostDeps,
  run: RunScope,
  { task, operation, fitting, data }: Asking,
): Promise<Wrote> {
  const { morphology } = await deps.language();
  let error: LlmError | undefined;
  const post = await run.step(
    "write",
    { result: writtenPostSchema.nullable(), stage: "writing" },
    async (step) => {
      let best: WrittenPost | null = null;
      let correction = "";
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const asked = await askModel(deps, { run, step, operation }, task, { ...data, correction });
        if (!asked.ok) {
          error = asked.error;
          break;
        }
        const { post, requests, isUsable } = fitPost(asked.answer, fitting);
        const withoutPhrase = !beginsWith(asText(post.text), fitting.phrase, morphology);
        const { model = "", promptVersion } = asked.meta;
        if (isUsable)
          best = { ...post, model, prompt_version: promptVersion ?? null, without_phrase: withoutPhrase };
        const wrong = [
          ...requests,
          ...(withoutPhrase ? [`В первом предложении нет фразы «${fitting.phrase}».`] : []),
        ];
        if (best && wrong.length === 0) break;
        step.note("text_refused", { words: post.words, faults: wrong });
        correction = wrong.join(" ");
      }
      return best;
    },
  );
  return post ? { ok: true, post } : { ok: false, error };
}

/** Whether the first sentence has the phrase, in any form. */
function beginsWith(text: string, phrase: string, morphology: Language["morphology"]): boolean {
  const [first] = sentencesOf(text.split("\n").find((line) => line.trim() !== "") ?? "");
  const words = (first?.words ?? []).map((word) => ({ ...word, keys: morphology.read(word.folded).keys }));
  return findPhrase(phraseOf(phrase, morphology), words).length > 0;
}
