import { z } from "zod";

/** What of a post is for its readers, as it was given. What senders add for templates stays out: it may be anything. */
export const readersPostSchema = z.object({
  title: z.string().nullable().describe("Of an article"),
  text: z.string(),
  parse_mode: z.string().nullable(),
  dialect: z.string().nullable().describe("Which Markdown the text is written in"),
  media: z.array(
    z.object({
      type: z.string(),
      url: z.string().nullable().describe("null: it is known by the provider's own id"),
      alt: z.string().nullable(),
      caption: z.string().nullable(),
    }),
  ),
  buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))),
});
export type ReadersPost = z.infer<typeof readersPostSchema>;

const words = z.string().nullish().catch(null);

/** A stored post; plain SQL may have put in anything, and the page must still open. */
const stored = z.object({
  text: words,
  parse_mode: words,
  dialect: words,
  article: z.object({ title: words }).nullish().catch(null),
  media: z
    .array(z.object({ type: z.string(), url: words, alt: words, caption: words }))
    .nullish()
    .catch(null),
  buttons: readersPostSchema.shape.buttons.nullish().catch(null),
});

export function readersPostOf(payload: unknown): ReadersPost {
  const { text, parse_mode, dialect, article, media, buttons } = stored.catch({}).parse(payload);
  return {
    title: article?.title ?? null,
    text: text ?? "",
    parse_mode: parse_mode ?? null,
    dialect: dialect ?? null,
    media: (media ?? []).map(({ type, url, alt, caption }) => ({
      type,
      url: url ?? null,
      alt: alt ?? null,
      caption: caption ?? null,
    })),
    buttons: buttons ?? [],
  };
}
