import { z } from "zod";
import type { GuardedClient } from "../../kernel/outbound/index.ts";
import { type StyleGuideAnswer, seoTasks, styleGuideAnswer } from "../answers/index.ts";
import { type Language, plainly, wordsOf } from "../language/index.ts";
import { askModel } from "../models/ask-model.ts";
import { readProject } from "../projects/projects.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun, type RunScope } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { blocksOf, givenPage, givenText, proseOf, textLimits, wordsOfBlocks } from "./given-texts.ts";
import { featuresSchema, guideSchema } from "./guide.ts";
import { measureStyle } from "./measure-style.ts";
import { type OpenedPage, openLikedPage } from "./open-page.ts";
import { keepStyle } from "./styles.ts";

export const styleOrder = z.object({
  project_id: z.int(),
  texts: z.array(givenText),
  urls: z.array(givenPage),
});
export type StyleOrder = z.infer<typeof styleOrder>;

export const styleResult = guideSchema.omit({ learned_at: true }).extend({
  warning: z.object({ ru: z.string(), en: z.string() }).nullable(),
});
export type StyleResult = z.infer<typeof styleResult>;

export interface StyleDeps extends WorkshopDeps {
  readonly guarded: GuardedClient;
  readonly language: () => Promise<Language>;
}

const operation = "style_guide";
/** Characters of each text that a model reads: its manner shows by then. */
const shown = 6_000;

const undescribed: Said = {
  ru: "Стиль измерен, но описать его словами не получилось. Обучите ещё раз позже.",
  en: "The style was measured, but no model described it in words. Learn it again later.",
};

const block = z.object({
  kind: z.enum(["heading", "paragraph", "item", "cell", "quote"]),
  level: z.int(),
  text: z.string(),
});
const readSchema = z.array(
  z.object({ kind: z.enum(["text", "page"]), name: z.string(), blocks: z.array(block) }),
);
type Read = z.infer<typeof readSchema>;

/**
 * Learns how a business writes from texts that its owner likes: code measures them, and a model describes them in words. Without the
 * model the measures remain. Costs nothing.
 */
export function styleRun(deps: StyleDeps) {
  const { sql, clock } = deps;
  return defineRun<StyleOrder, StyleResult>({
    kind: "style",
    title: { ru: "стиль текстов", en: "style guide" },
    input: styleOrder,
    async work(run, order) {
      const read = await readTexts(deps, run, order);
      const features = await run.step("measure", { result: featuresSchema }, async () => {
        const [{ morphology }, { specialization, company_name }] = await Promise.all([
          deps.language(),
          readProject(sql, run, order.project_id),
        ]);
        const subject = wordsOf(`${specialization} ${company_name}`);
        const lemmas = new Set(subject.map(({ text }) => morphology.read(text).lemma));
        return measureStyle(
          read.map(({ blocks }) => blocks),
          morphology,
          lemmas,
        );
      });
      const description = await describe(deps, run, read);
      const guide = {
        ...{ features, description },
        learned_from: read.map(({ kind, name, blocks }) => ({ kind, name, words: wordsOfBlocks(blocks) })),
      };
      await run.step("save", { result: z.null() }, async () => {
        await keepStyle({ sql, clock }, run, order.project_id, guide);
        return null;
      });
      return { status: "done", result: { ...guide, warning: description ? null : undescribed } };
    },
  });
}

function readTexts({ guarded }: StyleDeps, run: RunScope, { texts, urls }: StyleOrder): Promise<Read> {
  return run.step("read", { result: readSchema, stage: "text" }, async (step) => {
    const pages = await Promise.all(
      urls.map(async (url) => {
        const page = await openLikedPage(guarded, url, step.signal);
        step.note("read", { url, ok: page.ok, ...(!page.ok && { reason: page.reason }) });
        if (!page.ok) throw new RunFailure("page_unreadable", unreadable(url, page));
        return { kind: "page" as const, name: url, blocks: [...page.blocks] };
      }),
    );
    const given = texts.map((text, index) => ({
      ...{ kind: "text" as const, name: text.name || `${index + 1}`, blocks: [...blocksOf(text)] },
    }));
    const read = [...given, ...pages];
    const short = read.find(({ blocks }) => wordsOfBlocks(blocks) < textLimits.words);
    if (short) throw new RunFailure("text_too_short", tooShort(short.name));
    return read;
  });
}

/** Undefined in the books if no model answered. */
function describe(deps: StyleDeps, run: RunScope, read: Read): Promise<StyleGuideAnswer | null> {
  return run.step("describe", { result: styleGuideAnswer.nullable() }, async (step) => {
    const texts = read.map(({ blocks }) => proseOf(blocks).slice(0, shown));
    const asked = await askModel(deps, { run, step, operation }, seoTasks.styleGuide, { texts });
    if (!asked.ok) return null;
    const whole = plainly(texts.join(" "));
    return {
      ...asked.answer,
      // Samples that the author did not write would teach somebody else's style.
      sample_sentences: asked.answer.sample_sentences.filter((sentence) => {
        const text = plainly(sentence);
        return text !== "" && whole.includes(text);
      }),
    };
  });
}

function unreadable(url: string, { reason }: Extract<OpenedPage, { ok: false }>): Said {
  const why =
    reason === "refused"
      ? { ru: "этот адрес нельзя открыть", en: "this address cannot be opened" }
      : reason === "not_html"
        ? { ru: "это не веб-страница", en: "it is not a web page" }
        : { ru: "она не открывается", en: "it does not open" };
  return {
    ru: `Страницу ${url} не удалось прочитать: ${why.ru}. Пришлите сам текст или другой адрес.`,
    en: `The page ${url} could not be read: ${why.en}. Give the text itself, or another address.`,
  };
}

const tooShort = (name: string): Said => ({
  ru: `В тексте «${name}» меньше ${textLimits.words} слов: стиль по нему не понять. Возьмите текст длиннее.`,
  en: `The text “${name}” has fewer than ${textLimits.words} words: too few to learn a style. Take a longer one.`,
});
