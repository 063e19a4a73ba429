/** Sources that Molva reads: feeds, JSON APIs, tables. */
export { readSourceConfig } from "./config.ts";
export { ingestItems } from "./ingest-items.ts";
export { forgetPullReceipts, readSource } from "./ledger.ts";
export type { PullDeps, PullReport } from "./pull.ts";
export { type Preview, previewPull, previewSource, pullNow } from "./pull-now.ts";
export { createPuller } from "./puller.ts";
export { type SourceKind, sourceKinds } from "./source.ts";
export { type SourceRunView, sourceRuns } from "./source-runs.ts";
export { listSources, type SourceView, showSource } from "./sources.ts";
