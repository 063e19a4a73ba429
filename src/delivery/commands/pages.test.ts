import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { runCommand } from "../../cli/testing/run-command.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { AddCommand } from "../../terminal/index.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { addChannelCommand } from "./channel.ts";
import { addDelivery } from "./delivery.ts";
import { addWhy } from "./why.ts";

let database: TestDatabase;
let workspace: string;
let channel: string;
let delivery: string;
const url = "https://shop.example/kak-vybrat-stol/";

beforeAll(async () => {
  database = await databaseWithJobs();
  const { sql } = database;
  workspace = await aWorkspace(sql);
  channel = await aChannel(sql, workspace);
  await enqueue(sql, workspace, "Статья");
  const now = systemClock.now();
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${now})`;
  const [started] = await sql<[{ delivery_id: string; claim_token: string }]>`
    select * from delivery.start_sending(${workspace}, 'run', 10, ${now})`;
  delivery = started.delivery_id;
  const meta = { url, page: { public_from: now.toISOString() } };
  await sql`select delivery.mark_sent(${workspace}, ${delivery}, ${started.claim_token}, '1', ${now}, ${sql.json(meta)})`;
});
afterAll(() => database.drop());

function run(add: AddCommand, ...args: string[]) {
  return runCommand(add, [...args, "--workspace", workspace], {
    MOLVA_HOME: tempFolder("pages"),
    DATABASE_URL: database.url,
  });
}

let hours = 0;

/** Reads the page an hour after the previous time, with these findings. */
async function found(findings: object[], mayPass: boolean): Promise<void> {
  const { sql } = database;
  hours += 1;
  const now = new Date(systemClock.now().getTime() + hours * 3_600_000);
  const [{ try: tries }] = await sql<[{ try: number }]>`
    select try from delivery.take_page(${workspace}, ${delivery}, ${now})`;
  await sql`
    select delivery.settle_page_read(${workspace}, ${delivery}, ${tries}, ${JSON.stringify(findings)}::text::jsonb, ${mayPass}, ${now})`;
}

// covers readback: Whoever asks is told
it("why and delivery show say when a page is read, and what is wrong with it", async () => {
  expect((await run(addWhy, "why", delivery)).out).toMatch(
    /page +https:\/\/shop\.example\S+, is read back .*\(in/,
  );
  await found([{ code: "status", message: "The page answers 503 instead of 200." }], true);
  expect((await run(addWhy, "why", delivery)).out).toContain("The page answers 503 instead of 200.");
  await found([{ code: "noindex", message: "Search engines are told to leave the page out: X." }], false);
  const { out } = await run(addDelivery, "delivery", "show", delivery);
  expect(out).toContain(`${url}, read back, not in order`);
  expect(out).toContain("Search engines are told to leave the page out: X.");
  expect(out).toMatch(/page_checked .*noindex: Search engines/);
  const { page } = JSON.parse((await run(addDelivery, "delivery", "show", delivery, "--json")).out);
  expect(page).toMatchObject({ in_order: false, findings: [{ code: "noindex" }] });
});

it("a channel whose posts are no pages has nothing to tell search engines", async () => {
  const { code, err } = await run(addChannelCommand, "channel", "indexnow", channel);
  expect(err).toContain("Posts of telegram are no pages of a site");
  expect(code).not.toBe(0);
  expect((await run(addChannelCommand, "channel", "indexnow", channel, "--off")).err).toContain(
    "has no key of IndexNow",
  );
});
