export { admitApplication } from "./admit-application.ts";
export { type Connection, connect, lastingConnection, type Sql, type Transaction } from "./connect.ts";
export { createDatabaseClock } from "./database-clock.ts";
export { describeDatabaseError } from "./describe-error.ts";
export { dumpSchema } from "./dump-schema.ts";
export { type IdColumn, idsByPrefix } from "./ids-by-prefix.ts";
export { type Listener, listen } from "./listen.ts";
export {
  type MigrationReport,
  type MigrationSources,
  migrate,
  migrationLock,
  migrationStatus,
  readMigrationSources,
  SchemaError,
} from "./migrate.ts";
export { clockAhead, clockMoved, moveClock } from "./moved-clock.ts";
export {
  askHosts,
  createPrimary,
  describeAnswer,
  type Primary,
  timelinesHere,
  WatchedSocket,
} from "./primary/index.ts";
export { surviveLostConnections } from "./survive-lost-connections.ts";
export { within } from "./within.ts";
