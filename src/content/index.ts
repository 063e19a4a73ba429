/** The content of a post: the document model, parsers that read it from text, and its form as marked text. */
export { alignMarkedText } from "./align-marked-text.ts";
export { type Article, type ArticleStatus, articleShape, articleStatuses, robotWords } from "./article.ts";
export { articleClass, type BrandColours, brandCss, isHexColour } from "./brand-css.ts";
export { cleanText } from "./clean-text.ts";
export { crowded, tooManyLines } from "./crowded.ts";
export {
  type Block,
  type Contents,
  type Decoration,
  type Document,
  emptyDocument,
  type Heading,
  type Image,
  type Inline,
  type List,
  type ListItem,
  type Network,
  type Paragraph,
  type Preformatted,
  type Quote,
  type Table,
  type TableCell,
  type TableRow,
} from "./document.ts";
export { latinWords } from "./latin-words.ts";
export { isWebAddress, schemeOf } from "./link-address.ts";
export { createLossLog, type Loss, type LossCode, type LossLog, lossTexts } from "./losses.ts";
export { markersTooDeep } from "./markdown-markers.ts";
export { markdownTree } from "./markdown-tree.ts";
export { type Mark, type MarkedText, type MarkKind, markedTextOf } from "./marked-text.ts";
export { compareMarks } from "./marked-text-writer.ts";
export { longestSource, type Parsed, parseContent } from "./parse.ts";
export { parseHast } from "./parse-hast.ts";
export {
  linkPreviewShape,
  type ParseMode,
  parseModes,
  postFromPayload,
  previewOption,
  type ReadingDefaults,
  type ReadPost,
} from "./payload.ts";
export { plainText } from "./plain-text.ts";
export {
  type Button,
  dialectsByMode,
  type LinkPreview,
  type MarkdownDialect,
  type Media,
  type MediaKind,
  markdownDialects,
  mediaKinds,
  type Post,
  type PostOptions,
  type TextFormat,
} from "./post.ts";
export { isLoss, type Position, type Repair, repairTexts } from "./problem.ts";
export { type MarkupWriter, renderMarks } from "./render-marks.ts";
export { shownMedia } from "./shown-media.ts";
export { joinMarkedTexts, splitMarkedText } from "./split-marked-text.ts";
export { tableLines } from "./table-lines.ts";
