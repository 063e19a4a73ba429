import fc from "fast-check";
import type { Block, Document, Inline, Media, Post } from "../../src/content/index.ts";
import { parseContent, plainText } from "../../src/content/index.ts";
import type { PlatformLimits } from "../../src/platforms/index.ts";

/** A builder of posts: a test names only what matters to it. */
export function aPost(given: Partial<Post> & { text?: string } = {}): Post {
  const { text, ...rest } = given;
  const format = given.format ?? "plain";
  const parsed = parseContent(text ?? "", format);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return { document: parsed.document, format, media: [], buttons: [], options: {}, ...rest };
}

/** The same post with what the platform requires of every post. */
export function withNeeds(post: Post, { needs = [] }: Pick<PlatformLimits, "needs">): Post {
  const lacksPicture = needs.includes("picture") && !post.media.some(({ kind }) => kind === "photo");
  return lacksPicture ? { ...post, media: [...post.media, ...photos(1)] } : post;
}

export function photos(count: number): Media[] {
  return Array.from({ length: count }, (_, index) => ({ kind: "photo", blobRef: `photo-${index}` }));
}

const pieces = [
  ...["Привет", "мир", "скидка 50%", "ёж", "a", "snake_case", "C++", "1 < 2 & 3", '"кавычки"'],
  ...["👨‍👩‍👧", "🇷🇺", "👍🏽", "שלום", "مرحبا", "*", "_", "~~", "`", "[", "](", "# ", "\\", "<b>", "&amp;"],
];

const words = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(" "));

const url = fc.constantFrom(
  "https://example.ru/",
  "https://example.ru/путь_(скобки)?a=1&b=<2>",
  `https://example.ru/${"длинный/".repeat(20)}`,
  "mailto:a@example.ru",
  "tg://resolve?domain=durov",
);

interface Tree {
  inline: Inline;
  block: Block;
}

const tree = fc.letrec((tie: fc.LetrecTypedTie<Tree>): fc.LetrecValue<Tree> => {
  const inlines = fc.array(tie("inline"), { minLength: 1, maxLength: 4 });
  const blocks = fc.array(tie("block"), { minLength: 1, maxLength: 3 });
  return {
    inline: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      words.map((text): Inline => ({ type: "text", text })),
      words.map((text): Inline => ({ type: "code", text })),
      fc.constant<Inline>({ type: "break" }),
      fc.constant<Inline>({ type: "emoji", id: "5368324170671202286", text: "👍" }),
      fc
        .tuple(fc.constantFrom("bold", "italic", "underline", "strike", "spoiler", "highlight"), inlines)
        .map(([type, children]): Inline => ({ type, children })),
      fc.tuple(url, words).map(([address, text]): Inline => {
        return { type: "link", url: address, children: [{ type: "text", text }] };
      }),
      words.map((text): Inline => ({ type: "jump", id: "vyvod", children: [{ type: "text", text }] })),
      fc.tuple(fc.constantFrom("telegram", "max"), words).map(([network, text]): Inline => {
        return {
          type: "mention",
          network,
          userId: "42",
          children: [{ type: "bold", children: [{ type: "text", text }] }],
        };
      }),
    ),
    block: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      inlines.map((children): Block => ({ type: "paragraph", children })),
      fc.tuple(fc.integer({ min: 1, max: 6 }), inlines).map(([level, children]): Block => {
        return { type: "heading", level, children };
      }),
      words.map((text): Block => ({ type: "pre", language: "ts", text })),
      fc
        .array(fc.array(inlines, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
        .map((rows): Block => {
          const [head = [], ...rest] = rows.map((row) =>
            row.map((children) => ({ isHeader: false, children })),
          );
          return { type: "table", head: [head.map((cell) => ({ ...cell, isHeader: true }))], rows: rest };
        }),
      fc.tuple(fc.boolean(), blocks).map(([expandable, inside]): Block => {
        return { type: "quote", expandable, blocks: inside };
      }),
      fc
        .tuple(fc.boolean(), fc.array(blocks, { minLength: 1, maxLength: 3 }))
        .map(([ordered, items]): Block => {
          return { type: "list", ordered, start: 1, items: items.map((inside) => ({ blocks: inside })) };
        }),
    ),
  };
});

/** Documents of every shape, some far longer than any platform takes. */
export const anyDocument: fc.Arbitrary<Document> = fc
  .tuple(fc.array(tree.block, { minLength: 1, maxLength: 6 }), fc.constantFrom(1, 1, 1, 1, 1, 1, 30))
  .map(([blocks, times]) => ({ blocks: Array.from({ length: times }, () => blocks).flat() }));

const anyMedia: fc.Arbitrary<Media> = fc
  .tuple(
    fc.constantFrom("photo", "video", "animation", "audio", "document"),
    fc.option(
      words.map(
        (text): Document => ({ blocks: [{ type: "paragraph", children: [{ type: "text", text }] }] }),
      ),
      {
        nil: undefined,
        freq: 5,
      },
    ),
  )
  .map(([kind, caption]) => ({ kind, blobRef: "b", ...(caption && { caption }) }));

export const anyPost: fc.Arbitrary<Post> = fc.record({
  document: anyDocument,
  format: fc.constantFrom("html", "markdown", "plain"),
  media: fc.array(anyMedia, { maxLength: 14 }),
  buttons: fc.array(
    fc.array(
      words.map((text) => ({ text, url: "https://example.ru" })),
      { minLength: 1, maxLength: 5 },
    ),
    { maxLength: 3 },
  ),
  options: fc.record({ silent: fc.boolean(), linkPreview: fc.boolean() }),
});

/** What must survive any rendering: letters, digits and signs in their order, without whitespace. */
export function essence(text: string): string {
  return text.replace(/\s+/g, "");
}

export function essenceOf(document: Document): string {
  return essence(plainText(document));
}
