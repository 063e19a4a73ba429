// The built worker of accounts in a process of its own, so that a test can kill it.
import { once } from "node:events";
import { createAccountWorker, createSessionStore, noGovernor } from "../../dist/src/accounts/index.js";
import { systemClock } from "../../dist/src/kernel/clock/index.js";
import { createVault } from "../../dist/src/kernel/crypto/index.js";
import { connect } from "../../dist/src/kernel/db/index.js";
import { silentLog } from "../../dist/src/kernel/log/index.js";
import { createProviderClient } from "../../dist/src/kernel/outbound/index.js";
import { createTwinDriver, noMedia } from "../../dist/src/platforms/index.js";

// Everything is loaded now; the settings come when the test needs it.
const [{ databaseUrl, root, vaultKey, connections, times }] = await once(process, "message");
const sql = connect({ url: databaseUrl, max: 4 });
const http = createProviderClient();
const sessions = createSessionStore({ sql, vault: createVault([vaultKey]) });
const worker = createAccountWorker({
  sql,
  clock: systemClock,
  log: silentLog,
  driver: createTwinDriver({ sessions, http, root, connections }),
  media: () => noMedia,
  governor: noGovernor,
  times,
});
await worker.start();
process.send?.("ready");
