import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApiToken } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import type { JournalEntry } from "../../twins/index.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

const chats = { telegram: "-1002000000001", max: "-70000001" };

let running: RunningSystem;
beforeEach(async () => {
  running = await startSystem({
    prepare: ({ sql }) => sql`update delivery.channels set rate_rps = null, max_parallel = 10`,
  });
});
afterEach(() => running.stop());

const photo = (name: string) => ({ type: "photo", url: `${running.twinsUrl}/demo/${name}.jpg` });

/** Calls that carried a file: with Telegram it comes with the message, MAX takes it apart. */
const isUpload = ({ provider, method, request }: JournalEntry) =>
  provider === "telegram" ? JSON.stringify(request).includes("attach://") : method === "POST /_upload";

async function uploads(provider: string): Promise<number> {
  return (await running.journal()).filter((entry) => entry.provider === provider && isUpload(entry)).length;
}

async function sendAll(text: string, media: object[]): Promise<Record<string, unknown>[]> {
  const { message_id } = await running.post({ payload: { text, media } });
  return running.settled(message_id);
}

describe("media", () => {
  // covers autoposting: Point 41
  it("of a post to several channels are fetched once and uploaded once for each bot, and later posts use them again", async () => {
    const media = [photo("city"), photo("lake")];
    for (const text of ["Первый", "Второй", "Третий"]) {
      const deliveries = await sendAll(text, media);
      expect(deliveries).toHaveLength(4);
      for (const delivery of deliveries) expect(delivery).toMatchObject({ status: "sent", attempt: 1 });
    }
    // An album is one request with Telegram, whoever of its channels came first.
    expect(await uploads("telegram")).toBe(1);
    expect(await uploads("max")).toBe(2);
    const { sql } = running.database;
    const origins = await sql`
      select from delivery.media_origin where source_url ~ '(city|lake)[.]jpg' and origin_url like 'storage:%'`;
    expect(origins).toHaveLength(2);
    expect(await sql`select from delivery.media_blobs`).toHaveLength(4);
    expect(await sql`select from delivery.media_claims`).toHaveLength(0);
  });

  // covers autoposting: Point 41
  it("whose materialisation expired are uploaded again from the storage", async () => {
    await sendAll("Первый", [photo("road")]);
    await running.database.sql`update delivery.media_blobs set expires_at = now() - interval '1 second'`;
    for (const delivery of await sendAll("Второй", [photo("road")]))
      expect(delivery).toMatchObject({ status: "sent", attempt: 1 });
    expect(await uploads("telegram")).toBe(2);
    expect(await uploads("max")).toBe(2);
  });

  // covers autoposting: Point 41
  it("whose origin is lost fail with media_missing_origin, and the channel is not blamed", async () => {
    for (const delivery of await sendAll("Потеря", [photo("never-was")]))
      expect(delivery).toMatchObject({
        status: "failed_permanent",
        last_error: { code: "media_missing_origin", scope: "delivery" },
      });
    const paused = await running.database.sql`select from delivery.channels where paused_until is not null`;
    expect(paused).toHaveLength(0);
  });
});

describe("a file that an operator uploads", () => {
  it("arrives as a photo where a post with its address goes, without being fetched from anywhere", async () => {
    const { sql } = running.database;
    await sql`update delivery.channels set enabled = target_id = ${chats.telegram}`;
    const [workspace] = await sql<[{ id: string }]>`
      select workspace_id as id from delivery.channels where target_id = ${chats.telegram}`;
    const { token } = await createApiToken(sql, {
      ...{ name: "console", scopes: ["write"], workspaceId: workspace.id, createdBy: null, expiresAt: null },
      clock: systemClock,
    });
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "red" } })
      .jpeg()
      .toBuffer();
    const answer = await fetch(`${running.system.url()}/api/v1/media?file_name=red.jpg`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "image/jpeg" },
      body: new Uint8Array(picture),
    });
    expect(answer.status).toBe(201);
    const { url, kind } = z.object({ url: z.string(), kind: z.string() }).parse(await answer.json());
    const [delivery] = await sendAll("Со своей картинкой", [{ type: kind, url }]);
    expect(delivery).toMatchObject({ status: "sent", attempt: 1 });
    const [shown] = await running.messages("telegram", chats.telegram);
    expect(shown).toMatchObject({ text: "Со своей картинкой", media: [{ kind: "photo" }] });
  });
});

describe("an album with a text too long for a caption", () => {
  // covers autoposting: Point 42
  it("arrives in Telegram as the text first, then the group without a caption, each once", async () => {
    await running.database.sql`update delivery.channels set enabled = target_id = ${chats.telegram}`;
    const text = "я".repeat(1_025);
    const [delivery] = await sendAll(text, [photo("city"), photo("lake")]);
    expect(delivery).toMatchObject({ status: "sent", attempt: 1 });
    const shown = await running.messages("telegram", chats.telegram);
    expect(shown.map((message) => [message.text, message.media.length])).toEqual([
      [text, 0],
      ["", 1],
      ["", 1],
    ]);
    expect(shown[1]?.albumId).toBe(shown[2]?.albumId);
  });
});

describe("an answer lost on MAX", () => {
  // covers autoposting: Outgoing idempotency
  it("about pictures without a word is not mistaken for another post's that looks the same", async () => {
    await running.database.sql`update delivery.channels set enabled = target_id = ${chats.max}`;
    await sendAll("", [photo("city")]);
    await running.fault({ chat: chats.max, method: "POST /messages" }, { kind: "drop_before" });
    const [delivery] = await sendAll("", [photo("lake")]);
    expect(delivery).toMatchObject({ status: "sent", attempt: 2 });
    const shown = await running.messages("max", chats.max);
    expect(shown).toHaveLength(2);
    expect(delivery?.provider_message_id).toBe(shown[1]?.id);
  });

  it("about the same words as another post's is looked up among messages that nobody has on record", async () => {
    await running.database.sql`
      update delivery.channels set enabled = target_id = ${chats.max}, dedup_ttl_hours = 0`;
    const [first] = await sendAll("Доброе утро", []);
    await running.fault({ chat: chats.max, method: "POST /messages" }, { kind: "drop_before" });
    const { message_id } = await running.post({ payload: { text: "Доброе  утро" }, source_ref: "again" });
    const deliveries = await until("the second has been sent", async () => {
      const found = await running.settled(message_id);
      return found.length === 2 && found;
    });
    const second = deliveries.find(({ delivery_id }) => delivery_id !== first?.delivery_id);
    expect(await running.messages("max", chats.max)).toHaveLength(2);
    expect(second).toMatchObject({ status: "sent", attempt: 2 });
    expect(second?.provider_message_id).not.toBe(first?.provider_message_id);
  });
});

describe("a group that became a supergroup", () => {
  it("is followed: the channel gets its new number, with an event, and the post arrives there", async () => {
    const { sql } = running.database;
    const control = (method: string, path: string, body: object) =>
      fetch(`${running.twinsUrl}/_control/telegram/${path}`, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await control("POST", "chats", {
      id: -555,
      type: "group",
      title: "Группа",
      members: [{ bot: "molva_demo_bot" }],
    });
    await sql`update delivery.channels set enabled = false`;
    await sql`
      insert into delivery.channels (workspace_id, platform, target_id, title, auth_ref, rate_group)
      select workspace_id, 'telegram', '-555', 'Группа', auth_ref, rate_group
      from delivery.channels where target_id = ${chats.telegram}`;
    await control("PATCH", "chats/-555", { migrate_to: -1005550001000 });

    const [delivery] = await sendAll("Вслед за группой", []);
    expect(delivery).toMatchObject({ status: "sent", attempt: 2, target_id: "-1005550001000" });
    expect(await running.messages("telegram", "-1005550001000")).toMatchObject([
      { text: "Вслед за группой" },
    ]);
    const moved = await sql`select meta from workspaces.events where action = 'channel_migrated'`;
    expect(moved).toMatchObject([{ meta: { target_id: "-1005550001000" } }]);
  });
});

describe("a compiled post that this release cannot read", () => {
  it("is compiled again from the message, with its formatting", async () => {
    const { sql } = running.database;
    await sql`update delivery.channels set enabled = target_id = ${chats.telegram}, paused_until = now() + interval '1 hour'`;
    const { message_id } = await running.post({ payload: { text: "<b>Старый</b> вид", parse_mode: "HTML" } });
    await sql`update delivery.deliveries set render_meta = '{"compiled": {"version": 0}}'`;
    await sql`update delivery.channels set paused_until = null`;
    await sql`select pg_notify('molva_deliveries', '')`;
    const [delivery] = await running.settled(message_id);
    expect(delivery).toMatchObject({ status: "sent", attempt: 1 });
    expect(await running.messages("telegram", chats.telegram)).toMatchObject([
      { text: "Старый вид", marks: [{ type: "bold", offset: 0, length: 6 }] },
    ]);
  });
});
