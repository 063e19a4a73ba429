/** What a post says and shows: the document model, reading it from text, laying it out as running text. */
export { alignMarkedText } from "./align-marked-text.ts";
export {
  type Block,
  type Decoration,
  type Document,
  emptyDocument,
  type Heading,
  type Inline,
  type List,
  type ListItem,
  type Network,
  type Paragraph,
  type Preformatted,
  type Quote,
} from "./document.ts";
export { schemeOf } from "./link-address.ts";
export { createLossLog, type Loss, type LossCode, type LossLog, lossTexts } from "./losses.ts";
export {
  type Mark,
  type MarkedText,
  type MarkedTextOptions,
  type MarkKind,
  markedTextOf,
} from "./marked-text.ts";
export { compareMarks } from "./marked-text-writer.ts";
export { longestSource, type Parsed, parseContent } from "./parse.ts";
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
export {
  type ContentError,
  type ContentErrorCode,
  isLoss,
  type Position,
  type Repair,
  type RepairCode,
  repairTexts,
} from "./problem.ts";
export { type MarkPlace, type MarkupWriter, renderMarks } from "./render-marks.ts";
export { joinMarkedTexts, splitMarkedText } from "./split-marked-text.ts";
