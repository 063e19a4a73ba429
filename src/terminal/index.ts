/** Shared by all commands: options, lookups, tables, and opening the database or the core. */
export {
  administer,
  byOf,
  type Common,
  changing,
  checked,
  explaining,
  inWords,
  inWorkspace,
  jsonIn,
  justifying,
  printing,
  reading,
  rehearsable,
  shown,
  textOf,
  valueText,
  viewing,
} from "./administer.ts";
export { assigned } from "./assignments.ts";
export { clockOf } from "./clock.ts";
export { configOf, logOf, print, serverLogOf } from "./command.ts";
export { openDatabase, withDatabase, withSql } from "./database.ts";
export { deleting, printDeleted } from "./deletion.ts";
export { exitCodes, explain, UserError } from "./failure.ts";
export { fieldsHelp } from "./field-help.ts";
export { idTable } from "./id-table.ts";
export { columns, counted, facts, moment, momentFrom, shortened, span, table } from "./layout.ts";
export { addList, type Paged, paging, printPage } from "./listing.ts";
export {
  commandActor,
  countOf,
  momentOf,
  only,
  operatorName,
  secondsOf,
  wholeId,
  wholeIds,
  workspaceOf,
} from "./lookup.ts";
export { runningTwins } from "./running-twins.ts";
export { fromFile, refuseTyped, secretIn, secretInOrAsked } from "./secret-input.ts";
export { untilAskedToStop } from "./signals.ts";
export type { AddCommand, Terminal, World } from "./terminal.ts";
export { coreFor, withCore } from "./with-core.ts";
