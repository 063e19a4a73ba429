import { runRetention } from "../../src/delivery/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import type { Log } from "../../src/kernel/log/index.ts";
import { createStorage } from "../../src/kernel/storage/index.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";

const dayMs = 24 * 3_600_000;
/** How long things are kept: what a day is to an installation. */
export const keptMs = 3 * 60_000;

/** The product's own retention, told that it is almost a day later, so that what is some minutes old has lived its day. */
export function createRetention(sql: Sql, log: Log): () => Promise<void> {
  const clock = { now: () => new Date(Date.now() + dayMs - keptMs) };
  const storage = createStorage({
    folder: tempFolder("soak-media"),
    urlBase: "http://127.0.0.1/media",
    secret: "soak",
    clock,
    s3: undefined,
  });
  return async () => {
    await runRetention({ sql, storage, clock, log });
  };
}
