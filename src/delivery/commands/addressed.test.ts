import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { runCommand } from "../../cli/testing/run-command.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { AddCommand } from "../../terminal/index.ts";
import { aConnection, publish, published } from "../addressed/testing/addressed-queue.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { addChannelCommand } from "./channel.ts";
import { addMessage } from "./message.ts";
import { addQueue } from "./queue.ts";
import { addWhy } from "./why.ts";

let database: TestDatabase;
let workspace: string;
let connection: string;
let delivery: string;
beforeAll(async () => {
  database = await databaseWithJobs();
  const { sql } = database;
  workspace = await aWorkspace(sql);
  await aChannel(sql, workspace, { title: "Общий канал" });
  connection = await aConnection(sql, workspace, { user: "42" });
  const waitUntil = new Date(systemClock.now().getTime() + 180_000);
  delivery = await published(
    publish(sql, workspace, [connection], systemClock, { user: "42", run: "заказ", step: "пост", waitUntil }),
  );
});
afterAll(() => database.drop());

async function said(add: AddCommand, ...args: string[]): Promise<string> {
  const ran = await runCommand(add, [...args, "--workspace", workspace], {
    MOLVA_HOME: tempFolder("addressed"),
    DATABASE_URL: database.url,
  });
  expect(ran.err).toBe("");
  return ran.out;
}

it("commands say whose an addressed post is, until when a person waits, and what its product was told", async () => {
  const { sql } = database;
  const whose = "addressed by press for 42, заказ/пост";
  expect(await said(addWhy, "why", delivery)).toContain(`${whose}, waited for until`);
  const [row] = await sql<
    { message_id: string }[]
  >`select message_id from delivery.deliveries where delivery_id = ${delivery}`;
  expect(await said(addMessage, "message", "show", row?.message_id ?? "")).toContain(whose);
  await sql`select * from delivery.cancel(${workspace}, ${[delivery]}, 'op', 'ошибка', ${systemClock.now()})`;
  expect(await said(addWhy, "why", delivery)).toContain('told "cancelled cancelled"');
});

it("lists show connections, their owners and those that have failed; the queue shows them among the channels", async () => {
  const { sql } = database;
  const list = (...args: string[]) => said(addChannelCommand, "channel", "list", ...args);
  expect(await list()).toContain("press/42");
  expect(await list("--connections")).not.toContain("Общий канал");
  expect(await list("--connections", "error")).toContain("No channels.");
  await publish(sql, workspace, [connection], systemClock, { user: "42" });
  await sql`
    update delivery.channels set connection_state = 'error', connection_error = '{"code": "unauthorized", "message": "отозван"}'
    where channel_id = ${connection}`;
  expect(await list("--connections", "error")).toContain("connection error");
  expect(await said(addChannelCommand, "channel", "show", connection)).toContain("unauthorized");
  expect(await said(addQueue, "queue")).toContain("connection_error");
});
