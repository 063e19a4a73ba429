// One of the processes that work on the books at the same time. It does its operations and tells what it was answered.
import fc from "fast-check";
import { connect } from "../../src/kernel/db/index.ts";
import { surviveLostConnections } from "../../src/kernel/db/survive-lost-connections.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { emptyBooks } from "./ledger-model.ts";
import { ledgerOperation } from "./ledger-operation.ts";
import { ledgerProcess } from "./ledger-process.ts";

export interface WorkerSettings {
  readonly url: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly operations: number;
  readonly seed: number;
}

// As in every server of ours: the driver fails if a connection breaks at the wrong moment.
surviveLostConnections(silentLog);
const { url, workspaceId, name, operations, seed }: WorkerSettings = JSON.parse(process.argv.at(-1) ?? "");
const open = () => connect({ url, max: 1, name: `ledger-${name}` });
const books = emptyBooks();
/** Everybody was brought by the one before. */
const referrerOf = (user: number) => (user > 1 ? user - 1 : undefined);
const worker = ledgerProcess(open, { workspaceId, name, books, referrerOf });
for (const step of fc.sample(ledgerOperation, { numRuns: operations, seed })) {
  try {
    await worker.does(step);
  } catch (error) {
    throw new Error(`${JSON.stringify(step)} failed`, { cause: error });
  }
}
await worker.checksPayments();
process.send?.({ books, deaths: worker.deaths() });
process.disconnect();
process.exit(0);
