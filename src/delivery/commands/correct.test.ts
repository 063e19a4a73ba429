import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { type Ran, runCommand } from "../../cli/testing/run-command.ts";
import type { AddCommand } from "../../terminal/index.ts";
import { aDelivery, allowAnyBirth, aMessage } from "../deliveries/testing/a-delivery.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { addCorrection } from "./correct.ts";
import { addDelivery } from "./delivery.ts";
import { addMessage } from "./message.ts";
import { addWhy } from "./why.ts";

let database: TestDatabase;
let workspace: string;
let message: string;
let deliveries: string[];
const home = tempFolder("cli-correct");
const file = join(home, "new.txt");

const compiled = {
  platform: "telegram",
  requests: [{ method: "sendMessage", body: { text: null }, text: null }],
};

beforeAll(async () => {
  database = await testDatabase();
  await allowAnyBirth(database.sql);
  writeFileSync(file, "Цена 200");
});
afterAll(() => database.drop());
/** A post that was sent to two channels and waits for a third. */
beforeEach(async () => {
  const { sql } = database;
  workspace = await aWorkspace(sql);
  message = await aMessage(sql, workspace);
  deliveries = [];
  for (const [title, status] of [
    ["Новости", "sent"],
    ["Альбомы", "sent"],
    ["Черновик", "queued"],
  ] as const) {
    const channel = await aChannel(sql, workspace, { title });
    const delivery = await aDelivery(sql, workspace, channel, { status, message_id: message });
    deliveries.push(delivery);
    const requests =
      title === "Альбомы"
        ? [{ ...compiled.requests[0], media: [{ kind: "photo", fileId: "f" }] }]
        : compiled.requests;
    await sql`
      update delivery.deliveries set provider_message_id = '7', render_meta = ${sql.json({ compiled: { ...compiled, requests } })}
      where delivery_id = ${delivery}`;
  }
});

const commands: Record<string, AddCommand> = {
  message: addMessage,
  delivery: addDelivery,
  correction: addCorrection,
  why: addWhy,
};

function molva(...args: string[]): Promise<Ran> {
  const add = commands[args[0] ?? ""];
  if (!add) throw new Error("which command?");
  return runCommand(add, [...args, "--workspace", workspace], {
    MOLVA_HOME: home,
    DATABASE_URL: database.url,
  });
}

const count = async () =>
  (await database.sql`select from delivery.corrections where workspace_id = ${workspace}`).length;

// covers corrections: Listed before anything happens
it("a dry run lists channel by channel what will happen and what cannot, with the reason, and changes nothing", async () => {
  const { out, code } = await molva("message", "correct", message, file, "--reason", "цена", "--dry-run");
  expect(code).toBe(0);
  expect(out).toContain("Новости (telegram): its text is replaced where it stands");
  expect(out).toContain(
    "Альбомы (telegram): cannot: Telegram cannot take the file off a post (media_to_text)",
  );
  expect(out).toContain("Черновик (telegram): it has not been sent yet: it goes out in the new words");
  expect(out).toContain("Would correct it in 2 channels; 1 channel cannot. Nothing was changed.");
  expect(await count()).toBe(0);
});

it("a correction sets out, is listed with the refused ones, and `why` and `show` mention it", async () => {
  const { out } = await molva("message", "correct", message, file, "--reason", "цена");
  expect(out).toContain("Set out to correct it in 2 channels; 1 channel cannot.");
  const { items } = JSON.parse((await molva("correction", "list", "--message", message, "--json")).out);
  expect(items.map(({ status }: { status: string }) => status).toSorted()).toEqual([
    "failed_permanent",
    "queued",
  ]);
  expect((await molva("correction", "list")).out).toContain("media_to_text");
  const [first = ""] = deliveries;
  expect((await molva("why", first)).out).toMatch(/correction +ready: The dispatcher takes it next/);
  expect((await molva("delivery", "show", first)).out).toMatch(/edit 1 {2}queued .*Цена 200/);
});

it("a correction or a removal that failed is told by `why` of the post and of the delivery, until a newer one is made", async () => {
  const [first = "", album = ""] = deliveries;
  await molva("message", "correct", message, file, "--reason", "цена");
  const refusal =
    "correction  failed_permanent: The platform refused it for good. media_to_text: Telegram cannot take the file off a post";
  expect((await molva("why", album)).out).toContain(refusal);
  expect((await molva("why", message)).out.replaceAll("correction ", "correction  ")).toContain(refusal);
  const { details } = JSON.parse((await molva("why", album, "--json")).out);
  expect(details.corrections).toMatchObject([
    { kind: "edit", status: "failed_permanent", details: { error: { code: "media_to_text" } } },
  ]);
  await molva("delivery", "withdraw", album, "--reason", "рано");
  expect((await molva("why", album)).out).toMatch(/removal +ready/);
  expect((await molva("why", album)).out).not.toContain("media_to_text");
  await database.sql`
    update delivery.deliveries set withdrawn_at = now() where delivery_id = ${first}`;
  expect((await molva("why", message)).out).toMatch(/Новости \(telegram\): sent: .+\n {2}withdrawn /);
});

it("a post that was taken back somewhere is not counted as sent there", async () => {
  await database.sql`update delivery.deliveries set withdrawn_at = now() where delivery_id = ${deliveries[0] ?? ""}`;
  expect((await molva("message", "show", message)).out).toContain("1 queued, 1 sent, 1 withdrawn");
  const { deliveries: counts } = JSON.parse((await molva("message", "show", message, "--json")).out);
  expect(counts).toEqual({ queued: 1, sent: 1, withdrawn: 1 });
});

it("a post is taken back, where it waits it is called off", async () => {
  const { out } = await molva("message", "withdraw", message, "--reason", "рано");
  expect(out).toContain("Черновик (telegram): it has not been sent yet: it is called off");
  expect(out).toContain("Set out to take it back in 3 channels.");
});

it("one delivery is corrected alone; what can be done nowhere fails", async () => {
  const [first = "", album = ""] = deliveries;
  expect((await molva("delivery", "correct", first, file, "--reason", "цена")).out).toContain(
    "in 1 channel.",
  );
  const { code, err } = await molva("delivery", "correct", album, file, "--reason", "цена");
  expect(code).not.toBe(0);
  expect(err).toContain("No channel lets Molva correct it");
});

it("an id that nobody has, and a reason that is missing, are said so", async () => {
  expect((await molva("message", "withdraw", "00000000", "--reason", "рано")).err).toContain("no message");
  expect((await molva("message", "withdraw", message)).err).toContain("--reason");
});
