import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { correctAddressed, withdrawAddressed } from "../addressed/index.ts";
import { aConnection, ownerOf, publish, published } from "../addressed/testing/addressed-queue.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import type { CorrectDeps } from "./correct.ts";
import { correctionsRoutes } from "./corrections-route.ts";

const clock = manualClock(new Date("2026-11-15T12:00:00Z"));
const nowhere = "http://127.0.0.1:9";

let database: TestDatabase;
let sql: Sql;
let server: TestHttpServer;
let deps: CorrectDeps;
let workspace: string;
let delivery: string;
beforeAll(async () => {
  database = await databaseWithJobs();
  ({ sql } = database);
  deps = {
    ...{ sql, clock, platforms: createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere }) },
    credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "1:x" } }) },
    providers: { request: () => Promise.reject(new Error("nobody is asked")) },
  };
  server = await startTestHttpServer({ sql, clock, modules: [correctionsRoutes(deps)] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
/** A sent post of a product's user 1. */
beforeEach(async () => {
  workspace = await aWorkspace(sql);
  const connection = await aConnection(sql, workspace, { user: "1" });
  delivery = await published(publish(sql, workspace, [connection], clock));
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${clock.now()})`;
  await sql`
    select delivery.settle_deliveries(${workspace}, (
      select jsonb_agg(jsonb_build_object('delivery_id', delivery_id, 'token', claim_token, 'kind', 'sent', 'provider_message_id', '7'))
      from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})), ${clock.now()})`;
});

const because = { reason: "ошибка" };
const count = async () =>
  (await sql`select from delivery.corrections where workspace_id = ${workspace}`).length;

describe("a product", () => {
  // covers corrections: Neither a foreign workspace nor a foreign user
  it("corrects and takes back what it published for its user", async () => {
    const post = { text: "Стало" };
    const plan = await correctAddressed(deps, workspace, ownerOf("1"), [delivery], post, {
      ...because,
      dryRun: true,
    });
    expect(plan).toMatchObject({
      dry_run: true,
      changed: 1,
      items: [{ action: "edit", correction_id: null }],
    });
    expect(await count()).toBe(0);
    const done = await correctAddressed(deps, workspace, ownerOf("1"), [delivery], post, because);
    expect(done).toMatchObject({ changed: 1, items: [{ action: "edit", delivery_id: delivery }] });
    expect(await withdrawAddressed(deps, workspace, ownerOf("1"), [delivery], because)).toMatchObject({
      items: [{ action: "remove" }],
    });
    const [row] =
      await sql`select operator from delivery.corrections where workspace_id = ${workspace} limit 1`;
    expect(row).toEqual({ operator: "press" });
  });

  // covers corrections: Neither a foreign workspace nor a foreign user
  it.each([
    ["another user's", () => ({ workspace, owner: ownerOf("2") })],
    ["another product's", () => ({ workspace, owner: { product: "other", user: "1" } })],
    ["another workspace's", async () => ({ workspace: await aWorkspace(sql), owner: ownerOf("1") })],
  ])("does not find %s post, and nothing happens to it", async (_, asked) => {
    const { workspace: where, owner } = await asked();
    const missing = { code: "not_found" };
    await expect(
      correctAddressed(deps, where, owner, [delivery], { text: "чужое" }, because),
    ).rejects.toMatchObject(missing);
    await expect(withdrawAddressed(deps, where, owner, [delivery], because)).rejects.toMatchObject(missing);
    expect(await count()).toBe(0);
  });

  it("does not find the workspace's own posts", async () => {
    await aChannel(sql, workspace);
    const [row] = await sql`
      select (delivery.enqueue_messages_and_deliveries(
        ${workspace}, null, 'webhook_push', ${sql.json({ payload: { text: "Пост" } })}, ${clock.now()})) ->> 'message_id' as id`;
    const [own] = await sql`select delivery_id from delivery.deliveries where message_id = ${row?.id}`;
    await expect(
      withdrawAddressed(deps, workspace, ownerOf("1"), [own?.delivery_id], because),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an operator", () => {
  const ask = async (path: string, body: object, headers: Record<string, string>) => {
    const answer = await server.call(`/api/v1/${path}`, { headers, body });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const edit = { payload: { text: "Стало" }, reason: "ошибка" };

  // covers corrections: Neither a foreign workspace nor a foreign user
  it("of another workspace does not find the post, over any of the paths", async () => {
    const [row] = await sql`select message_id from delivery.deliveries where delivery_id = ${delivery}`;
    const headers = await server.bearer(["read", "operate"], await aWorkspace(sql));
    for (const [path, body] of [
      [`messages/${row?.message_id}/correct`, edit],
      [`messages/${row?.message_id}/withdraw`, { reason: "ошибка" }],
      [`deliveries/${delivery}/correct`, edit],
      [`deliveries/${delivery}/withdraw`, { reason: "ошибка" }],
    ] as const)
      expect(await ask(path, body, headers), path).toMatchObject({ status: 404 });
    expect(await count()).toBe(0);
  });

  it("needs the right to operate and a reason, and may correct a product's post too", async () => {
    const reader = await server.bearer(["read"], workspace);
    expect(await ask(`deliveries/${delivery}/correct`, edit, reader)).toMatchObject({ status: 403 });
    const headers = await server.bearer(["read", "operate"], workspace);
    expect(await ask(`deliveries/${delivery}/correct`, { payload: { text: "а" } }, headers)).toMatchObject({
      status: 400,
    });
    expect(await ask(`deliveries/${delivery}/correct`, edit, headers)).toMatchObject({
      status: 200,
      body: { changed: 1, items: [{ action: "edit" }] },
    });
  });

  it("is told what is wrong with a post before anything happens", async () => {
    const headers = await server.bearer(["read", "operate"], workspace);
    const empty = await ask(`deliveries/${delivery}/correct`, { payload: {}, reason: "ошибка" }, headers);
    expect(empty).toMatchObject({ status: 400, body: { errors: [{ pointer: "/payload" }] } });
    const long = await ask(
      `deliveries/${delivery}/correct`,
      { payload: { text: "я".repeat(5_000) }, reason: "ошибка", dry_run: true },
      headers,
    );
    expect(long.body).toMatchObject({
      refused: 1,
      items: [{ action: "refused", code: "validation_failed" }],
    });
    expect(await count()).toBe(0);
  });

  it("follows the progress page by page", async () => {
    const headers = await server.bearer(["read", "operate"], workspace);
    for (const text of ["Раз", "Два", "Три"])
      await ask(
        `deliveries/${delivery.slice(0, 13)}/correct`,
        { payload: { text }, reason: "ошибка" },
        headers,
      );
    const page = async (after: string) =>
      JSON.parse(
        await (
          await server.call(`/api/v1/corrections?limit=2&delivery_id=${delivery}${after}`, { headers })
        ).text(),
      );
    const first = await page("");
    expect(first.items).toHaveLength(2);
    const rest = await page(`&after=${first.next}`);
    expect(rest).toMatchObject({ items: [{}], next: null });
    const statuses = [...first.items, ...rest.items].map(({ status }: { status: string }) => status);
    expect(statuses.toSorted()).toEqual(["queued", "superseded", "superseded"]);
  });
});
