import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestClock, testClock } from "../shared/testing.ts";
import { jpegOf, pngOf } from "../shared/testing-image.ts";
import { keys, rival, shop, startTestVk, type TestVk } from "./testing.ts";

let vk: TestVk;
let clock: TestClock;
beforeEach(async () => {
  clock = testClock();
  vk = await startTestVk({ clock });
});
afterEach(() => vk.close());

const place = async () => (await vk.ask("photos.getWallUploadServer", { group_id: shop })).upload_url;

test("a photo goes up in three steps and is attached to a post", async () => {
  const server = await vk.ask("photos.getWallUploadServer", { group_id: shop });
  expect(server).toMatchObject({ album_id: -14, user_id: 5 });
  const received = await vk.upload(server.upload_url, jpegOf(1200, 800), "tea.jpg");
  expect(JSON.parse(received.photo)).toMatchObject([{ markers_restarted: true }]);
  const [photo] = await vk.ask("photos.saveWallPhoto", { group_id: shop, ...received, caption: "Чай" });
  expect(photo).toMatchObject({ owner_id: -shop, album_id: -14, text: "Чай" });
  expect(photo.sizes).toContainEqual({ type: "x", url: expect.any(String), width: 604, height: 403 });
  expect((await fetch(photo.sizes[0].url)).headers.get("content-type")).toBe("image/jpeg");
  await vk.post({ attachments: `photo${photo.owner_id}_${photo.id}` });
  expect(await vk.posts()).toMatchObject([{ media: [{ kind: "photo", width: 1200, height: 800 }] }]);
});

test("a photo saved twice is the same photo", async () => {
  const received = await vk.upload(await place(), pngOf(10, 10));
  const [first] = await vk.ask("photos.saveWallPhoto", { group_id: shop, ...received });
  const [second] = await vk.ask("photos.saveWallPhoto", { group_id: shop, ...received });
  expect(second.id).toBe(first.id);
});

test("what the upload server said must come back unchanged, from the same person", async () => {
  const received = await vk.upload(await place(), pngOf(10, 10));
  const save = (change: object, token?: string) =>
    vk.refused("photos.saveWallPhoto", { group_id: shop, ...received, ...change }, token);
  expect(await save({ hash: "0".repeat(32) })).toBe("121 Invalid hash");
  expect(await save({ photo: '[{"photo":"other"}]' })).toBe("121 Invalid hash");
  expect(await save({ server: 1 })).toBe("118 Invalid server");
  expect(await save({ photo: "[]" })).toMatch(/^100 .*photo/);
  expect(await save({ caption: "я".repeat(2049) })).toMatch(/^100 .*caption/);
  await vk.control("PATCH", `/vk/groups/${shop}`, {
    managers: [5, 6].map((user_id) => ({ user_id, role: "editor" })),
  });
  expect(await save({}, keys.moderator)).toBe("121 Invalid hash");
});

test.each([
  ["no picture", Buffer.from("text"), "a.png", "photo"],
  ["a name without an ending", pngOf(10, 10), "photo", "photo"],
  ["another field", pngOf(10, 10), "a.png", "file"],
  ["too many pixels", pngOf(10_000, 4_001), "a.png", "photo"],
  ["too long and narrow", pngOf(2_001, 100), "a.png", "photo"],
])("a bad file (%s) is answered with status 200 and no photo", async (_what, bytes, name, field) => {
  expect(await vk.upload(await place(), bytes, name, field)).toMatchObject({ photo: "[]" });
});

test("an upload address is forgotten after a while", async () => {
  const url = await place();
  clock.advance(16 * 60_000);
  expect(await vk.upload(url, pngOf(10, 10))).toMatchObject({ error: expect.stringContaining("expired") });
  expect(await vk.upload(`${vk.url}/vk/_upload/none`, pngOf(10, 10))).toHaveProperty("error");
});

test("photos are uploaded for communities that exist and that one may post in", async () => {
  const server = (group_id: number, token?: string) =>
    vk.refused("photos.getWallUploadServer", { group_id }, token);
  expect(await server(999)).toBe("125 Invalid group id");
  expect(await server(-shop)).toBe("125 Invalid group id");
  expect(await server(rival)).toBe("203 Access to group denied");
  await vk.control("PATCH", `/vk/groups/${shop}`, { wall: 3 });
  expect(await server(shop, keys.reader)).toBe("203 Access to group denied");
});

test("a community's key attaches photos uploaded for messages, by their key", async () => {
  const { upload_url } = await vk.ask("photos.getMessagesUploadServer", {}, keys.community);
  const received = await vk.upload(upload_url, pngOf(10, 10));
  const [photo] = await vk.ask("photos.saveMessagesPhoto", received, keys.community);
  const name = `photo${photo.owner_id}_${photo.id}`;
  const post = { owner_id: -shop, from_group: 1 };
  expect(await vk.refused("wall.post", { ...post, attachments: name }, keys.community)).toMatch(/^100 /);
  const attachments = `${name}_${photo.access_key}`;
  await vk.post({ attachments }, keys.community);
  await vk.control("PATCH", "/vk/options", { message_photos: false });
  expect(await vk.refused("wall.post", { ...post, attachments }, keys.community)).toMatch(/^100 /);
  expect(await vk.refused("photos.saveWallPhoto", { group_id: shop, ...received })).toBe("121 Invalid hash");
});

test("somebody else's photo is attached only by its key", async () => {
  const photo = await vk.photo();
  await vk.control("PATCH", `/vk/groups/${rival}`, { managers: [{ user_id: 7, role: "editor" }] });
  const post = { owner_id: -rival, from_group: 1, attachments: photo };
  expect(await vk.refused("wall.post", post, keys.reader)).toMatch(/^100 .*no access/);
});
