/** Sources that are asked: feeds, JSON APIs, tables. */
export { type ConfigFault, readSourceConfig, type SourceConfig, sourceConfigFault } from "./config.ts";
export { ingestItems } from "./ingest-items.ts";
export { type ChunkAnswer, forgetPullReceipts } from "./ledger.ts";
export type { PullDeps, PullReport } from "./pull.ts";
export { type Preview, type PullNowReport, previewPull, pullNow, type SourceName } from "./pull-now.ts";
export { createPuller, type PullerDeps } from "./puller.ts";
export { type PullFailure, type SourceKind, sourceKinds } from "./source.ts";
export {
  addSource,
  changeSource,
  listSources,
  type NewSource,
  removeSource,
  type SourceChange,
  type SourceResult,
  type SourceSecret,
  type SourceView,
  showSource,
} from "./sources.ts";
export type { PullStats } from "./stats.ts";
