/**
 * From a model's Markdown to a safe article.
 *
 * @example
 * const rendered = renderArticle({ markdown, title: "Как выбрать окна", mainPhrase: "выбрать окна", images, imagesMeta, faq });
 * for (const { code, detail } of rendered.warnings) log.warn({ code, detail });
 * await publishAddressed(tx, workspaceId, { …, post: { payload: toArticle(rendered, { description, focusKeyword }) } }, deps);
 */
export { allowedAttributes, allowedTags } from "./allowed.ts";
export type { ArticleHeading } from "./headings.ts";
export { type ArticleImage, type DescribedImage, type ImageMeta, reconcileImages } from "./images.ts";
export { type ArticleFacts, type ArticleType, articleTypes, type Question, type Thing } from "./json-ld.ts";
export { type Prose, proseOf, type Span } from "./prose.ts";
export {
  type RenderedArticle,
  type RenderInput,
  type RenderWarning,
  renderArticle,
  renderWarnings,
} from "./render.ts";
export { type ArticlePayload, type PictureFile, type Publishing, toArticle } from "./to-article.ts";
