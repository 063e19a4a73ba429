import { plainly } from "../language/index.ts";
import { type ArticleText, readArticle } from "../score/index.ts";
import { type Finding, finding } from "./finding.ts";
import { contentLimits, type Destination } from "./limits.ts";
import { placeholdersIn } from "./placeholders.ts";

export interface ContentToValidate {
  readonly destination: Destination;
  /** An article of a site, or a post of a network. */
  readonly kind: "article" | "post";
  readonly text: string;
  readonly format: "markdown" | "html" | "plain";
  /** The text as `readArticle` read it, if that was done before. */
  readonly read?: ArticleText;
  /** The title is the H1 of an article; of a pin, its title. */
  readonly title?: string;
  readonly images?: number;
  readonly faq?: number;
}

export interface Validation {
  readonly ok: boolean;
  /** All of them at once. */
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Checks content before it is published. */
export function validateContent(content: ContentToValidate): Validation {
  const { text, format } = content;
  const article = content.read ?? (format === "plain" ? undefined : readArticle(text, format));
  const plain = plainly(article ? article.blocks.map((block) => block.text).join("\n") : content.text);
  const errors = [
    ...placeholderErrors(content),
    ...(content.kind === "article" ? articleErrors(content, plain, article) : emptyErrors(plain)),
    ...(content.kind === "post" ? lengthErrors(content, plain) : []),
  ];
  return { ok: errors.length === 0, errors, warnings: warningsOf(content, article) };
}

function placeholderErrors({ text, title = "" }: ContentToValidate): Finding[] {
  return placeholdersIn(`${title}\n${text}`).map((found) =>
    finding(
      "placeholder",
      `В тексте осталась заготовка: ${found}. Замените её или уберите.`,
      `The text still has a placeholder: ${found}. Fill it in or remove it.`,
    ),
  );
}

function emptyErrors(plain: string): Finding[] {
  return plain === "" ? [finding("empty", "Текст пуст.", "The text is empty.")] : [];
}

function articleErrors(
  content: ContentToValidate,
  plain: string,
  article: ArticleText | undefined,
): Finding[] {
  const { leastCharacters, leastParagraph } = contentLimits.article;
  const errors: Finding[] = [];
  const length = [...plain].length;
  if (length < leastCharacters)
    errors.push(
      finding(
        "too_short",
        `Знаков в статье: ${length}, нужно не меньше ${leastCharacters}.`,
        `The article has ${length} characters, at least ${leastCharacters} are needed.`,
      ),
    );
  if (content.destination !== "wordpress") return errors;
  const blocks = article?.blocks ?? [];
  const headings = (level: number) =>
    blocks.filter((block) => block.kind === "heading" && block.level === level);
  const title = plainly(content.title ?? "");
  const h1 =
    headings(1).filter((block) => block.text.toLowerCase() !== title.toLowerCase()).length + (title ? 1 : 0);
  if (h1 === 0)
    errors.push(finding("no_h1", "У статьи нет заголовка (H1).", "The article has no title (H1)."));
  if (h1 > 1)
    errors.push(
      finding(
        "several_h1",
        `Заголовков H1 в статье: ${h1}, нужен один.`,
        `The article has ${h1} H1, one is needed.`,
      ),
    );
  if (headings(2).length === 0)
    errors.push(finding("no_h2", "В статье нет разделов (H2).", "The article has no sections (H2)."));
  if (!blocks.some((block) => block.kind === "paragraph" && [...block.text].length >= leastParagraph))
    errors.push(
      finding(
        "no_paragraph",
        `В статье нет абзаца хотя бы в ${leastParagraph} знаков.`,
        `The article has no paragraph of ${leastParagraph} characters or more.`,
      ),
    );
  return errors;
}

function lengthErrors({ destination, title = "", images = 0 }: ContentToValidate, plain: string): Finding[] {
  // Platforms count UTF-16 units.
  const tooLong = (what: [string, string], length: number, limit: number) =>
    length <= limit
      ? []
      : [
          finding(
            "too_long",
            `${what[0]}: знаков ${length}, платформа принимает до ${limit}.`,
            `${what[1]}: ${length} characters, the platform takes ${limit}.`,
          ),
        ];
  if (destination === "telegram")
    return tooLong(["Текст", "The text"], plain.length, contentLimits.telegram.text);
  if (destination === "vk") return tooLong(["Текст", "The text"], plain.length, contentLimits.vk.text);
  if (destination !== "pinterest") return [];
  return [
    ...tooLong(["Описание пина", "The pin's description"], plain.length, contentLimits.pinterest.text),
    ...tooLong(["Название пина", "The pin's title"], title.length, contentLimits.pinterest.title),
    ...(images === 0 ? [finding("no_image", "Пину нужно изображение.", "A pin needs a picture.")] : []),
  ];
}

const questions = /вопрос|faq|чаво/i;

function warningsOf(content: ContentToValidate, article: ArticleText | undefined): Finding[] {
  const warnings: Finding[] = [];
  const hasFaq =
    (content.faq ?? 0) > 0 ||
    article?.blocks.some((block) => block.kind === "heading" && questions.test(block.text));
  if (content.kind === "article" && !hasFaq)
    warnings.push(
      finding("no_faq", "В статье нет вопросов и ответов.", "The article has no questions and answers."),
    );
  const { caption } = contentLimits.telegram;
  if (content.destination === "telegram" && (content.images ?? 0) > 0 && content.text.length > caption)
    warnings.push(
      finding(
        "caption_apart",
        `Подпись к фото длиннее ${caption} знаков: фото и текст выйдут двумя сообщениями.`,
        `The caption is longer than ${caption} characters: photo and text become two messages.`,
      ),
    );
  if (article?.unreadable)
    warnings.push(
      finding(
        "markdown_parse_failed",
        `Разметку не удалось прочитать: ${article.unreadable}.`,
        `The markup cannot be read: ${article.unreadable}.`,
      ),
    );
  return warnings;
}
