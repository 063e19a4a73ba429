import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness, plain, user } from "../../tests/support/advisor.ts";

let harness: AdvisorHarness;
let free: number;
let pro: number;
beforeAll(async () => {
  harness = await advisorHarness();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  free = await harness.person("free");
  pro = await harness.person("pro");
});

async function aPet(name = "Ричи"): Promise<string> {
  const { body } = await harness.call("POST", "/v1/pets/upsert", {
    user: user(pro),
    pet: { type: "dog", name },
  });
  return body.pet_id;
}
describe("the door", () => {
  // covers advisor: Seven endpoints
  it("tells its health without a token", async () => {
    const { status, body } = await harness.call("GET", "/v1/health", undefined, { authorization: "" });
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, version: "0.1.0", db: "ok" } });
  });

  // covers advisor: Bearer token and HTTPS; 401
  it.each([
    ["GET", "/v1/me?telegram_user_id=1"],
    ["POST", "/v1/chat/ask"],
    ["POST", "/v1/pets/upsert"],
    ["GET", "/v1/history?telegram_user_id=1"],
    ["POST", "/v1/media/init"],
    ["POST", "/v1/data/delete"],
    ["POST", "/v1/consents"],
    ["GET", "/v1/pets/active?telegram_user_id=1"],
    ["POST", "/v1/pets/active/save"],
  ])("%s %s is closed without the token, and with another", async (method, path) => {
    const body = method === "POST" ? {} : undefined;
    for (const authorization of ["", "Bearer ", "Bearer another-token-altogether", "Basic abc"])
      expect(await harness.call(method, path, body, { authorization })).toMatchObject(
        plain(401, "unauthorized", "unauthorized"),
      );
  });

  // covers advisor: 400
  it.each([
    ["no user", { user: undefined }, "invalid_request"],
    ["a text of another type", { message: { text: 5 } }, "invalid_request"],
    ["no words and no file", { message: { text: "  " } }, "missing_text"],
    ["an id that is none", { request_id: "abc" }, "invalid_x_request_id"],
    ["no id", { request_id: undefined }, "missing_x_request_id"],
    ["an unknown scenario", { context: { scenario: "party" } }, "unknown_scenario"],
    ["attachments that are no list", { attachments: {} }, "invalid_attachments"],
    ["two attachments", { attachments: [{}, {}] }, "too_many_attachments"],
    ["a video", { attachments: [{ type: "video" }] }, "unsupported_attachment_type"],
    [
      "a photo by address",
      { attachments: [{ type: "image", source: "url" }] },
      "unsupported_attachment_source",
    ],
    [
      "a photo without bytes",
      { attachments: [{ type: "image", source: "inline" }] },
      "invalid_attachment_data",
    ],
    [
      "a photo that is no base64",
      { attachments: [{ type: "image", source: "inline", data: "%%" }] },
      "invalid_attachment_base64",
    ],
    ["a profile that is a word", { pet_profile: "кот" }, "invalid_pet_profile"],
  ])("answers 400 to %s", async (_, more, reason) => {
    expect(await harness.ask({ user: pro, more })).toMatchObject(plain(400, "bad_request", reason));
  });

  // covers advisor: 400; Both spellings of a request
  it("answers 400 when two ids differ, and takes the header alone", async () => {
    const body = { user: user(free), text: "Чем кормить кота?" };
    const header = { "x-request-id": randomUUID() };
    expect(
      await harness.call("POST", "/v1/chat/ask", { ...body, request_id: randomUUID() }, header),
    ).toMatchObject(plain(400, "bad_request", "request_id_mismatch"));
    expect((await harness.call("POST", "/v1/chat/ask", body, header)).status).toBe(200);
  });
});

describe("Free", () => {
  // covers advisor: 402
  it("is told 402 for research, files, pets and history, and is charged nothing", async () => {
    const asks = (reason: string) => ({
      status: 402,
      body: { error: { code: "plan_required", reason: "pro_required", upsell: { show: true, reason } } },
    });
    const attachments = [{ type: "photo", media_id: randomUUID() }];
    const file = { user: user(free), type: "photo", mime: "image/png", size_bytes: 5 };
    expect(await harness.ask({ user: free, context: { mode: "research" } })).toMatchObject(
      asks("research_attempt"),
    );
    expect(await harness.ask({ user: free, more: { attachments } })).toMatchObject(asks("media_attempt"));
    expect(await harness.call("POST", "/v1/media/init", file)).toMatchObject(asks("media_attempt"));
    expect(
      await harness.call("POST", "/v1/pets/upsert", { user: user(free), pet: { type: "cat" } }),
    ).toMatchObject(asks("memory_attempt"));
    expect(await harness.call("GET", `/v1/history?telegram_user_id=${free}`)).toMatchObject(
      asks("memory_attempt"),
    );
    expect((await harness.call("GET", `/v1/me?telegram_user_id=${free}`)).body).toMatchObject({
      plan: "free",
      limits: { remaining_in_window: 3, cooldown_sec: 0 },
      pets: [],
      research: { available: false },
    });
  });
});

describe("/v1/me", () => {
  // covers advisor: Seven endpoints
  it("knows nobody as Free and writes nothing down", async () => {
    expect(await harness.call("GET", "/v1/me?telegram_user_id=987654")).toMatchObject({
      status: 200,
      body: { plan: "free", limits: { remaining_in_window: 3 }, consents: { terms_accepted: false } },
    });
    const { sql } = harness.database;
    expect(await sql`select from advisor.users where telegram_user_id = 987654`).toHaveLength(0);
  });

  // covers advisor: Two moments of consent
  it("tells consents as they were given", async () => {
    const given = { user: user(free), terms_accepted: true };
    expect((await harness.call("POST", "/v1/consents", given)).body).toEqual({
      consents: { terms_accepted: true, data_policy_accepted: false },
    });
    await harness.call("POST", "/v1/consents", {
      user: user(free),
      terms_accepted: false,
      data_policy_accepted: true,
    });
    expect((await harness.call("GET", `/v1/me?telegram_user_id=${free}`)).body.consents).toEqual({
      terms_accepted: false,
      data_policy_accepted: true,
    });
  });
});

describe("Pro", () => {
  // covers advisor: Seven endpoints; The model is chosen by plan alone; Pro has no daily cap
  it("has no daily limit and no waiting, and its questions become history", async () => {
    const petId = await aPet();
    for (let turn = 0; turn < 4; turn += 1)
      expect(await harness.ask({ user: pro, context: { pet_id: petId } })).toMatchObject({
        status: 200,
        body: {
          limits: { remaining_in_window: -1, cooldown_sec: 0 },
          upsell: { show: false },
          meta: { policy_name: "pro_default", pet_profile_source: "db", pet_profile_pet_id: petId },
        },
      });
    const { body } = await harness.call("GET", `/v1/history?telegram_user_id=${pro}&pet_id=${petId}&limit=3`);
    expect(body.items).toHaveLength(3);
    expect(body.items[0]).toMatchObject({ topic: expect.any(String), summary: expect.any(String) });
  });

  // covers advisor: Research by button, with a quota; The model is chosen by plan alone; 429
  it("has two pieces of research a month, by their own policy", async () => {
    const context = { mode: "research" };
    for (const used of [1, 2])
      expect(await harness.ask({ user: pro, context })).toMatchObject({
        status: 200,
        body: { research: { used_this_period: used, limit: 2 }, meta: { policy_name: "pro_research" } },
      });
    expect(await harness.ask({ user: pro, context })).toMatchObject(
      plain(429, "rate_limited", "research_limit_exceeded"),
    );
    expect((await harness.ask({ user: pro })).status).toBe(200);
  });

  // covers advisor: 404
  it("is told 404 for a pet of somebody else", async () => {
    const petId = await aPet();
    const other = await harness.person("pro");
    const missing = plain(404, "not_found", "pet_not_found");
    expect(await harness.ask({ user: other, context: { pet_id: petId } })).toMatchObject(missing);
    expect(
      await harness.call("POST", "/v1/pets/upsert", { user: user(other), pet: { id: petId, name: "Чужой" } }),
    ).toMatchObject(missing);
    expect(await harness.call("GET", `/v1/history?telegram_user_id=${other}&pet_id=${petId}`)).toMatchObject(
      missing,
    );
    expect(
      await harness.call("POST", "/v1/data/delete", { user: user(other), scope: "pet", pet_id: petId }),
    ).toMatchObject(missing);
  });
});
