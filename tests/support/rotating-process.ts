/** Encrypts the secrets of a database again, in a process that a test kills. */
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import { createVault } from "../../src/kernel/crypto/index.ts";
import { connect } from "../../src/kernel/db/index.ts";
import { createKeyValue } from "../../src/kernel/kv/index.ts";
import { silentLog as log } from "../../src/kernel/log/index.ts";
import { rotateStore } from "../../src/kernel/sealed/index.ts";
import { createStorage } from "../../src/kernel/storage/index.ts";
import { sealedSecrets } from "../../src/workspaces/credentials/sealed-secrets.ts";

const { ROTATING_DATABASE_URL: url = "", ROTATING_KEYS: keys = "", ROTATING_HOME: folder = "" } = process.env;
const sql = connect({ url, name: "rotating" });
const keyValue = await createKeyValue({ sql, log });
const storage = createStorage({
  folder,
  urlBase: "http://127.0.0.1:9",
  secret: "secret",
  clock,
  s3: undefined,
});
for (const store of sealedSecrets)
  await rotateStore(store, { sql, keyValue, storage, clock, vault: createVault(keys.split(",")) });
await sql.end();
