export { EmbeddedPostgresError, type EmbeddedPostgresFault } from "./errors.ts";
export { removeEmbeddedPostgres } from "./remove.ts";
export { runningPostgresUrl } from "./running.ts";
export type { ServerSettings } from "./settings.ts";
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from "./start.ts";
