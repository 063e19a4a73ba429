import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type AccountHarness,
  accountHarness,
  type HarnessAccount,
  type HarnessChat,
} from "../../../tests/support/account-harness.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { png } from "../../../twins/telegram/testing.ts";
import { type MediaHarness, openMediaHarness } from "../../delivery/media/testing/media-harness.ts";
import { type OriginServer, startOriginServer } from "../../delivery/media/testing/origin-server.ts";

let harness: AccountHarness;
let media: MediaHarness;
let origin: OriginServer;
let account: HarnessAccount;
let chat: HarnessChat;

beforeAll(async () => {
  const database = await testDatabase();
  origin = await startOriginServer();
  media = openMediaHarness(database.sql, { folder: tempFolder("account-photos"), allowHosts: [origin.host] });
  harness = await accountHarness(database, { media: media.process() });
});
afterAll(async () => {
  await harness.close();
  await media.close();
  await origin.close();
});
beforeEach(async () => {
  account = await harness.anAccount();
  chat = await harness.aChat([account]);
});

const picture = (name: string) =>
  origin.serve(`/${name}.png`, Buffer.from(png(640, 480)), { "content-type": "image/png" });

async function aTask(given: Record<string, unknown>): Promise<string> {
  const object_id = await harness.anObject({ texts: { default: "Квартира у парка" }, ...given });
  return harness.aTask({ object_id, chat_id: chat.id, account_id: account.id }, { origin: "manual" });
}

const said = () => harness.twin.said(chat.telegramId);

it("one photo goes with the text, an album with the text on its first photo", async () => {
  const photos = [{ url: picture("one") }, { url: picture("two") }, { url: picture("three") }];
  await aTask({ photos });
  await harness.work();
  expect(await said()).toMatchObject([{ text: "Квартира у парка", media: 1 }]);
  harness.clock.advance(2);
  const id = await aTask({ photos, photo_mode: "album" });
  await harness.work();
  expect(await said()).toMatchObject([
    {},
    { text: "Квартира у парка", media: 1 },
    { text: "", media: 1 },
    { text: "", media: 1 },
  ]);
  expect(await harness.task(id)).toMatchObject({ status: "completed", message_id: "2" });
});

it("an album whose answer was lost is not sent twice", async () => {
  await harness.twin.twins.control("POST", "/faults", {
    ...{ provider: "telegram-account", bot: account.phone, method: "sendMultiMedia", times: 1 },
    fault: { kind: "drop_after" },
  });
  const id = await aTask({ photos: [{ url: picture("one") }, { url: picture("two") }], photo_mode: "album" });
  await harness.work();
  expect(await harness.task(id)).toMatchObject({ status: "pending", reason: "outcome_unknown" });
  harness.clock.advance(5);
  await harness.work();
  expect(await harness.task(id)).toMatchObject({ status: "completed" });
  expect(await said()).toHaveLength(2);
});

it("a photo that is gone stays behind: the text goes alone, an album without it", async () => {
  const gone = { url: origin.serve("/gone.png", 404) };
  const id = await aTask({ photos: [gone] });
  await harness.work();
  expect(await said()).toMatchObject([{ text: "Квартира у парка", media: 0 }]);
  const [event] = (await harness.events("account_sent")).filter(({ task_id }) => task_id === id);
  expect(event?.meta).toMatchObject({ photos_left_out: "missing", missing: 1 });
  harness.clock.advance(2);
  await aTask({ photos: [gone, { url: picture("two") }, { url: picture("three") }], photo_mode: "album" });
  await harness.work();
  expect((await said()).slice(1)).toMatchObject([{ text: "Квартира у парка", media: 1 }, { media: 1 }]);
});

it("a photo that cannot be had just now is waited for, and the last try goes without it", async () => {
  const id = await aTask({ photos: [{ url: origin.serve("/busy.png", 503) }] });
  for (const attempts of [1, 2]) {
    await harness.work();
    expect(await harness.task(id)).toMatchObject({
      status: "pending",
      reason: "media_unavailable",
      attempts,
    });
    harness.clock.advance(5);
  }
  await harness.work();
  expect(await harness.task(id)).toMatchObject({ status: "completed" });
  expect(await said()).toMatchObject([{ text: "Квартира у парка", media: 0 }]);
});

it("a text that is too long for a caption goes without the photo, which the event says", async () => {
  const id = await aTask({ texts: { default: "я".repeat(1_500) }, photos: [{ url: picture("one") }] });
  await harness.work();
  expect(await said()).toMatchObject([{ media: 0 }]);
  const [event] = (await harness.events("account_sent")).filter(({ task_id }) => task_id === id);
  expect(event?.meta).toMatchObject({ photos_left_out: "caption_too_long" });
});

it("a file in our storage that an object shows is not collected", async () => {
  await harness.sql`insert into delivery.media_origin (workspace_id, blob_ref, origin_url)
    values (${harness.workspaceId}, 'flat-7', 'storage:x')`;
  const refs = async () => {
    const [row] =
      await harness.sql`select delivery.media_gc_refs(${harness.workspaceId}, 'flat-7')::int as n`;
    return row?.n;
  };
  expect(await refs()).toBe(0);
  await harness.anObject({ photos: [{ blob_ref: "flat-7" }] });
  expect(await refs()).toBe(1);
});
