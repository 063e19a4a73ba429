import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestClock, testClock } from "../shared/testing.ts";
import { editor, keys, moderator, reader, rival, shop, startTestVk, type TestVk } from "./testing.ts";

let vk: TestVk;
let clock: TestClock;
beforeEach(async () => {
  clock = testClock();
  vk = await startTestVk({ clock });
});
afterEach(() => vk.close());

const own = { owner_id: -shop, from_group: 1 };
const seconds = () => Math.floor(clock.now() / 1000);
const hours = (count: number) => count * 3_600_000;

test("a post appears on the community's wall, newest first", async () => {
  const first = await vk.post({ message: "Первый" });
  clock.advance(1000);
  const second = await vk.post({ message: "Второй", signed: 1 });
  const { count, items } = await vk.ask("wall.get", { owner_id: -shop });
  expect(count).toBe(2);
  expect(items).toMatchObject([
    { id: second, owner_id: -shop, from_id: -shop, text: "Второй", signer_id: editor, post_type: "post" },
    { id: first, date: seconds() - 1 },
  ]);
  const page = await vk.ask("wall.get", { domain: "tea_shop", count: 1, offset: 1, extended: 1 });
  expect(page).toMatchObject({ count: 2, items: [{ id: first }], groups: [{ id: shop }] });
  const found = await vk.ask("wall.getById", { posts: `-${shop}_${first},-${shop}_999` });
  expect(found.items).toMatchObject([{ id: first }]);
});

// covers networks: Twins: strict, with faults and a journal
test("a post must have a text or an attachment, and no more than VK takes", async () => {
  expect(await vk.refused("wall.post", { ...own, message: "  " })).toMatch(/^100 One of the parameters/);
  expect(await vk.post({ message: "я".repeat(16_384) })).toBeGreaterThan(0);
  expect(await vk.refused("wall.post", { ...own, message: "я".repeat(16_385) })).toMatch(/^100 .*message/);
  expect(await vk.refused("wall.post", { owner_id: "shop", message: "a" })).toBe(
    "100 One of the parameters specified was missing or invalid: owner_id not integer",
  );
});

test("a post holds ten attachments, one of them a link", async () => {
  const photo = await vk.photo();
  const link = "https://example.org/tea";
  const ten = [...Array(9).fill(photo), link].join(",");
  await vk.post({ attachments: ten });
  expect((await vk.posts()).at(-1)).toMatchObject({
    linkPreview: { url: link },
    media: Array(9).fill({ kind: "photo" }),
  });
  expect(await vk.refused("wall.post", { ...own, attachments: `${ten},${photo}` })).toMatch(
    /^100 .*too many/,
  );
  expect(await vk.refused("wall.post", { ...own, attachments: `${link},https://example.org/b` })).toMatch(
    /^100 .*only one link/,
  );
});

test.each(["photo-101_1", "video5_7", "tea", "photo", "https://"])(
  "the attachment %s is refused",
  async (attachments) => {
    expect(await vk.refused("wall.post", { ...own, message: "a", attachments })).toMatch(
      /^100 .*attachments/,
    );
  },
);

test("a community is named by a negative number, and a person's wall is the person's", async () => {
  expect(await vk.refused("wall.post", { owner_id: shop, message: "a" })).toBe("113 Invalid user id");
  expect(await vk.refused("wall.post", { owner_id: -999, message: "a" })).toMatch(/^100 .*owner_id/);
  expect(await vk.refused("wall.post", { owner_id: moderator, message: "a" })).toBe(
    "214 Access to adding post denied",
  );
  const { post_id } = await vk.ask("wall.post", { message: "У себя" });
  expect((await vk.ask("wall.get")).items).toMatchObject([
    { id: post_id, owner_id: editor, from_id: editor },
  ]);
  await vk.control("PATCH", `/vk/users/${moderator}`, { state: "deleted" });
  expect(await vk.refused("wall.get", { owner_id: moderator })).toBe("18 User was deleted or banned");
});

test("only editors and administrators post for a community", async () => {
  expect(await vk.refused("wall.post", { ...own, message: "a" }, keys.moderator)).toMatch(/^214 /);
  expect(await vk.refused("wall.post", { ...own, message: "a" }, keys.reader)).toMatch(/^214 /);
  await vk.control("PATCH", `/vk/groups/${shop}`, { managers: [{ user_id: moderator, role: "editor" }] });
  expect(await vk.post({ message: "a" }, keys.moderator)).toBeGreaterThan(0);
  expect(await vk.refused("wall.post", { ...own, message: "a" })).toMatch(/^214 /);
});

test("a community's key posts on no other wall", async () => {
  expect(
    await vk.refused("wall.post", { owner_id: -rival, from_group: 1, message: "a" }, keys.community),
  ).toBe("15 Access denied: can't post to this wall");
});

test("people write on an open group's wall in their own name, and on a closed one not at all", async () => {
  await vk.control("PATCH", `/vk/groups/${shop}`, { type: "group", members: [reader] });
  const { post_id } = await vk.ask("wall.post", { owner_id: -shop, message: "Спасибо" }, keys.reader);
  expect((await vk.ask("wall.get", { owner_id: -shop, filter: "others" })).items).toMatchObject([
    { id: post_id, from_id: reader },
  ]);
  await vk.control("PATCH", `/vk/groups/${shop}`, { wall: 3 });
  expect(await vk.refused("wall.post", { owner_id: -shop, message: "a" }, keys.reader)).toMatch(/^214 /);
  await vk.control("PATCH", `/vk/groups/${shop}`, { wall: 0 });
  expect(await vk.refused("wall.post", { ...own, message: "a" })).toBe("15 Access denied: wall is disabled");
});

test("strangers neither read nor write in a closed community", async () => {
  await vk.control("PATCH", `/vk/groups/${shop}`, { type: "group", is_closed: 1 });
  expect(await vk.refused("wall.post", { owner_id: -shop, message: "a" }, keys.reader)).toMatch(/^15 /);
  expect(await vk.refused("wall.get", { owner_id: -shop }, keys.reader)).toMatch(/^15 /);
  const post_id = await vk.post({ message: "a" });
  const posts = `-${shop}_${post_id}`;
  expect((await vk.ask("wall.getById", { posts }, keys.reader)).items).toEqual([]);
  expect((await vk.ask("wall.getById", { posts })).items).toHaveLength(1);
});

test("links are refused where a community forbids them", async () => {
  await vk.control("PATCH", `/vk/groups/${shop}`, { links_forbidden: true });
  expect(await vk.refused("wall.post", { ...own, message: "см. https://example.org" })).toBe(
    "222 Hyperlinks are forbidden",
  );
  expect(await vk.refused("wall.post", { ...own, attachments: "https://example.org" })).toMatch(/^222 /);
  expect(await vk.post({ message: "a" })).toBeGreaterThan(0);
});

test("a community advertises once an hour and five times a day", async () => {
  await vk.post({ message: "1", mark_as_ads: 1 });
  expect(await vk.refused("wall.post", { ...own, message: "2", mark_as_ads: 1 })).toBe(
    "219 Advertisement post was recently added",
  );
  for (const message of ["2", "3", "4", "5"]) {
    clock.advance(hours(1));
    await vk.post({ message, mark_as_ads: 1 });
  }
  clock.advance(hours(1));
  expect(await vk.refused("wall.post", { ...own, message: "6", mark_as_ads: 1 })).toBe(
    "224 Too many ads posts",
  );
});

test("a planned post waits out of sight until its time", async () => {
  const post_id = await vk.post({ message: "Завтра", publish_date: seconds() + 3600 });
  expect(await vk.ask("wall.get", { owner_id: -shop })).toMatchObject({ count: 0 });
  expect(await vk.ask("wall.get", { owner_id: -shop, filter: "postponed" })).toMatchObject({
    items: [{ id: post_id, post_type: "postpone" }],
  });
  expect(await vk.refused("wall.get", { owner_id: -shop, filter: "postponed" }, keys.reader)).toMatch(/^15 /);
  const posts = `-${shop}_${post_id}`;
  expect((await vk.ask("wall.getById", { posts }, keys.reader)).items).toEqual([]);
  clock.advance(hours(1));
  expect((await vk.ask("wall.getById", { posts }, keys.reader)).items).toMatchObject([{ post_type: "post" }]);
});

test("a post is planned for a free time within the next year", async () => {
  expect(await vk.refused("wall.post", { ...own, message: "a", publish_date: seconds() })).toMatch(
    /^100 .*publish_date/,
  );
  expect(
    await vk.refused("wall.post", { ...own, message: "a", publish_date: seconds() + 400 * 86_400 }),
  ).toMatch(/^100 /);
  await vk.post({ message: "a", publish_date: seconds() + 60 });
  expect(await vk.refused("wall.post", { ...own, message: "b", publish_date: seconds() + 60 })).toMatch(
    /^214 .*already scheduled/,
  );
});

test("a repeated guid gives the first post's id, within its window and for the same content", async () => {
  const first = await vk.post({ message: "a", guid: "g1" });
  expect(await vk.post({ message: "a", guid: "g1" })).toBe(first);
  expect(await vk.posts()).toHaveLength(1);
  expect(await vk.post({ message: "b", guid: "g1" })).not.toBe(first);
  expect(await vk.post({ message: "a", guid: "g2" })).not.toBe(first);
  clock.advance(hours(1));
  expect(await vk.post({ message: "a", guid: "g1" })).not.toBe(first);
});

test("a repeated guid can be made to fail or to post twice", async () => {
  const first = await vk.post({ message: "a", guid: "g1" });
  await vk.control("PATCH", "/vk/options", { guid_repeat: "refused" });
  expect(await vk.refused("wall.post", { ...own, message: "a", guid: "g1" })).toMatch(/^100 .*guid/);
  await vk.control("PATCH", "/vk/options", { guid_repeat: "second" });
  expect(await vk.post({ message: "a", guid: "g1" })).not.toBe(first);
  expect(await vk.posts()).toHaveLength(2);
});

test("an edit replaces text and attachments as a whole", async () => {
  const attachments = await vk.photo();
  const post_id = await vk.post({ message: "a", attachments });
  clock.advance(1000);
  expect(await vk.ask("wall.edit", { owner_id: -shop, post_id, message: "b" })).toEqual({ post_id });
  const { items } = await vk.ask("wall.getById", { posts: `-${shop}_${post_id}` });
  expect(items).toMatchObject([{ text: "b", attachments: [], edited: seconds() }]);
  expect(await vk.refused("wall.edit", { owner_id: -shop, post_id })).toMatch(/^100 /);
});

test("a post is edited within a day; a planned one at any time, its date included", async () => {
  const post_id = await vk.post({ message: "a" });
  const planned = await vk.post({ message: "b", publish_date: seconds() + 7200 * 24 });
  clock.advance(hours(24));
  await vk.ask("wall.edit", { owner_id: -shop, post_id, message: "в последний миг" });
  clock.advance(1);
  expect(await vk.refused("wall.edit", { owner_id: -shop, post_id, message: "c" })).toMatch(
    /^214 .*edit time expired/,
  );
  const publish_date = seconds() + 60;
  await vk.ask("wall.edit", { owner_id: -shop, post_id: planned, message: "c", publish_date });
  expect((await vk.ask("wall.get", { owner_id: -shop, filter: "postponed" })).items).toMatchObject([
    { text: "c", date: publish_date },
  ]);
  const fresh = await vk.post({ message: "d" });
  expect(
    await vk.refused("wall.edit", {
      owner_id: -shop,
      post_id: fresh,
      message: "d",
      publish_date: seconds() + 99,
    }),
  ).toMatch(/^100 .*publish_date/);
});

test("a post is edited and deleted only by who may, and once deleted is gone", async () => {
  const post_id = await vk.post({ message: "a" });
  const which = { owner_id: -shop, post_id };
  expect(await vk.refused("wall.edit", { ...which, message: "b" }, keys.reader)).toBe(
    "210 Access to wall's post denied",
  );
  expect(await vk.refused("wall.delete", which, keys.moderator)).toMatch(/^210 /);
  expect(await vk.ask("wall.delete", which)).toBe(1);
  expect(await vk.refused("wall.delete", which)).toMatch(/^210 /);
  expect(await vk.ask("wall.get", { owner_id: -shop })).toEqual({ count: 0, items: [] });
});

test("people delete what they wrote themselves on a community's wall", async () => {
  await vk.control("PATCH", `/vk/groups/${shop}`, { type: "group", members: [reader] });
  const { post_id } = await vk.ask("wall.post", { owner_id: -shop, message: "Ой" }, keys.reader);
  expect(await vk.ask("wall.delete", { owner_id: -shop, post_id }, keys.reader)).toBe(1);
});
