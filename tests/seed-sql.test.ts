import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../src/cli/main.ts";
import { demo } from "../src/delivery/index.ts";
import { paths } from "../src/kernel/paths/index.ts";
import { type TestDatabase, testDatabase } from "./support/database.ts";
import { tempFolder } from "./support/temp-folder.ts";

/** What somebody has who runs db/schema.sql and db/seed.sql with psql on an empty database, and nothing else. */
let database: TestDatabase;
const environment: Record<string, string> = { MOLVA_HOME: tempFolder("seed-sql"), MOLVA_TWIN_PORT: "1" };

beforeAll(async () => {
  database = await testDatabase({ empty: true, max: 1 });
  await database.sql.unsafe(await readFile(paths.schema, "utf8"));
  for (const _ of ["once", "and again"]) await database.sql.unsafe(await readFile(paths.seed, "utf8"));
  environment.DATABASE_URL = database.url;
});
afterAll(() => database.drop());

async function molva(...args: string[]): Promise<{ code: number; text: string }> {
  const said: string[] = [];
  const hear = (text: string) => void said.push(text);
  const code = await run(args, { environment, out: hear, err: hear, isTerminal: false });
  return { code, text: said.join("\n") };
}

it("queues a post by SQL that a sender claims and starts, and names the variable of each token", async () => {
  const { sql } = database;
  const [post] = await sql<[{ answer: { queued: number } }]>`
    select delivery.enqueue_messages_and_deliveries(
      ${demo.workspaceId}, null, 'sql', '{"payload": {"text": "Из psql #новости"}}') as answer`;
  expect(post.answer.queued).toBe(8);
  expect(await sql`select * from delivery.claim_deliveries(${demo.workspaceId}, 'psql', 100)`).toHaveLength(
    8,
  );
  const started = await sql<{ platform: string; secret_ref: string }[]>`
    select distinct platform, secret_ref from delivery.start_sending(${demo.workspaceId}, 'psql', 100)
    order by platform`;
  expect([...started]).toEqual([
    { platform: "max", secret_ref: "env:DEMO_MAX_BOT_TOKEN" },
    { platform: "telegram", secret_ref: "env:DEMO_TELEGRAM_BOT_TOKEN" },
  ]);
});

it("takes items of the demo's source once that is switched on", async () => {
  await database.sql`update delivery.pull_sources set enabled = true where source_id = 'demo-news'`;
  const [row] = await database.sql<[{ answer: { accepted: number } }]>`
    select delivery.ingest_pull_chunk(workspace_id, source_id, delivery.endpoint_of_source(workspace_id, source_id),
      '[{"source_ref": "1", "payload": {"text": "Трамвай вернулся"}, "cursor_to": "1"}]') as answer
    from delivery.pull_sources where source_id = 'demo-news'`;
  expect(row.answer.accepted).toBe(1);
});

it("has one release of the shop bot's rules, and they answer", async () => {
  const releases = await database.sql`select release from shopbot.bot_releases`;
  expect(releases).toHaveLength(1);
  const { code, text } = await molva("bot", "try", "Сколько стоит доставка?");
  expect(text).toContain("delivery@1");
  expect(text).toContain("350");
  expect(code).toBe(0);
});

it("knows a template that a channel can take", async () => {
  const { code, text } = await molva("template", "show", "demo-news");
  expect(text).toContain("{{ signature }}");
  expect(code).toBe(0);
});
