import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readImage } from "../shared/index.ts";
import { type TestClock, testClock } from "../shared/testing.ts";
import { keys, shop, startTestVk, type TestVk } from "./testing.ts";

let vk: TestVk;
let clock: TestClock;
let home: string;
beforeEach(async () => {
  clock = testClock();
  home = await mkdtemp(join(tmpdir(), "vk-twin-"));
  vk = await startTestVk({ clock, home });
});
afterEach(async () => {
  await vk.close();
  await rm(home, { recursive: true, force: true });
});

const post = { owner_id: -shop, from_group: 1, message: "a" };
const answerTo = async (wanted: string) => {
  const { captchas } = await vk.control<{ captchas: { sid: string; answer: string }[] }>(
    "GET",
    "/vk/captchas",
  );
  return captchas.find(({ sid }) => sid === wanted)?.answer ?? "";
};

test.each([
  ["editor", 3],
  ["community", 20],
] as const)("the %s's key may call %i times a second", async (who, count) => {
  await vk.control("PATCH", "/options", { rate_limits: true });
  for (let call = 0; call < count; call += 1) await vk.ask("groups.getById", { group_id: shop }, keys[who]);
  expect(await vk.refused("groups.getById", { group_id: shop }, keys[who])).toBe(
    "6 Too many requests per second",
  );
  clock.advance(1_001);
  await vk.ask("groups.getById", { group_id: shop }, keys[who]);
});

test("a wall takes so many posts a day and so many plans", async () => {
  await vk.control("PATCH", "/options", { rate_limits: true });
  await vk.control("PATCH", "/vk/options", { posts_per_day: 1, postponed_posts: 1 });
  await vk.post({ message: "a" }, keys.community);
  expect(await vk.refused("wall.post", post, keys.community)).toMatch(/^214 .*posts a day/);
  const publish_date = Math.floor(clock.now() / 1000) + 600;
  await vk.post({ message: "b", publish_date }, keys.community);
  expect(await vk.refused("wall.post", { ...post, publish_date: publish_date + 60 }, keys.community)).toMatch(
    /^214 .*scheduled/,
  );
});

test("a captcha stops writes until it is solved", async () => {
  await vk.control("PATCH", `/vk/tokens/${keys.editor}`, { captchas: 1 });
  const { error } = await vk.call("wall.post", post);
  expect(error).toMatchObject({
    error_code: 14,
    error_msg: "Captcha needed",
    captcha_sid: expect.any(String),
  });
  const picture = await fetch(error.captcha_img);
  expect(readImage(Buffer.from(await picture.arrayBuffer()))).toMatchObject({ format: "png", width: 130 });

  const again = await vk.call("wall.post", { ...post, captcha_sid: error.captcha_sid, captcha_key: "wrong" });
  expect(again.error.error_code).toBe(14);
  const stale = { captcha_sid: error.captcha_sid, captcha_key: await answerTo(error.captcha_sid) };
  const third = await vk.call("wall.post", { ...post, ...stale });
  expect(third.error.error_code).toBe(14);

  const { captcha_sid } = third.error;
  await vk.ask("wall.post", { ...post, captcha_sid, captcha_key: await answerTo(captcha_sid) });
  await vk.ask("wall.post", { ...post, message: "b" });
  expect(await vk.posts()).toHaveLength(2);
  await vk.ask("users.get");
});

test("a captcha is solved by the same token, in time", async () => {
  await vk.control("PATCH", `/vk/tokens/${keys.editor}`, { captchas: 1 });
  const { error } = await vk.call("wall.post", post);
  const solved = { captcha_sid: error.captcha_sid, captcha_key: await answerTo(error.captcha_sid) };
  expect((await vk.call("wall.post", { ...post, ...solved }, keys.community)).error.error_code).toBe(14);
  clock.advance(11 * 60_000);
  expect((await vk.call("wall.post", { ...post, ...solved })).error.error_code).toBe(14);
  expect((await fetch(`${vk.url}/vk/captcha.php?sid=1`)).status).toBe(404);
});

test.each([
  [{ status: 400, code: 9 }, "9 Flood control"],
  [{ status: 400, code: 14 }, "14 Captcha needed"],
  [{ status: 400, code: 17 }, "17 Validation required"],
  [{ status: 400, code: 29 }, "29 Rate limit reached"],
  [
    { status: 400, code: 214, description: "Access to adding post denied: quota" },
    "214 Access to adding post denied: quota",
  ],
  [{ status: 429 }, "6 Too many requests per second"],
  [{ status: 500, code: 10 }, "10 Internal server error"],
])("the script %j is answered in VK's envelope", async (fault, refusal) => {
  await vk.control("POST", "/faults", {
    provider: "vk",
    method: "wall.post",
    chat: shop,
    times: 1,
    fault: { kind: "status", ...fault },
  });
  expect(await vk.refused("wall.post", post)).toBe(refusal);
  expect(await vk.posts()).toEqual([]);
  await vk.ask("wall.post", post);
});

test("a script of the 500s without a number is the front door's page", async () => {
  await vk.control("POST", "/faults", { provider: "vk", times: 1, fault: { kind: "status", status: 502 } });
  const response = await fetch(`${vk.url}/vk/method/users.get`);
  expect(response.status).toBe(502);
  expect(response.headers.get("content-type")).toContain("text/html");
});

// covers networks: Twins: strict, with faults and a journal
test("a lost answer leaves the post on the wall, and uploads can be struck", async () => {
  await vk.control("POST", "/faults", { method: "wall.post", times: 1, fault: { kind: "drop_after" } });
  await expect(vk.call("wall.post", { ...post, guid: "g" })).rejects.toThrow();
  const [{ id }] = await vk.posts();
  expect(await vk.post({ message: "a", guid: "g" })).toBe(Number(id));

  await vk.control("POST", "/faults", { method: "upload", times: 1, fault: { kind: "status", status: 503 } });
  const { upload_url } = await vk.ask("photos.getWallUploadServer", { group_id: shop });
  expect((await fetch(upload_url, { method: "POST", body: new FormData() })).status).toBe(503);
});

test("the journal tells of calls without their tokens", async () => {
  await vk.ask("wall.post", post);
  const { entries } = await vk.control<{ entries: object[] }>(
    "GET",
    `/journal?provider=vk&bot=id5&chat=${shop}`,
  );
  expect(entries).toMatchObject([
    {
      method: "wall.post",
      chat: String(shop),
      request: { message: "a" },
      status: 200,
      created: [expect.any(String)],
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain(keys.editor);
});

test("walls outlive a restart and are gone after a reset", async () => {
  const attachments = await vk.photo();
  await vk.post({ message: "a", attachments });
  await vk.close();
  vk = await startTestVk({ clock, home });
  const [kept] = await vk.posts();
  expect(kept).toMatchObject({ text: "a", media: [{ kind: "photo" }] });
  expect((await fetch(vk.url + kept.media[0].url)).status).toBe(200);
  await vk.control("POST", "/reset");
  expect(await vk.control("GET", "/vk/groups")).toEqual({ groups: [] });
  expect(await vk.refused("users.get")).toMatch(/^5 /);
});

test("walls and posts are among the chats, and changes are told", async () => {
  const events: string[] = [];
  vk.context.bus.subscribe(({ type }) => events.push(type));
  const post_id = await vk.post({ message: "см. https://example.org/a." });
  await vk.ask("wall.delete", { owner_id: -shop, post_id: await vk.post({ message: "b" }) });
  expect(events).toEqual(["chat", "message", "chat", "message", "removed"]);
  const { chats } = await vk.control<{ chats: object[] }>("GET", "/chats");
  expect(chats).toContainEqual(
    expect.objectContaining({ provider: "vk", id: String(shop), title: "Лавка чая", count: 1 }),
  );
  expect(await vk.control("GET", `/chats/vk/${shop}/messages`)).toMatchObject({
    messages: [{ id: String(post_id), marks: [{ type: "link", url: "https://example.org/a" }] }],
  });
});

// covers networks: Twins: what readers see
test("readers see the wall, its photos and single posts, and nothing that is not theirs to see", async () => {
  const page = async (path: string) => {
    const response = await fetch(`${vk.url}/vk${path}`);
    return { status: response.status, text: await response.text() };
  };
  const attachments = `${await vk.photo()},https://example.org/tea-time`;
  const post_id = await vk.post({ message: "<b>Чай</b> [club101|наш] #улун@tea_shop", attachments });
  await vk.post({ message: "Потом", publish_date: Math.floor(clock.now() / 1000) + 60 });
  const wall = await page("/wall/tea_shop");
  expect(wall.text).toContain("&lt;b&gt;Чай");
  expect(wall.text).toContain('<span class="mark">#улун@tea_shop</span>');
  expect(wall.text).toContain("/_blobs/");
  expect(wall.text).toContain("tea time");
  expect(wall.text).not.toContain("Потом");
  expect(await page(`/wall-${shop}_${post_id}`)).toMatchObject({
    status: 200,
    text: expect.stringContaining("наш"),
  });
  expect((await page(`/wall-${shop}_${post_id + 1}`)).status).toBe(404);
  expect((await page("/wall/nobody")).status).toBe(404);
  expect((await page(`/avatar/${shop}`)).text).toContain(">Л</text>");
});
