import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApiToken, type Scope } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** A post in three chats of two messengers, corrected as an operator does it, over HTTP. */
const chats = { telegram: "-1002000000001", max: "-70000001" };

let running: RunningSystem;
let workspaceId: string;
let authorization: string;
beforeEach(async () => {
  running = await startSystem({
    prepare: async ({ sql }) => {
      await sql`update delivery.channels set rate_rps = null, template_ref = null,
        enabled = target_id in (${chats.telegram}, ${chats.max})`;
      await sql`update delivery.platform_limits set rate_rps = null`;
    },
  });
  const [row] = await running.database.sql`select workspace_id from delivery.channels where enabled limit 1`;
  workspaceId = row?.workspace_id;
  authorization = await bearer(["read", "operate"]);
});
afterEach(() => running.stop());

async function bearer(scopes: Scope[], workspace = workspaceId): Promise<string> {
  const { token } = await createApiToken(running.database.sql, {
    ...{
      name: "правка",
      scopes,
      workspaceId: workspace,
      createdBy: null,
      expiresAt: null,
      clock: systemClock,
    },
  });
  return `Bearer ${token}`;
}

async function ask(path: string, body?: unknown, as = authorization) {
  const answer = await fetch(`${running.system.url()}/api/v1${path}`, {
    headers: { authorization: as, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const made = (messageId: string) =>
  until("nothing is to be corrected any more", async () => {
    const { body } = await ask(`/corrections?message_id=${messageId}`);
    const live = body.items.filter(({ ended_at }: { ended_at: string | null }) => ended_at === null);
    return body.items.length > 0 && live.length === 0 && body.items;
  });

async function shown(): Promise<string[][]> {
  return Promise.all(
    Object.entries(chats).map(async ([provider, chat]) =>
      (await running.messages(provider, chat)).map(
        ({ text, edited }) => `${text}${edited ? " (изменено)" : ""}`,
      ),
    ),
  );
}

async function posted(text: string): Promise<string> {
  const { message_id } = await running.post({ payload: { text } });
  const rows = await running.settled(message_id);
  expect(rows.map(({ status }) => status)).toEqual(["sent", "sent"]);
  return message_id;
}

describe("a post that was sent", () => {
  // covers corrections: Corrected everywhere; What was corrected keeps its history; Over HTTP
  it("is made to read otherwise in every channel, and its history stays", async () => {
    const id = await posted("Скидка 10 %");
    const plan = await ask(`/messages/${id}/correct`, {
      ...{ payload: { text: "Скидка 20 %" }, reason: "ошибка в цене", dry_run: true },
    });
    expect(plan).toMatchObject({ status: 200, body: { dry_run: true, changed: 2, refused: 0 } });
    expect(await shown()).toEqual([["Скидка 10 %"], ["Скидка 10 %"]]);
    const answer = await ask(`/messages/${id.slice(0, 18)}/correct`, {
      ...{ payload: { text: "Скидка 20 %" }, reason: "ошибка в цене" },
    });
    expect(answer.body.items.map(({ action }: { action: string }) => action)).toEqual(["edit", "edit"]);
    expect(await made(id)).toMatchObject([
      { status: "done", attempt: 1, why: { reason: "done" } },
      { status: "done", attempt: 1 },
    ]);
    expect(await shown()).toEqual([["Скидка 20 % (изменено)"], ["Скидка 20 % (изменено)"]]);
    const [delivery] = (await ask(`/messages/${id}`)).body.items;
    const { body } = await ask(`/deliveries/${delivery.id}`);
    expect(body).toMatchObject({
      status: "sent",
      snippet: "Скидка 10 %",
      corrections: [{ number: 1, kind: "edit", snippet: "Скидка 20 %", reason: "ошибка в цене" }],
    });
    const actions = body.events.map(({ action }: { action: string }) => action);
    expect(actions).toEqual([
      "corrected",
      "correction_attempt",
      "correction_queued",
      "sent",
      "send_attempt",
      "enqueue",
    ]);
  });

  // covers corrections: Taken back everywhere; Withdrawn posts do not count as sent
  it("is taken back in every channel, and the same post sent again goes out", async () => {
    const id = await posted("Мероприятие отменено");
    expect(await ask(`/messages/${id}/withdraw`, { reason: "рано" })).toMatchObject({ body: { changed: 2 } });
    await made(id);
    expect(await shown()).toEqual([[], []]);
    const { body } = await ask(`/messages/${id}`);
    expect(
      body.items.every(({ withdrawn_at }: { withdrawn_at: string | null }) => withdrawn_at !== null),
    ).toBe(true);
    const again = await ask(`/messages/${id}/withdraw`, { reason: "ещё раз" });
    expect(again.body).toMatchObject({ changed: 0, refused: 0, items: [{ code: "withdrawn" }, {}] });
    const refused = await ask(`/messages/${id}/correct`, { payload: { text: "а" }, reason: "поздно" });
    expect(refused.body).toMatchObject({ changed: 0, refused: 2, items: [{ code: "withdrawn" }, {}] });
    const payload = { text: "Мероприятие отменено" };
    expect(await running.post({ payload, source_ref: "второй раз" })).toMatchObject({ queued: 2 });
    await running.settled(id);
    await until("it is there again", async () => (await shown()).every((texts) => texts.length === 1));
  });

  // covers corrections: Withdrawn posts do not count as sent
  it("and was taken back does not come back by a repeat of its request, and does by a new request", async () => {
    const post = { payload: { text: "Отозвано" }, source_ref: "повтор" };
    const { message_id: id } = await running.post(post);
    await running.settled(id);
    await ask(`/messages/${id}/withdraw`, { reason: "рано" });
    await made(id);
    expect(await running.post(post)).toMatchObject({ dropped: true, reason: "ingress_dedup_dropped" });
    expect(await running.post({ ...post, source_ref: "новый запрос" })).toMatchObject({ queued: 2 });
  });

  it("that says this already is left alone", async () => {
    const id = await posted("Всё верно");
    const { body } = await ask(`/messages/${id}/correct`, {
      payload: { text: "Всё верно" },
      reason: "проверка",
    });
    expect(body).toMatchObject({
      changed: 0,
      items: [{ action: "none", code: "unchanged" }, { code: "unchanged" }],
    });
  });

  // covers corrections: An unknown outcome is tried again
  it("is corrected once more when nobody knows whether the first attempt arrived", async () => {
    const id = await posted("Было");
    await running.fault({ provider: "telegram", method: "editMessageText" }, { kind: "drop_after" });
    await ask(`/messages/${id}/correct`, { payload: { text: "Стало" }, reason: "правка" });
    const corrections = await made(id);
    const ends = corrections.map((one: { channel: { platform: string }; status: string; attempt: number }) =>
      [one.channel.platform, one.status, one.attempt].join(" "),
    );
    expect(ends.toSorted()).toEqual(["max done 1", "telegram done 2"]);
    expect((await shown()).flat()).toEqual(["Стало (изменено)", "Стало (изменено)"]);
  });
});
