import { z } from "zod";
import { styleGuideAnswer } from "../answers/index.ts";

export const addresses = ["ты", "вы", "Вы", "none"] as const;
export const tones = ["colloquial", "neutral", "bookish"] as const;

const share = z.number().describe("0 to 1");
const perHundred = z.number().describe("Per 100 words");

/** What code measures in texts. The same texts always have the same figures. */
export const featuresSchema = z
  .object({
    texts: z.int(),
    words: z.int(),
    sentence_words: z.number().describe("The mean length of sentences"),
    sentence_variation: z.number().describe("Standard deviation of their lengths divided by the mean"),
    paragraph_words: z.number().describe("The mean length of paragraphs"),
    questions: share.describe("Share of sentences that ask, 0 to 1"),
    exclamations: share.describe("Share of sentences that exclaim, 0 to 1"),
    lists: share.describe("Share of words that stand in lists, 0 to 1"),
    emoji: perHundred.describe("Emoji per 100 words"),
    we: perHundred.describe("«Мы», «наш» per 100 words"),
    you: perHundred.describe("«Вы», «ваш», «ты», «твой» per 100 words"),
    address: z.enum(addresses).describe("How the reader is spoken to"),
    formality: perHundred.describe("Bookish words less colloquial ones per 100 words"),
    tone: z.enum(tones),
    favourite_words: z.array(z.string()).describe("Lemmas that several of the texts repeat"),
  })
  .meta({ id: "SeoStyleFeatures" });
export type StyleFeatures = z.infer<typeof featuresSchema>;

export const guideSchema = z
  .object({
    features: featuresSchema,
    description: styleGuideAnswer.nullable().describe("In words, by a model; null if none answered"),
    learned_from: z.array(z.object({ kind: z.enum(["text", "page"]), name: z.string(), words: z.int() })),
    learned_at: z.date(),
  })
  .meta({ id: "SeoStyleGuide" });
export type StyleGuide = z.infer<typeof guideSchema>;
