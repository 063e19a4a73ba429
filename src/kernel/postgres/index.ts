export { EmbeddedPostgresError } from "./errors.ts";
export { removeEmbeddedPostgres } from "./remove.ts";
export { runningPostgresUrl } from "./running.ts";
export type { ServerSettings } from "./server-settings.ts";
export { type EmbeddedPostgres, startEmbeddedPostgres } from "./start.ts";
