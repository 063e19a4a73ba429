import { afterEach, beforeEach, expect, test } from "vitest";
import { testClock } from "../shared/testing.ts";
import { hello, startTelegraph, type TestTelegraph } from "./testing.ts";

let telegraph: TestTelegraph;
const clock = testClock();
beforeEach(async () => {
  telegraph = await startTelegraph({ clock });
});
afterEach(() => telegraph.close());

test("an account is made without signing in, and its token opens it", async () => {
  const made = await telegraph.call("createAccount", {
    ...{ short_name: "Shop", author_name: "Магазин", author_url: "https://t.me/shop" },
  });
  expect(made).toEqual({
    ok: true,
    result: {
      short_name: "Shop",
      author_name: "Магазин",
      author_url: "https://t.me/shop",
      access_token: expect.stringMatching(/^[0-9a-f]{60}$/),
      auth_url: expect.stringContaining("/telegraph/auth/"),
    },
  });
  const info = await telegraph.call("getAccountInfo", { access_token: made.result.access_token });
  expect(info.result).toEqual({
    ...{ short_name: "Shop", author_name: "Магазин", author_url: "https://t.me/shop" },
  });
});

test.each([
  [{}, "SHORT_NAME_REQUIRED"],
  [{ short_name: " " }, "SHORT_NAME_REQUIRED"],
  [{ short_name: "м".repeat(33) }, "SHORT_NAME_TOO_LONG"],
  [{ short_name: "a", author_name: "м".repeat(129) }, "AUTHOR_NAME_TOO_LONG"],
  [{ short_name: "a", author_url: "t.me/shop" }, "AUTHOR_URL_INVALID"],
  [{ short_name: "a", author_url: "javascript:alert(1)" }, "AUTHOR_URL_INVALID"],
  [{ short_name: "a", author_url: `https://a.example/${"x".repeat(512)}` }, "AUTHOR_URL_INVALID"],
])("createAccount with %j is refused as %s", async (params, error) => {
  expect(await telegraph.call("createAccount", params)).toEqual({ ok: false, error });
});

test("lengths are counted in characters, so the longest names in emoji pass", async () => {
  const made = await telegraph.call("createAccount", {
    ...{ short_name: "🦊".repeat(32), author_name: "🦊".repeat(128) },
  });
  expect(made.ok).toBe(true);
});

test("fields of an account are told as asked, and the count of its pages among them", async () => {
  const access_token = await telegraph.account();
  await telegraph.call("createPage", { access_token, title: "Раз", content: hello });
  const fields = ["short_name", "page_count", "auth_url", "weight"];
  expect((await telegraph.call("getAccountInfo", { access_token, fields })).result).toEqual({
    short_name: "Магазин",
    page_count: 1,
    auth_url: expect.any(String),
  });
  const broken = await telegraph.call("getAccountInfo", { access_token, fields: "short_name" });
  expect(broken.error).toBe("FIELDS_FORMAT_INVALID");
});

test("an edit changes what it names and nothing else", async () => {
  const access_token = await telegraph.account();
  const edited = await telegraph.call("editAccountInfo", { access_token, author_name: "Автор" });
  expect(edited.result).toEqual({ short_name: "Магазин", author_name: "Автор", author_url: "" });
  const refused = await telegraph.call("editAccountInfo", { access_token, short_name: "" });
  expect(refused.error).toBe("SHORT_NAME_REQUIRED");
});

test("a revoked token opens nothing, the new one opens the same account", async () => {
  const access_token = await telegraph.account();
  const { path } = (await telegraph.call("createPage", { access_token, title: "Раз", content: hello }))
    .result;
  const { access_token: fresh } = (await telegraph.call("revokeAccessToken", { access_token })).result;
  expect((await telegraph.call("getPageList", { access_token })).error).toBe("ACCESS_TOKEN_INVALID");
  const list = await telegraph.call("getPageList", { access_token: fresh });
  expect(list.result.pages).toMatchObject([{ path, can_edit: true }]);
});

test.each([
  "getAccountInfo",
  "editAccountInfo",
  "revokeAccessToken",
  "createPage",
  "editPage/a",
  "getPageList",
])("%s needs a token that is somebody's", async (method) => {
  expect((await telegraph.call(method)).error).toBe("ACCESS_TOKEN_INVALID");
  expect((await telegraph.call(method, { access_token: "0".repeat(60) })).error).toBe("ACCESS_TOKEN_INVALID");
});

test("a link that signs in works once, and only for five minutes", async () => {
  const access_token = await telegraph.account();
  const newLink = async () =>
    (await telegraph.call("getAccountInfo", { access_token, fields: ["auth_url"] })).result.auth_url;
  const link = await newLink();
  const first = await fetch(link);
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining("Магазин")]);
  expect((await fetch(link)).status).toBe(403);
  const late = await newLink();
  clock.advance(5 * 60_000);
  expect((await fetch(late)).status).toBe(403);
});
