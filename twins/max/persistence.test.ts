import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../tests/support/until.ts";
import { startTestTwins, testClock } from "../shared/testing.ts";
import { channel, dialog, pngOf, serve, startTestMax, token } from "./testing.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "max-twin-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("bots, chats, messages, files and updates outlive a restart", async () => {
  const before = await startTestMax({ home });
  const { body: photo } = await before.upload("image", pngOf(10, 10));
  const sent = await before.send({
    text: "<b>a</b>",
    format: "html",
    attachments: [{ type: "image", payload: photo }],
  });
  await before.control("POST", `/max/chats/${dialog}/say`, { text: "жду" });
  await before.close();

  const after = await startTestMax({ home });
  const { body } = await after.api("GET", `/messages?chat_id=${channel}`);
  expect(body.messages).toMatchObject([
    { body: { mid: sent.body.mid, text: "a", markup: sent.body.markup } },
  ]);
  const [attachment] = body.messages[0].body.attachments;
  expect((await fetch(attachment.payload.url)).status).toBe(200);
  const updates = await after.api("GET", "/updates?timeout=0");
  expect(updates.body.updates).toMatchObject([{ message: { body: { text: "жду" } } }]);
  const again = await after.send({ text: "b", attachments: [{ type: "image", payload: photo }] });
  expect(again.body.mid).not.toBe(sent.body.mid);
  await after.close();
});

test("an update that no webhook has taken is tried again after a restart", async () => {
  const taken: string[] = [];
  let status = 500;
  const hook = await serve((_request, response) => {
    taken.push("update");
    response.writeHead(status).end();
  });
  const clock = testClock();

  const before = await startTestMax({ home, clock });
  await before.api("POST", "/subscriptions", { url: hook.url });
  await before.control("POST", `/max/chats/${dialog}/say`, { text: "а" });
  await eventually(() => (taken.length === 1 ? true : undefined));
  await before.close();

  status = 200;
  clock.advance(60_000);
  const after = await startTestTwins({ home, clock });
  expect(await after.control("POST", "/max/webhooks/run", {})).toEqual({ waiting: 0 });
  expect(taken).toHaveLength(2);
  await after.close();
  hook.close();
});

test("a reset forgets everything", async () => {
  const max = await startTestMax({ home });
  await max.send({ text: "a" });
  await max.control("POST", "/reset");
  expect(await max.control("GET", "/max/bots")).toEqual({ bots: [] });
  expect((await max.api("GET", "/me")).status).toBe(401);
  await max.control("POST", "/max/bots", { token, username: "shop_bot", first_name: "Магазин" });
  expect((await max.api("GET", `/chats/${channel}`)).status).toBe(404);
  await max.close();
});
