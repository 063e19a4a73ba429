import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness, plain, user } from "../../../tests/support/advisor.ts";

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

describe("the active pet", () => {
  const save = (profile: unknown, id = randomUUID(), who = pro) =>
    harness.call(
      "POST",
      "/v1/pets/active/save",
      { user: user(who), pet_profile: profile },
      { "x-request-id": id },
    );
  const active = (who = pro) => harness.call("GET", `/v1/pets/active?telegram_user_id=${who}`);

  // covers advisor: 402; The active pet
  it("is nobody's for a stranger, Pro's alone, and absent until it is saved", async () => {
    expect(await active(999_999_999)).toMatchObject({ status: 200, body: { ok: true, pet: null } });
    expect(await active(free)).toMatchObject(plain(402, "plan_required", "pro_required"));
    expect(await active()).toMatchObject(plain(404, "not_found", "no_active_pet"));
  });

  it("keeps the notes by tag when health comes as one text", async () => {
    await save({ type: "cat", health: { notes_by_tag: { allergy: "на курицу", gi: "гастрит" } } });
    await save({ health: "боится врачей" });
    expect((await active()).body.pet.profile.health).toEqual({
      notes_by_tag: { allergy: "на курицу", gi: "гастрит", other: "боится врачей" },
    });
  });

  // covers advisor: The active pet
  it("is merged deeply, normalised, and saved once for each id", async () => {
    const id = randomUUID();
    const first = await save(
      { type: "cat", name: "Мура", lifestyle: { housing: "apartment", walks_per_day: 0 }, step: 3 },
      id,
    );
    expect(first).toMatchObject({ status: 200, body: { ok: true, pet_id: expect.any(String) } });
    const again = await save(
      { type: "cat", name: "Мура", lifestyle: { housing: "apartment", walks_per_day: 0 }, step: 3 },
      id,
    );
    expect(again.headers.get("x-dedup-hit")).toBe("1");
    expect(again.body).toEqual(first.body);
    await save({
      lifestyle: { diet_type: "wet" },
      health: { gi: "гастрит", зубы: "камень", tags: ["x"] },
      birth_date: "вчера",
    });
    const { pet } = (await active()).body;
    expect(pet).toMatchObject({ id: first.body.pet_id, type: "cat", name: "Мура", birth_date: null });
    expect(pet.profile).toMatchObject({
      lifestyle: { housing: "apartment", walks_per_day: 0, diet_type: "wet" },
      health: { notes_by_tag: { gi: "гастрит", other: "зубы: камень" } },
    });
    expect(pet.profile).not.toHaveProperty("step");
  });

  // covers advisor: The active pet
  it("keeps notes on health that later saves do not mention, says nothing twice, and drops what is made blank", async () => {
    await save({ type: "dog", health: { notes_by_tag: { gi: "гастрит", skin_coat: "перхоть" } } });
    await save({ health: { mobility: "хромает", зубы: "камень" } });
    await save({ health: { зубы: "камень", skin_coat: "  " } });
    await save({ health: { notes_by_tag: { allergy: "курица" }, tags: ["gi"] } });
    expect((await active()).body.pet.profile.health).toEqual({
      notes_by_tag: { gi: "гастрит", mobility: "хромает", other: "зубы: камень", allergy: "курица" },
    });
  });

  // covers advisor: 500
  it("that the database does not take is told as 500, and may be sent again under its id", async () => {
    const { sql } = harness.database;
    const id = randomUUID();
    await sql`alter table advisor.pets add constraint broken check (name <> 'Сломанный')`;
    expect(await save({ type: "cat", name: "Сломанный" }, id)).toMatchObject(
      plain(500, "internal", "pet_upsert_failed"),
    );
    await sql`alter table advisor.pets drop constraint broken`;
    expect((await save({ type: "cat", name: "Сломанный" }, id)).status).toBe(200);
  });

  // covers advisor: The active pet
  it("is refused without a type, without being an object, and on Free", async () => {
    expect(await save({ name: "Без вида" })).toMatchObject(plain(400, "bad_request", "missing_pet_type"));
    expect(await save("кот")).toMatchObject(plain(400, "bad_request", "invalid_pet_profile"));
    expect(await save({ type: "cat" }, randomUUID(), free)).toMatchObject(
      plain(402, "plan_required", "pro_required"),
    );
  });
});

describe("/v1/pets/upsert", () => {
  const upsert = (pet: object) => harness.call("POST", "/v1/pets/upsert", { user: user(pro), pet });

  // covers advisor: Seven endpoints
  it("adds a pet, then changes what is given and leaves the rest", async () => {
    const { body } = await upsert({ id: null, type: "dog", name: "Ричи", sex: "male", breed: "такса" });
    expect(body).toEqual({ pet_id: expect.any(String) });
    expect(await upsert({ id: body.pet_id, name: "Ричард", birth_date: "2020-02-29" })).toMatchObject({
      status: 200,
      body: { pet_id: body.pet_id },
    });
    expect((await harness.call("GET", `/v1/pets/active?telegram_user_id=${pro}`)).body.pet).toMatchObject({
      ...{
        id: body.pet_id,
        type: "dog",
        name: "Ричард",
        sex: "male",
        birth_date: "2020-02-29",
        breed: "такса",
      },
    });
    expect((await harness.call("GET", `/v1/me?telegram_user_id=${pro}`)).body.pets).toEqual([
      { id: body.pet_id, type: "dog", name: "Ричард" },
    ]);
  });

  // covers advisor: 400
  it("answers 400 to a kind, a sex or a date that is none", async () => {
    for (const pet of [
      { type: "dragon" },
      { type: "cat", sex: "both" },
      { type: "cat", birth_date: "2021-02-30" },
    ])
      expect(await upsert(pet)).toMatchObject(plain(400, "bad_request", "invalid_request"));
    expect(await upsert({ name: "Без вида" })).toMatchObject(plain(400, "bad_request", "missing_pet_type"));
  });
});
