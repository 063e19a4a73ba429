import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/until.ts";
import { createApiToken, revokeApiToken } from "../../http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { watchPlans } from "../testing/plans.ts";
import { createChangeFeed } from "./change-feed.ts";
import { streamRoutes } from "./stream-route.ts";
import { type OpenStream, openStream } from "./testing/open-stream.ts";
import { topicsOf } from "./topics.ts";

let database: TestDatabase;
let sql: Sql;
let server: TestHttpServer;
let workspace: string;
let headers: Record<string, string>;
let opened: OpenStream[] = [];

const start = () =>
  startTestHttpServer({
    sql,
    settings: { limits: { stopWithinMs: 600_000 } },
    modules: [streamRoutes({ sql, clock: systemClock, log: silentLog, everyMs: 20, beatMs: 40 })],
  });

beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
  server = await start();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(sql);
  await aChannel(sql, workspace);
  headers = await server.bearer(["read"], workspace);
});
afterEach(async () => {
  await Promise.all(opened.map((stream) => stream.close()));
  opened = [];
});

async function open(given = headers, at = server): Promise<OpenStream> {
  const stream = await openStream(at, `/api/v1/stream?workspace_id=${workspace}`, given);
  opened.push(stream);
  return stream;
}

describe("GET /stream", () => {
  it("names what changed after a post, in a form that no proxy keeps back", async () => {
    const stream = await open();
    expect(stream.answer.status).toBe(200);
    expect(Object.fromEntries(stream.answer.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    await enqueue(sql, workspace, "Новость");
    expect(await stream.next()).toEqual({
      event: "changed",
      data: { topics: ["events", "deliveries", "messages"] },
    });
  });

  it("tells an operator who is signed in, too", async () => {
    const { headers: signedIn } = await server.signedInAs({ [workspace]: "viewer" });
    const stream = await open(signedIn);
    await enqueue(sql, workspace, "Новость");
    expect(await stream.next()).toMatchObject({ event: "changed" });
  });

  it("says nothing of other workspaces, and lets nobody into them", async () => {
    const other = await aWorkspace(sql);
    await aChannel(sql, other);
    const stream = await open();
    await enqueue(sql, other, "Чужая новость");
    await sql`
      insert into workspaces.events (workspace_id, ts, action, result) values (${workspace}, now(), 'source_failed', 'error')`;
    expect(await stream.next()).toEqual({ event: "changed", data: { topics: ["events", "sources"] } });
    const refused = await server.call(`/api/v1/stream?workspace_id=${other}`, { headers });
    expect(refused.status).toBe(403);
  });

  it("sees an event whose transaction ended after a later one", async () => {
    const stream = await open();
    await sql.begin(async (tx) => {
      await tx`
        insert into workspaces.events (workspace_id, ts, action, result) values (${workspace}, now(), 'source_failed', 'error')`;
      await enqueue(sql, workspace, "Позже начата, раньше видна");
      expect(await stream.next()).toMatchObject({ data: { topics: expect.arrayContaining(["deliveries"]) } });
    });
    expect(await stream.next()).toEqual({ event: "changed", data: { topics: ["events", "sources"] } });
  });

  it("shows that it lives while nothing happens", async () => {
    expect(await (await open()).comment()).toBe(": beat");
  });

  it("ends when its token is revoked", async () => {
    const { id, token } = await createApiToken(sql, {
      ...{ name: "console", scopes: ["read"], workspaceId: workspace, createdBy: null, expiresAt: null },
      clock: systemClock,
    });
    const stream = await open({ authorization: `Bearer ${token}` });
    await revokeApiToken(sql, { id, clock: systemClock });
    expect(await stream.next()).toEqual({ event: "end", data: { reason: "access_ended" } });
    expect(await stream.next()).toBeUndefined();
  });

  it("ends when an operator signs out or loses the role", async () => {
    const leaving = await server.signedInAs({ [workspace]: "viewer" });
    const stream = await open(leaving.headers);
    await sql`delete from molva.sessions where operator_id = ${leaving.id}`;
    expect(await stream.next()).toMatchObject({ event: "end" });

    const demoted = await server.signedInAs({ [workspace]: "viewer" });
    const another = await open(demoted.headers);
    await sql`delete from molva.memberships where operator_id = ${demoted.id}`;
    expect(await another.next()).toMatchObject({ event: "end" });
  });

  it("refuses the twenty-first stream of a caller, until one is closed", async () => {
    for (let n = 0; n < 20; n++) await open();
    const refused = await server.call(`/api/v1/stream?workspace_id=${workspace}`, { headers });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "too_many_streams" });
    await opened[0]?.close();
    await eventually(async () => {
      const again = await open();
      return again.answer.status === 200;
    });
    const somebodyElse = await server.bearer(["read"], workspace);
    expect((await open(somebodyElse)).answer.status).toBe(200);
  });

  it("answers HEAD without opening a stream", async () => {
    const answer = await server.call(`/api/v1/stream?workspace_id=${workspace}`, { method: "HEAD", headers });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("");
  });

  it("does not keep a server from stopping, and says that it stops", async () => {
    const stopping = await start();
    const stream = await open(headers, stopping);
    // The server waits ten minutes for what is still open: this ends only because the stream does.
    const stopped = stopping.stop();
    expect(await stream.next()).toEqual({ event: "end", data: { reason: "server_stopping" } });
    expect(await stream.next()).toBeUndefined();
    await stopped;
  });
});

describe("a change feed", () => {
  it("follows a workspace once for all who listen, and no longer than they do", async () => {
    const feed = createChangeFeed({ sql, clock: systemClock, log: silentLog, everyMs: 20 });
    const heard: string[] = [];
    const leave = await feed.join(workspace, () => heard.push("first"));
    const leaveToo = await feed.join(workspace, () => heard.push("second"));
    expect(feed.followed()).toBe(1);
    await enqueue(sql, workspace, "Новость");
    await eventually(() => heard.length >= 2);
    expect(new Set(heard)).toEqual(new Set(["first", "second"]));
    leave();
    expect(feed.followed()).toBe(1);
    leaveToo();
    expect(feed.followed()).toBe(0);
  });

  it("goes on after the database was away, and then tells everybody to look at everything", async () => {
    let away = false;
    let failures = 0;
    const flaky = new Proxy(sql, {
      apply(target, self, args) {
        if (!away) return Reflect.apply(target, self, args);
        failures += 1;
        return Promise.reject(new Error("away"));
      },
    });
    const feed = createChangeFeed({ sql: flaky, clock: systemClock, log: silentLog, everyMs: 10 });
    const heard: (readonly string[])[] = [];
    const leave = await feed.join(workspace, (changed) => heard.push(changed));
    away = true;
    await eventually(() => failures > 0);
    away = false;
    await eventually(() => heard.length > 0);
    expect(heard[0]).toEqual(expect.arrayContaining(["deliveries", "channels", "settings"]));
    leave();
  });

  it("reads only the newest events", async () => {
    await sql`
      insert into workspaces.events (workspace_id, ts, action, result)
      select ${workspace}, now() - interval '1 hour' - n * interval '1 millisecond', 'sent', 'ok' from generate_series(1, 20000) n`;
    await sql`analyze workspaces.events`;
    const plans = await watchPlans(database.url);
    const nodes = await plans.watch(async (watched) => {
      const leave = await createChangeFeed({ sql: watched, clock: systemClock, log: silentLog }).join(
        workspace,
        () => {},
      );
      leave();
    });
    await plans.close();
    const scans = nodes.filter(({ relation }) => relation?.startsWith("events"));
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan.read).toBeLessThan(100);
  });
});

it("knows the topic of every change of the configuration by what was changed", () => {
  expect(topicsOf("config_changed", "webhook")).toEqual(["webhooks"]);
  expect(topicsOf("config_changed", "llm_policy")).toEqual(["llm"]);
  expect(topicsOf("config_changed", "seo_project")).toEqual(["seo"]);
  expect(topicsOf("config_changed", "something new")).toEqual(["settings"]);
  expect(topicsOf("an action of tomorrow", null)).toEqual([]);
});
