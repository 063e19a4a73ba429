import { z } from "zod";

/** What models answer for posts, reviews and a project's style. */

/** The same for a post and for its adaptation to another platform. */
export const socialAnswer = z.object({
  text: z.string(),
  hashtags: z.array(z.string()).describe("Каждый начинается с #"),
  pin_title: z.string().nullable().describe("Заголовок пина до 100 знаков; для других площадок null"),
});
export type SocialAnswer = z.infer<typeof socialAnswer>;

export const reviewsAnswer = z.object({
  reviews: z.array(
    z.object({
      author: z.string(),
      date: z.string().describe("ГГГГ-ММ-ДД"),
      rating: z.int().describe("От 3 до 5"),
      text: z.string(),
      pros: z.string(),
      cons: z.string(),
    }),
  ),
});
export type ReviewsAnswer = z.infer<typeof reviewsAnswer>;

export const styleGuideAnswer = z.object({
  tone: z.string().describe("Каким голосом говорит автор, одним предложением"),
  address: z.enum(["вы", "Вы", "ты", "без обращения"]),
  sentence_length: z.enum(["короткие", "средние", "длинные", "разные"]),
  vocabulary: z.array(z.string()).describe("Слова и обороты, которые автор любит"),
  avoid: z.array(z.string()).describe("Чего автор не делает"),
  structure: z.array(z.string()).describe("Как построены тексты"),
  sample_sentences: z.array(z.string()).describe("Предложения из присланных текстов, слово в слово"),
});
export type StyleGuideAnswer = z.infer<typeof styleGuideAnswer>;
