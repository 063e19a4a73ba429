import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventsRu } from "../console/src/texts/events.ru.ts";
import { generatedFiles, staleFiles } from "../src/cli/reference/files.ts";
import { eventActions } from "../src/delivery/index.ts";
import { dumpSchema, migrate, readMigrationSources } from "../src/kernel/db/index.ts";
import { silentLog } from "../src/kernel/log/index.ts";
import { paths, projectRoot } from "../src/kernel/paths/index.ts";
import { createSystem } from "../src/main.ts";
import { configFrom } from "../src/modules.ts";
import { type TestDatabase, testDatabase } from "./support/database.ts";

let migrated: TestDatabase;
let empty: TestDatabase;

beforeAll(async () => {
  migrated = await testDatabase();
  empty = await testDatabase({ empty: true, max: 1 });
});
afterAll(() => Promise.all([migrated?.drop(), empty?.drop()]));

it("has every generated file as the code would write it now", async () => {
  const stale = await staleFiles(await generatedFiles(migrated.sql));
  expect(stale.map((path) => `${path} is stale: run \`npm run generate\``)).toEqual([]);
});

// covers autoposting: Data model requirements
it("makes from db/schema.sql the database that migrating makes", async () => {
  await empty.sql.unsafe(await readFile(paths.schema, "utf8"));
  expect(await dumpSchema(empty.sql)).toBe(await dumpSchema(migrated.sql));
});

it("leaves nothing of an earlier release's functions in a database that is brought to this one", async () => {
  const sources = await readMigrationSources();
  const earlier = `
    create or replace function delivery.next_claim_at(p_long_gone text) returns timestamptz language sql return now();
    create or replace function delivery.long_gone() returns trigger language plpgsql as $$ begin return new; end $$;
    create or replace trigger long_gone before update on delivery.channels
      for each row execute function delivery.long_gone();`;
  const upgraded = await testDatabase({ empty: true, max: 1 });
  await migrate(upgraded.sql, {
    ...sources,
    functions: [...sources.functions, { path: "delivery/long_gone.sql", text: earlier, checksum: "" }],
  });
  expect(await dumpSchema(upgraded.sql)).not.toBe(await dumpSchema(migrated.sql));
  await migrate(upgraded.sql, sources);
  expect(await dumpSchema(upgraded.sql)).toBe(await dumpSchema(migrated.sql));
  await upgraded.drop();
});

it("keeps the partitions of days out of the dump, which would change with every day", async () => {
  const before = await dumpSchema(migrated.sql);
  await migrated.sql`select workspaces.ensure_event_partitions()`;
  expect(await dumpSchema(migrated.sql)).toBe(before);
  expect(before).toContain("CREATE TABLE workspaces.events_rest PARTITION OF workspaces.events DEFAULT;");
});

it("explains every code that the server can answer with", async () => {
  const { app } = await createSystem({
    config: configFrom({ MOLVA_ENCRYPTION_KEYS: `${"A".repeat(43)}=` }),
    environment: {},
    databaseUrl: migrated.url,
    roles: ["api"],
    log: silentLog,
  });
  const page = (await app.inject("/docs/errors")).body;
  await app.close();
  const codes = [...page.matchAll(/<dt id="(\w+)">/g)].map(([, code]) => code);
  expect(codes).toContain("ingress_rate_limited");
  const reference = await readFile(join(projectRoot, "docs/reference/errors.md"), "utf8");
  for (const code of codes) expect(reference).toContain(`| \`${code}\` |`);
});

it("has words in the console for every action of the audit trail", () => {
  expect(Object.keys(eventsRu).sort()).toEqual(Object.keys(eventActions).sort());
});
