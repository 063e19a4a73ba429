import { z } from "zod";

/**
 * What models answer for an article. Strict providers take neither lengths nor optional fields, so limits stand in
 * descriptions and are checked after the answer.
 */

/** A sentence of the text and the words of the source that it rests on. */
export const claim = z.object({
  sentence: z.string().describe("Предложение из текста, слово в слово"),
  source_id: z.string().describe("Номер источника из <sources>"),
  quote: z.string().describe("Дословная выдержка из этого источника"),
});
export type Claim = z.infer<typeof claim>;

export const articleAnswer = z.object({
  title: z.string().describe("Заголовок статьи с главной фразой, до 70 знаков"),
  meta_description: z.string().describe("От 120 до 160 знаков, с главной фразой"),
  content_markdown: z
    .string()
    .describe(
      "Текст в Markdown, начиная с первого абзаца: разделы ##, подразделы ###, места картинок {{IMAGE_1}}",
    ),
  faq_schema: z.array(z.object({ question: z.string(), answer: z.string() })),
  images_meta: z.array(
    z.object({
      alt: z.string().describe("Что на картинке, с главной фразой"),
      filename: z.string().describe("Латиница, цифры и дефисы, без расширения"),
      figcaption: z.string(),
    }),
  ),
  claims: z.array(claim),
});
export type ArticleAnswer = z.infer<typeof articleAnswer>;

export const outlineAnswer = z.object({
  h1: z.string(),
  sections: z.array(
    z.object({
      h2: z.string(),
      h3: z.array(z.string()),
      theses: z.array(z.string()),
      source_ids: z.array(z.string()).describe("На какие источники опирается раздел"),
    }),
  ),
  faq: z.array(z.object({ question: z.string(), thesis: z.string() })),
  conclusion: z.string(),
});
export type OutlineAnswer = z.infer<typeof outlineAnswer>;

export const dimensions = ["seo", "readability", "structure", "naturalness", "depth"] as const;

export const critiqueAnswer = z.object({
  weaknesses: z.array(
    z.object({
      dimension: z.enum(dimensions),
      place: z.string().describe("Раздел или начало предложения"),
      problem: z.string(),
      fix: z.string().describe("Что именно изменить"),
    }),
  ),
  unsupported_sentences: z.array(z.string()).describe("Предложения с фактами, которых нет в данных"),
  summary: z.string(),
});
export type CritiqueAnswer = z.infer<typeof critiqueAnswer>;

export const researchAnswer = z.object({
  facts: z.array(z.object({ claim: z.string(), source: z.string(), year: z.int().nullable() })),
  trends: z.array(z.object({ trend: z.string(), relevance: z.string() })),
  statistics: z.array(z.object({ metric: z.string(), value: z.string(), source: z.string() })),
  summary: z.string(),
});
export type ResearchAnswer = z.infer<typeof researchAnswer>;

export const planAnswer = z.object({
  angle: z.string().describe("О чём статья и чем она отличается от уже написанных"),
  titles: z.array(z.string()).describe("Три варианта заголовка"),
  perspectives: z.array(z.object({ reader: z.string(), questions: z.array(z.string()) })),
  gaps: z.array(z.string()),
  source_needs: z.array(z.string()).describe("Какие сведения нужно найти в источниках"),
  own_facts: z.array(z.string()).describe("Факты из данных компании, которых нет у других"),
  question_to_owner: z.string().nullable().describe("Один вопрос владельцу, если своих фактов меньше трёх"),
});
export type PlanAnswer = z.infer<typeof planAnswer>;

export const verdicts = ["supported", "contradicted", "not_in_quote"] as const;

export const claimJudgeAnswer = z.object({
  verdicts: z.array(z.object({ claim_id: z.string(), verdict: z.enum(verdicts), reason: z.string() })),
});
export type ClaimJudgeAnswer = z.infer<typeof claimJudgeAnswer>;
