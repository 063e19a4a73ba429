import { afterEach, beforeEach, expect, test } from "vitest";
import { testClock } from "../shared/testing.ts";
import { editor, keys, moderator, rival, shop, startTestVk, type TestVk } from "./testing.ts";

let vk: TestVk;
const clock = testClock();
beforeEach(async () => {
  vk = await startTestVk({ clock });
});
afterEach(() => vk.close());

const groupAuth = "27 Group authorization failed: method is unavailable with group auth.";
const profileType = "1051 Method is not available for this profile type";

test.each([
  ["photos.getWallUploadServer", { group_id: shop }],
  ["photos.saveWallPhoto", { group_id: shop }],
  ["groups.get", {}],
  ["wall.get", { owner_id: -shop }],
  ["wall.getById", { posts: "-101_1" }],
  ["wall.edit", { owner_id: -shop, post_id: 1, message: "a" }],
  ["wall.delete", { owner_id: -shop, post_id: 1 }],
])("a community's key cannot call %s", async (method, params) => {
  expect(await vk.refused(method, params, keys.community)).toBe(groupAuth);
});

test("a community's key posts, reads its community and tells its rights", async () => {
  expect(await vk.post({ message: "a" }, keys.community)).toBeGreaterThan(0);
  expect((await vk.ask("groups.getById", {}, keys.community)).groups).toMatchObject([{ id: shop }]);
  const { mask, permissions } = await vk.ask("groups.getTokenPermissions", {}, keys.community);
  expect(permissions).toContainEqual({ name: "wall", setting: 8192 });
  expect(mask & 8192).toBe(8192);
  expect(await vk.ask("users.get", {}, keys.community)).toEqual([]);
});

test("a community's key may do everything on its wall if the option says so", async () => {
  await vk.control("PATCH", "/vk/options", { community_wall: true });
  const post_id = await vk.post({ message: "a" }, keys.community);
  expect(await vk.ask("wall.delete", { owner_id: -shop, post_id }, keys.community)).toBe(1);
});

test.each([
  ["wall.post", { owner_id: -shop, from_group: 1, message: "a" }],
  ["groups.get", {}],
  ["photos.getWallUploadServer", { group_id: shop }],
  ["utils.resolveScreenName", { screen_name: "tea_shop" }],
])("a VK ID token cannot call %s", async (method, params) => {
  expect(await vk.refused(method, params, keys.vkid)).toBe(profileType);
});

test("a VK ID token reads its owner and a community", async () => {
  expect(await vk.ask("users.get", {}, keys.vkid)).toMatchObject([{ id: editor, first_name: "Анна" }]);
  const { groups, profiles } = await vk.ask("groups.getById", { group_id: "tea_shop" }, keys.vkid);
  expect({ groups, profiles }).toMatchObject({ groups: [{ id: shop, name: "Лавка чая" }], profiles: [] });
});

test("a person's key is no community's key", async () => {
  expect(await vk.refused("groups.getTokenPermissions")).toBe(
    "15 Access denied: no access to call this method",
  );
});

test("a key without the right is refused", async () => {
  await vk.control("PATCH", `/vk/tokens/${keys.editor}`, { scopes: ["groups"] });
  await vk.control("PATCH", `/vk/tokens/${keys.community}`, { scopes: ["photos"] });
  const post = { owner_id: -shop, from_group: 1, message: "a" };
  expect(await vk.refused("wall.post", post)).toMatch(/^15 Access denied: no access to call this method/);
  expect(await vk.refused("wall.post", post, keys.community)).toBe(
    "7 Permission to perform this action is denied",
  );
});

test("unknown, missing, revoked and expired tokens are refused", async () => {
  expect(await vk.refused("users.get", {}, "vk1.a.nobody")).toBe(
    "5 User authorization failed: invalid access_token (4).",
  );
  expect(await vk.refused("users.get", { access_token: "" })).toBe(
    "5 User authorization failed: no access_token passed.",
  );
  await vk.control("PATCH", `/vk/tokens/${keys.community}`, { revoked: true });
  expect(await vk.refused("groups.getById", {}, keys.community)).toMatch(/^27 /);
  await vk.control("PATCH", `/vk/tokens/${keys.editor}`, { revoked: true });
  expect(await vk.refused("users.get")).toMatch(/^5 /);
  await vk.control("PATCH", `/vk/tokens/${keys.reader}`, { expires_in: 60 });
  expect(await vk.ask("users.get", {}, keys.reader)).toHaveLength(1);
  clock.advance(60_000);
  expect(await vk.refused("users.get", {}, keys.reader)).toBe(
    "5 User authorization failed: access_token has expired.",
  );
});

test("a person who was deleted or banned can do nothing", async () => {
  await vk.control("PATCH", `/vk/users/${editor}`, { state: "banned" });
  expect(await vk.refused("users.get")).toBe("18 User was deleted or banned");
});

test("the version is demanded, methods are told apart by case, and unknown ones are refused", async () => {
  expect(await vk.refused("users.get", { v: "" })).toBe("8 Invalid request: v (version) is required");
  expect(await vk.refused("users.get", { v: "new" })).toMatch(/^100 /);
  expect(await vk.refused("Users.Get")).toBe("3 Unknown method passed");
  expect(await vk.refused("constructor")).toBe("3 Unknown method passed");
});

test("a refusal repeats what was asked, without the token", async () => {
  const { error } = await vk.call("wall.post", { owner_id: -shop });
  expect(error.request_params).toContainEqual({ key: "method", value: "wall.post" });
  expect(error.request_params).toContainEqual({ key: "owner_id", value: String(-shop) });
  expect(JSON.stringify(error)).not.toContain(keys.editor);
});

test("the token may come as a header", async () => {
  const response = await fetch(`${vk.url}/vk/method/users.get?v=5.199`, {
    headers: { authorization: `Bearer ${keys.editor}` },
  });
  expect(await response.json()).toMatchObject({ response: [{ id: editor }] });
});

test("a person lists the communities they manage, by level", async () => {
  const admin = await vk.ask("groups.get", { extended: 1, filter: "admin,editor" });
  expect(admin).toMatchObject({
    count: 1,
    items: [
      {
        id: shop,
        name: "Лавка чая",
        screen_name: "tea_shop",
        is_closed: 0,
        type: "page",
        is_admin: 1,
        admin_level: 3,
      },
    ],
  });
  expect(await vk.ask("groups.get", { filter: "editor" }, keys.moderator)).toEqual({ count: 0, items: [] });
  expect(await vk.ask("groups.get", { filter: "moder" }, keys.moderator)).toEqual({
    count: 1,
    items: [shop],
  });
  expect(await vk.refused("groups.get", { user_id: moderator, filter: "admin" })).toMatch(/^7 /);
  expect(await vk.refused("groups.get", { user_id: 999 })).toBe("113 Invalid user id");
  expect(await vk.refused("groups.get", { filter: "friends" })).toMatch(/^100 /);
});

test("communities and people are found by number and short name", async () => {
  const { groups } = await vk.ask("groups.getById", {
    group_ids: `tea_shop,club${rival}`,
    fields: "members_count",
  });
  expect(groups).toMatchObject([{ id: shop, members_count: 0 }, { id: rival }]);
  expect(await vk.refused("groups.getById", { group_id: 999 })).toMatch(/^100 /);
  expect(await vk.refused("groups.getById")).toMatch(/^100 /);
  expect(await vk.ask("users.get", { user_ids: `id${editor},${moderator}` })).toHaveLength(2);
  expect(await vk.refused("users.get", { user_ids: "999" })).toBe("113 Invalid user id");
  const resolve = (screen_name: string) => vk.ask("utils.resolveScreenName", { screen_name });
  expect(await resolve("tea_shop")).toEqual({ type: "page", object_id: shop });
  expect(await resolve("public101")).toEqual({ type: "page", object_id: shop });
  expect(await resolve("id5")).toEqual({ type: "user", object_id: editor });
  expect(await resolve("nobody_here")).toEqual([]);
});
