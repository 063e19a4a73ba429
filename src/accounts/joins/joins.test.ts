import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DoorHarness, monday, startDoorHarness } from "../../../tests/support/account-doors.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { createUseAccount } from "../use-account.ts";
import { joinNext } from "./join-next.ts";

let harness: DoorHarness;
let account: { id: string; phone: string };

beforeAll(async () => {
  harness = await startDoorHarness(await testDatabase());
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.sql`update accounts.join_tasks set status = 'failed', reason = 'cancelled' where status in ('running', 'paused', 'flood_wait')`;
  harness.clock.set(monday);
  account = await harness.aConnected();
});

/** Another process each time: nothing is remembered but in the database. */
const step = () =>
  joinNext({
    ...harness.deps,
    use: createUseAccount({ sql: harness.sql, driver: harness.twin.driver }),
    random: () => 0,
  });

let number = 0;
async function aPlace(given: Record<string, unknown> = {}): Promise<string> {
  number += 1;
  const username = `flats_${number}`;
  await harness.twin.aChat([], { title: `Квартиры ${number}`, username, ...given });
  return `https://t.me/${username}`;
}

async function aTask(links: readonly string[], mode = "safe") {
  number += 1;
  const list = await harness.call("POST", "/lists", { name: `Список ${number}`, links: links.join("\n") });
  expect(list.status).toBe(201);
  const task = await harness.call("POST", "/joins", { account_id: account.id, list_id: list.body.id, mode });
  return { ...task, list: list.body };
}

const shown = async (id: string) => (await harness.call("GET", `/joins/${id}`)).body;
const states = async (id: string) => (await shown(id)).steps.map(({ state }: { state: string }) => state);

describe("a list of chats", () => {
  it("keeps t.me links, names the other lines, and has a placeholder for each", async () => {
    const made = await harness.call("POST", "/lists", {
      name: "Аренда",
      links: "Наши чаты\nt.me/rent_a\nhttps://t.me/+AbCdEf12345\n",
    });
    expect(made.body).toMatchObject({
      owner: "anna",
      chats: 2,
      known: 0,
      ignored: [{ line: 1, text: "Наши чаты" }],
      links: [
        { place: 1, link: "https://t.me/rent_a", title: null },
        { place: 2, link: "https://t.me/+AbCdEf12345", title: null },
      ],
    });
    const changed = await harness.call("PATCH", `/lists/${made.body.id}`, {
      links: "t.me/rent_b",
      is_public: true,
    });
    expect(changed.body.links).toMatchObject([{ link: "https://t.me/rent_b" }]);
    expect(await harness.sql`select from accounts.chats where title = 'https://t.me/rent_a'`).toHaveLength(0);
  });

  it("without a link, with a name that is taken, or of somebody else is refused in words", async () => {
    expect((await harness.call("POST", "/lists", { name: "Пусто", links: "@rent" })).body).toMatchObject({
      code: "unprocessable",
      errors: [{ pointer: "/links" }],
    });
    const { id } = (await harness.call("POST", "/lists", { name: "Одна", links: "t.me/rent_c" })).body;
    expect((await harness.call("POST", "/lists", { name: "Одна", links: "t.me/rent_c" })).status).toBe(409);
    expect((await harness.call("GET", `/lists/${id}`, undefined, "boris")).body.code).toBe("not_yours");
    await harness.call("PATCH", `/lists/${id}`, { is_public: true });
    expect((await harness.call("GET", `/lists/${id}`, undefined, "boris")).status).toBe(200);
    expect((await harness.call("DELETE", `/lists/${id}`, undefined, "boris")).status).toBe(403);
    expect((await harness.call("DELETE", `/lists/${id}?dry_run=true`)).status).toBe(204);
    expect((await harness.call("DELETE", `/lists/${id}`)).status).toBe(204);
    expect((await harness.call("GET", `/lists/${id}`)).status).toBe(404);
  });
});

describe("joining a list", () => {
  // covers accounts: 16. Joining chats survives restarts and floods
  it("takes a chat at a time at the task's pace, survives any restart, and tells what remains", async () => {
    const { body: task } = await aTask([await aPlace(), await aPlace(), await aPlace()]);
    expect(task).toMatchObject({
      status: "running",
      remaining: 3,
      remaining_seconds: 3 * 650,
      waits_for: "pace",
    });
    expect(await step()).toBe(true);
    expect(await step()).toBe(false);
    expect(await states(task.id)).toEqual(["joined", "waiting", "waiting"]);
    harness.clock.advance(600_000);
    expect(await step()).toBe(false);
    harness.clock.advance(1_000);
    expect(await step()).toBe(true);
    harness.clock.advance(700_000);
    await step();
    expect(await shown(task.id)).toMatchObject({
      status: "completed",
      joined: 3,
      remaining: 0,
      remaining_seconds: 0,
    });
    const chats = await harness.call("GET", `/chats?account_id=${account.id}`);
    expect(chats.body.items).toMatchObject([{ is_active: true }, {}, {}]);
    expect(
      (await harness.sql`select from workspaces.events where action = 'account_chat_joined'`).length,
    ).toBe(3);
  });

  it("skips chats that the account is in, and is refused when that is all of them", async () => {
    const known = await aPlace();
    const first = await aTask([known]);
    await step();
    const again = await aTask([known, await aPlace()]);
    expect(again.body.steps).toHaveLength(1);
    await harness.call("POST", `/joins/${again.body.id}/cancel`);
    const none = await aTask([known]);
    expect(none).toMatchObject({ status: 400, body: { code: "join_nothing_left" } });
    expect(first.body.steps).toHaveLength(1);
  });

  // covers accounts: 16. Joining chats survives restarts and floods
  it("goes on after a minute when the account was in the chat, or the link is broken", async () => {
    const username = `mine_${number}`;
    await harness.twin.aChat([account.phone], { title: "Свой", username });
    const { body: task } = await aTask(
      [`t.me/${username}`, "t.me/nobody_here", await aPlace()],
      "aggressive",
    );
    await step();
    harness.clock.advance(60_000);
    await step();
    harness.clock.advance(60_000);
    await step();
    expect(await states(task.id)).toEqual(["member", "broken", "joined"]);
  });

  // covers accounts: 16. Joining chats survives restarts and floods
  it("waits out three floods by itself and stops at the fourth, keeping its place and time", async () => {
    const { body: task } = await aTask([await aPlace(), await aPlace()]);
    for (const _ of [1, 2, 3]) {
      await harness.twin.trouble(account.phone, { kind: "flood", method: "join", seconds: 500 });
      await step();
      expect(await shown(task.id)).toMatchObject({ status: "running", waits_for: "flood", remaining: 2 });
      harness.clock.advance(501_000);
    }
    await harness.twin.trouble(account.phone, { kind: "flood", method: "join", seconds: 500 });
    await step();
    const stopped = await shown(task.id);
    expect(stopped).toMatchObject({ status: "flood_wait", waits_for: "flood", remaining: 2, floods: 4 });
    harness.clock.advance(60_000);
    const early = await harness.call("POST", `/joins/${task.id}/continue`);
    expect(early).toMatchObject({ status: 409, body: { code: "join_flood_wait" } });
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(400);
    expect(await step()).toBe(false);

    harness.clock.advance(500_000);
    await harness.twin.twins.control("DELETE", `/telegram-account/accounts/${account.phone}/trouble`);
    expect((await harness.call("POST", `/joins/${task.id}/continue`)).body).toMatchObject({
      status: "running",
      floods: 0,
    });
    await step();
    expect(await states(task.id)).toEqual(["joined", "waiting"]);
  });

  // covers accounts: 16. Joining chats survives restarts and floods
  it("can be paused, continued, called off and taken up again where it stopped", async () => {
    const { body: task } = await aTask([await aPlace(), await aPlace()]);
    await step();
    expect((await harness.call("POST", `/joins/${task.id}/pause`)).body).toMatchObject({
      status: "paused",
      waits_for: "person",
    });
    harness.clock.advance(3_600_000);
    expect(await step()).toBe(false);
    expect((await harness.call("POST", `/joins/${task.id}/pause`)).status).toBe(409);
    await harness.call("POST", `/joins/${task.id}/continue`);
    await harness.call("POST", `/joins/${task.id}/cancel`);
    expect(await shown(task.id)).toMatchObject({ status: "failed", reason: "cancelled", remaining: 1 });
    expect(await step()).toBe(false);
    await harness.call("POST", `/joins/${task.id}/retry`);
    await step();
    expect(await shown(task.id)).toMatchObject({ status: "completed", joined: 2 });
  });

  it("waits while the account is switched off, and ends when its session is gone", async () => {
    const { body: task } = await aTask([await aPlace()]);
    await harness.call("PATCH", `/${account.id}`, { is_active: false });
    expect(await step()).toBe(false);
    expect((await shown(task.id)).waits_for).toBe("account_inactive");
    await harness.call("POST", `/${account.id}/reactivate`, {});
    await harness.twin.trouble(account.phone, { kind: "revoke" });
    await step();
    expect(await shown(task.id)).toMatchObject({ status: "failed", reason: "session_revoked" });
    expect((await harness.call("GET", `/${account.id}`)).body).toMatchObject({
      is_active: false,
      stopped_code: "session_revoked",
    });
  });

  // covers accounts: 16. Joining chats survives restarts and floods
  it("is done again by somebody else when its worker died in the middle, and joins nothing twice", async () => {
    const { body: task } = await aTask([await aPlace()]);
    await harness.sql`select accounts.take_join(300, ${harness.clock.now()})`;
    expect(await step()).toBe(false);
    harness.clock.advance(301_000);
    await step();
    expect(await shown(task.id)).toMatchObject({ status: "completed", joined: 1 });
  });

  it("keeps a chat that was joined while the task was being paused", async () => {
    const { body: task } = await aTask([await aPlace(), await aPlace()]);
    const use = createUseAccount({ sql: harness.sql, driver: harness.twin.driver });
    await joinNext({
      ...harness.deps,
      random: () => 0,
      use: (key, work) =>
        use(key, async (client) => {
          const answer = await work(client);
          await harness.call("POST", `/joins/${task.id}/pause`);
          return answer;
        }),
    });
    expect(await shown(task.id)).toMatchObject({ status: "paused", joined: 1, remaining: 1 });
  });

  it("runs once at a time for an account, and never with somebody else's", async () => {
    const { body: task, list } = await aTask([await aPlace()]);
    const wanted = { account_id: account.id, list_id: list.id };
    expect((await harness.call("POST", "/joins", wanted)).body.detail).toContain(task.id);
    expect((await harness.call("POST", "/joins", wanted, "boris")).body.code).toBe("not_yours");
    expect((await harness.call("GET", `/joins/${task.id}`, undefined, "boris")).status).toBe(403);
    expect((await harness.call("GET", "/joins", undefined, "boris")).body.items).toEqual([]);
    expect((await harness.call("GET", "/joins", undefined, "admin")).body.items.length).toBeGreaterThan(0);
  });
});

it("a status that the task may not come to is refused by the database itself", async () => {
  const { body: task } = await aTask([await aPlace()]);
  await step();
  await expect(
    harness.sql`update accounts.join_tasks set status = 'running', completed_at = null where id = ${task.id}`,
  ).rejects.toThrow("a join task cannot go from completed to running");
});
