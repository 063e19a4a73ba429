import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness, plain, user } from "../../tests/support/advisor.ts";
import { png } from "../../twins/telegram/testing.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import { advisorUpkeep } from "./index.ts";

/** What is kept, for how long, and what takes it away. */
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

const rows = async (table: string) => {
  const { sql } = harness.database;
  const [row] = await sql`
    select count(*)::int as count from ${sql(`advisor.${table}`)} t
    join advisor.users u on u.workspace_id = t.workspace_id and u.id = t.user_id where u.telegram_user_id = ${pro}`;
  return row?.count;
};
const picture = Buffer.from(png(640, 480));

async function aPet(name = "Ричи"): Promise<string> {
  const { body } = await harness.call("POST", "/v1/pets/upsert", {
    user: user(pro),
    pet: { type: "dog", name },
  });
  return body.pet_id;
}
async function announced(file: Uint8Array = picture, type = "photo", mime = "image/png", petId?: string) {
  const { body } = await harness.call("POST", "/v1/media/init", {
    ...{ user: user(pro), type, mime, size_bytes: file.length },
    ...(petId && { pet_id: petId }),
  });
  return body;
}
const upload = (url: string, file: Uint8Array, mime = "image/png") =>
  fetch(url, { method: "PUT", headers: { "content-type": mime }, body: Buffer.from(file) });
async function uploaded(petId?: string): Promise<string> {
  const { media_id, upload_url } = await announced(picture, "photo", "image/png", petId);
  expect((await upload(upload_url, picture)).status).toBe(200);
  return media_id;
}

describe("a file", () => {
  // covers advisor: Seven endpoints; Photos and recordings by upload
  it("is uploaded to a signed address and looked at by the model", async () => {
    const mediaId = await uploaded();
    const reply = await harness.ask({
      user: pro,
      text: "",
      more: { attachments: [{ type: "photo", media_id: mediaId, mime: "image/png" }] },
    });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        answer_text: expect.stringContaining("640×480"),
        meta: { policy_name: "pro_vision" },
        limits: { vision_images_used: 1 },
      },
    });
  });

  // covers advisor: Both spellings of a request
  it("may be a photo within the question", async () => {
    const attachments = [
      { type: "image", source: "inline", data: `data:image/png;base64,${picture.toString("base64")}` },
    ];
    expect(await harness.ask({ user: pro, more: { attachments } })).toMatchObject({
      status: 200,
      body: { answer_text: expect.stringContaining("640×480") },
    });
  });

  // covers advisor: Photos and recordings by upload
  it("may be a recording, for a model that hears", async () => {
    const sound = wav();
    const { media_id, upload_url } = await announced(sound, "audio", "audio/wav");
    expect((await upload(upload_url, sound, "audio/wav")).status).toBe(200);
    const reply = await harness.ask({
      user: pro,
      text: "",
      more: { attachments: [{ type: "audio", media_id }] },
    });
    expect(reply).toMatchObject({
      status: 200,
      body: { answer_text: expect.stringContaining("запись"), meta: { policy_name: "pro_voice" } },
    });
  });

  // covers advisor: 401; Photos and recordings by upload
  it("is refused when it is not what was announced", async () => {
    const reasonOf = async (answer: Response) =>
      ((await answer.json()) as { error: { reason: string } }).error.reason;
    const { upload_url: url } = await announced();
    expect(await reasonOf(await upload(url, picture.subarray(1)))).toBe("wrong_size");
    expect(await reasonOf(await upload(url, Buffer.alloc(picture.length)))).toBe("wrong_content");
    expect(await reasonOf(await upload(url, picture, "image/jpeg"))).toBe("wrong_content_type");
    expect(await reasonOf(await upload(url.replace(/signature=.{4}/, "signature=0000"), picture))).toBe(
      "invalid_signature",
    );
    expect((await upload(url, picture)).status).toBe(200);
    expect(await reasonOf(await upload(url, picture))).toBe("already_uploaded");
    const late = await announced();
    harness.clock.advance(16 * 60_000);
    expect(await reasonOf(await upload(late.upload_url, picture))).toBe("invalid_signature");
  });

  // covers advisor: 400
  it("is refused before that when its kind or size is", async () => {
    const init = (more: object) =>
      harness.call("POST", "/v1/media/init", {
        user: user(pro),
        type: "photo",
        mime: "image/png",
        size_bytes: 5,
        ...more,
      });
    expect(await init({ mime: "image/gif" })).toMatchObject(plain(400, "bad_request", "unsupported_mime"));
    expect(await init({ size_bytes: 9_000_000 })).toMatchObject(
      plain(400, "bad_request", "attachment_too_large"),
    );
    expect(await init({ pet_id: randomUUID() })).toMatchObject(plain(404, "not_found", "pet_not_found"));
  });

  // covers advisor: 404
  it("that was never uploaded, or is somebody else's, is not found, and nothing is charged", async () => {
    const { media_id } = await announced();
    const missing = plain(404, "not_found", "media_not_found");
    expect(
      await harness.ask({ user: pro, more: { attachments: [{ type: "photo", media_id }] } }),
    ).toMatchObject(missing);
    const mine = await uploaded();
    const other = await harness.person("pro");
    expect(
      await harness.ask({ user: other, more: { attachments: [{ type: "photo", media_id: mine }] } }),
    ).toMatchObject(missing);
    expect((await harness.call("GET", `/v1/me?telegram_user_id=${pro}`)).body.limits.vision_images_used).toBe(
      0,
    );
  });
});

describe("deletion", () => {
  // covers advisor: Seven endpoints; Deletion
  it("of everything leaves nothing: no talk, no history, no file, no stored answer", async () => {
    const petId = await aPet();
    const mediaId = await uploaded(petId);
    const id = randomUUID();
    await harness.ask({ user: pro, id, context: { pet_id: petId } });
    for (const table of ["sessions", "pets", "interactions", "media_assets", "request_dedup", "rate_limits"])
      expect({ table, rows: await rows(table) }).toEqual({ table, rows: 1 });
    const gone = await harness.call("POST", "/v1/data/delete", { user: user(pro), scope: "all" });
    expect(gone).toMatchObject({ status: 200, body: { deleted: true } });
    const { sql } = harness.database;
    expect(await sql`select from advisor.users where telegram_user_id = ${pro}`).toHaveLength(0);
    expect(await sql`select from advisor.request_dedup where request_id = ${id}`).toHaveLength(0);
    expect(await sql`select from advisor.media_assets where id = ${mediaId}`).toHaveLength(0);
    expect(await harness.storage.head(`advisor/${harness.workspaceId}/${mediaId}`)).toBeUndefined();
    expect(await sql`select from llm.calls where request_id like ${`advisor:${id}%`}`).toHaveLength(0);
    expect((await harness.call("POST", "/v1/data/delete", { user: user(pro), scope: "all" })).status).toBe(
      200,
    );
  });

  // covers advisor: Deletion
  it("of everything ends Pro and what was agreed to, as an operator can give it again", async () => {
    const me = async () => (await harness.call("GET", `/v1/me?telegram_user_id=${pro}`)).body;
    await harness.call("POST", "/v1/consents", {
      ...{ user: user(pro), terms_accepted: true, data_policy_accepted: true },
    });
    await harness.call("POST", "/v1/data/delete", { user: user(pro), scope: "all" });
    expect(await me()).toMatchObject({
      ...{ plan: "free", research: { available: false } },
      consents: { terms_accepted: false, data_policy_accepted: false },
    });
    expect(await harness.ask({ user: pro, context: { mode: "research" } })).toMatchObject(
      plain(402, "plan_required", "pro_required"),
    );
  });

  // covers advisor: Deletion
  it("of a pet takes the stored answers about it, also those that did not name it", async () => {
    const petId = await aPet();
    const id = randomUUID();
    expect((await harness.ask({ user: pro, id })).body.meta.pet_profile_pet_id).toBe(petId);
    await harness.call("POST", "/v1/data/delete", { user: user(pro), scope: "pet", pet_id: petId });
    expect(
      await harness.database.sql`select from advisor.request_dedup where request_id = ${id}`,
    ).toHaveLength(0);
    expect(await rows("sessions")).toBe(0);
  });

  // covers advisor: Deletion
  it("of a pet leaves the others", async () => {
    const [gone, kept] = [await aPet("Первый"), await aPet("Второй")];
    const id = randomUUID();
    await harness.ask({ user: pro, id, context: { pet_id: gone } });
    await harness.ask({ user: pro, context: { pet_id: kept } });
    await harness.call("POST", "/v1/data/delete", { user: user(pro), scope: "pet", pet_id: gone });
    expect((await harness.call("GET", `/v1/me?telegram_user_id=${pro}`)).body.pets).toMatchObject([
      { id: kept },
    ]);
    expect((await harness.call("GET", `/v1/history?telegram_user_id=${pro}`)).body.items).toHaveLength(1);
    expect(
      await harness.database.sql`select from advisor.request_dedup where request_id = ${id}`,
    ).toHaveLength(0);
  });
});

describe("time", () => {
  // covers advisor: Free has a talk that ends and no memory; 409; What expires
  it("takes a Free talk and its stored answer away, and the id is not asked again", async () => {
    const id = randomUUID();
    const { body } = await harness.ask({ user: free, id });
    harness.clock.advance(3_600_000);
    await advisorUpkeep(harness.deps);
    const { sql } = harness.database;
    expect(await sql`select from advisor.sessions where id = ${body.session.session_id}`).toHaveLength(0);
    const [row] = await sql`select response_json from advisor.request_dedup where request_id = ${id}`;
    expect(row?.response_json).toBeNull();
    expect(await harness.ask({ user: free, id })).toMatchObject(plain(409, "conflict", "answer_expired"));
    const left =
      await sql`select from advisor.interactions i join advisor.users u on u.id = i.user_id where u.telegram_user_id = ${free}`;
    expect(left).toHaveLength(0);
  });

  // covers advisor: What expires
  it("takes files away after a month", async () => {
    const mediaId = await uploaded();
    harness.clock.advance(31 * 86_400_000);
    await advisorUpkeep(harness.deps);
    expect(await harness.storage.head(`advisor/${harness.workspaceId}/${mediaId}`)).toBeUndefined();
  });

  // covers advisor: What expires
  it("takes files away that a deleted workspace leaves behind", async () => {
    const { sql } = harness.database;
    const workspaceId = await aWorkspace(sql);
    const key = `advisor/${workspaceId}/left`;
    await harness.storage.put(key, picture, { contentType: "image/png" });
    const [someone] = await sql<{ id: string }[]>`select id from advisor.lock_user(${workspaceId}, 1)`;
    await sql`
      insert into advisor.media_assets (workspace_id, user_id, type, storage_url, mime, size_bytes, created_at)
      values (${workspaceId}, ${someone?.id ?? null}, 'photo', ${key}, 'image/png', 5, now())`;
    await sql`delete from workspaces.workspaces where workspace_id = ${workspaceId}`;
    await advisorUpkeep(harness.deps);
    expect(await harness.storage.head(key)).toBeUndefined();
  });

  // covers advisor: Payload hash, take-over, repetition after failure
  it("gives back what a dead process held, and lets its request be made again", async () => {
    const id = randomUUID();
    const { sql } = harness.database;
    const first = await harness.ask({ user: free, id });
    expect(first.status).toBe(200);
    // As a process that died between the question and the answer left it.
    await sql`update advisor.request_dedup set status = 'started', response_json = null, finished_at = null where request_id = ${id}`;
    expect(await harness.ask({ user: free, id })).toMatchObject(
      plain(409, "conflict", "request_in_progress"),
    );
    harness.clock.advance(120_000);
    expect(await harness.ask({ user: free, id })).toMatchObject({
      status: 200,
      body: { limits: { remaining_in_window: 2 } },
    });
    await sql`update advisor.request_dedup set status = 'started' where request_id = ${id}`;
    harness.clock.advance(120_000);
    await advisorUpkeep(harness.deps);
    expect(
      (await harness.call("GET", `/v1/me?telegram_user_id=${free}`)).body.limits.remaining_in_window,
    ).toBe(3);
  });
});

function wav(): Buffer {
  const file = Buffer.alloc(44 + 16_000);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(36 + 16_000, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(16_000, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(16_000, 40);
  return file;
}
