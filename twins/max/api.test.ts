import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channel, startTestMax, type TestMax, token } from "./testing.ts";

let max: TestMax;
beforeAll(async () => {
  max = await startTestMax();
});
afterAll(() => max.close());

describe("authorisation", () => {
  const refused = { status: 401, body: { code: "verify.token", message: "Invalid access_token" } };

  test("a raw token in the Authorization header is accepted", async () => {
    expect((await max.api("GET", "/me")).status).toBe(200);
  });

  test.each([
    ["a Bearer prefix", { authorization: `Bearer ${token}` }],
    ["an unknown token", { authorization: "somebody-else" }],
    ["an empty header", { authorization: "" }],
  ])("%s is refused", async (_case, headers) => {
    expect(await max.api("GET", "/me", undefined, headers)).toEqual(refused);
  });

  test("a token in the query is refused and does not reach the journal", async () => {
    const answer = await max.api("GET", `/me?access_token=${token}`, undefined, { authorization: "" });
    expect(answer).toEqual(refused);
    const journal = await max.control("GET", "/journal?provider=max&method=GET%20/me");
    expect(JSON.stringify(journal)).not.toContain(token);
  });
});

describe("the bot itself", () => {
  test("GET /me tells who the bot is", async () => {
    const { body } = await max.api("GET", "/me");
    expect(body).toMatchObject({ first_name: "Магазин", username: "shop_bot", is_bot: true, commands: [] });
    expect(body.user_id).toBeTypeOf("number");
    expect(body.last_activity_time).toBeTypeOf("number");
  });

  test("PATCH /me/commands takes up to 32 commands", async () => {
    const commands = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `c${index}`, description: "d" }));
    expect(await max.api("PATCH", "/me/commands", { commands: commands(32) })).toEqual({
      status: 200,
      body: { commands: commands(32) },
    });
    expect((await max.api("GET", "/me")).body.commands).toHaveLength(32);
    const answer = await max.api("PATCH", "/me/commands", { commands: commands(33) });
    expect([answer.status, answer.body.code]).toEqual([400, "proto.payload"]);
  });
});

describe("calls that do not exist", () => {
  test.each([
    ["POST", "/chats", 405, "method.not.allowed"],
    ["POST", `/chats/${channel}/members`, 405, "method.not.allowed"],
    ["GET", "/chats/shop", 404, "not.found"],
    ["DELETE", "/me", 405, "method.not.allowed"],
    ["GET", "/nothing/at/all", 404, "not.found"],
  ])("%s %s answers %i %s", async (method, path, status, code) => {
    const answer = await max.api(method, path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toBeTypeOf("string");
  });

  test("type=photo is no longer an upload type", async () => {
    const answer = await max.api("POST", "/uploads?type=photo");
    expect([answer.status, answer.body.code]).toEqual([400, "proto.payload"]);
  });
});

test.each([["{"], ["[]"], ['"text"'], [""]])("the body %j is not a message", async (body) => {
  const answer = await max.api("POST", `/messages?chat_id=${channel}`, body);
  expect([answer.status, answer.body.code]).toEqual([400, "proto.payload"]);
});

test("every call is journaled with its method, bot and chat", async () => {
  await max.send({ text: "в журнал" });
  const { entries } = await max.control<{ entries: Record<string, unknown>[] }>(
    "GET",
    `/journal?provider=max&bot=shop_bot&chat=${channel}&method=POST%20/messages`,
  );
  expect(entries.at(-1)).toMatchObject({
    status: 200,
    request: { query: { chat_id: String(channel) }, body: { text: "в журнал" } },
    created: [expect.stringMatching(/^mid\./)],
  });
});
