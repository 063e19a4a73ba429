/** What a post says and shows: the document model, reading it from text, laying it out as running text. */
export { alignFlow } from "./align-flow.ts";
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
export { type Flow, type FlowOptions, flowOf, type Mark, type MarkKind } from "./flow.ts";
export { compareMarks } from "./flow-writer.ts";
export { schemeOf } from "./link-address.ts";
export { createLossLog, type Loss, type LossCode, type LossLog, lossTexts } from "./losses.ts";
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
export { joinFlows, splitFlow } from "./split-flow.ts";
