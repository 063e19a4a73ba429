import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { type Clock, systemClock } from "../../kernel/clock/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { leaseDueSources } from "./ledger.ts";
import { type ListingLimits, pullLimits } from "./pull-limits.ts";
import { createPuller } from "./puller.ts";
import { entries, rss } from "./testing/feed-server.ts";
import { type Harness, startHarness, type TestWorkspace } from "./testing/harness.ts";

let harness: Harness;
let workspace: TestWorkspace;
const running: Service[] = [];

beforeAll(async () => {
  harness = await startHarness(await testDatabase());
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.sql`delete from workspaces.workspaces`;
  workspace = await harness.workspace();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((puller) => puller.stop()));
});

async function startPuller(
  given: { concurrency?: number; clock?: Clock; limits?: ListingLimits } = {},
): Promise<Service> {
  const puller = createPuller({ ...harness.deps, clock: systemClock, concurrency: 4, ...given });
  await puller.start();
  running.push(puller);
  return puller;
}

/** Sources in this file use the real clock. */
async function addDue(sourceId: string, path = `/${sourceId}`, everySeconds = 3600): Promise<void> {
  harness.clock.set(new Date());
  await workspace.add(sourceId, {
    config: { url: `${harness.feeds.url}${path}`, link: "none", max_items_first_run: 100 },
    everySeconds,
  });
}

const asked = (path: string) => harness.feeds.requests.filter((request) => request.path === path).length;

describe("the puller", () => {
  // covers autoposting: Components
  it("asks a source as soon as it is added, and not again before its time", async () => {
    harness.feeds.serve("/soon", { body: rss(entries(1, 2)) });
    await startPuller();
    await addDue("soon");
    await until("the feed's items are queued", async () => (await workspace.texts()).length === 2);
    await until("the run ended", async () => !(await workspace.show("soon")).running);
    const { next_run_at, last_success_at } = await workspace.show("soon");
    expect(next_run_at.getTime() - (last_success_at?.getTime() ?? 0)).toBe(3_600_000);
    expect(asked("/soon")).toBe(1);
  });

  // covers autoposting: Pull mode
  it("is not stopped by sources that fail, hang or lie", async () => {
    harness.feeds.serve("/hangs", () => {});
    harness.feeds.serve("/lies", { body: "<rss><channel>" });
    harness.feeds.serve("/good", { body: rss(entries(1, 1)) });
    await addDue("hangs");
    await addDue("absent", "/nothing-here");
    await addDue("lies");
    await addDue("good");
    await startPuller({ concurrency: 3 });
    await until("the good one is read", async () => (await workspace.show("good")).last_success_at !== null);
    await until("the failures are reported", async () => {
      const failures = (await workspace.actions()).filter((action) => action === "source_failed");
      return failures.length === 2;
    });
  });

  it("leaves a place to others when all sources of a workspace hang", async () => {
    harness.feeds.serve("/mute", () => {});
    for (let at = 0; at < 6; at++) await addDue(`mute-${at}`, "/mute");
    await startPuller({ concurrency: 3 });
    await until("the workspace has what it can have", () => asked("/mute") === 2);
    workspace = await harness.workspace();
    harness.feeds.serve("/other", { body: rss(entries(1, 1)) });
    await addDue("other");
    await until("the other workspace is read", async () => (await workspace.texts()).length === 1);
    expect(asked("/mute")).toBe(2);
  });

  it("gives a place up when a source is not read in its time", async () => {
    harness.feeds.serve("/trickles", (_request, response) => void response.write("<rss>"));
    await addDue("trickles");
    await startPuller({ limits: { ...pullLimits.listing, wholeMs: 50 } });
    await until("the source failed", async () => (await workspace.show("trickles")).failures === 1);
    expect(await workspace.show("trickles")).toMatchObject({
      running: false,
      last_error: { code: "source_timeout" },
    });
  });

  it("never takes a source that it is reading, even when its lease has run out", async () => {
    harness.feeds.serve("/held", () => {});
    await addDue("held");
    await startPuller({ clock: harness.clock });
    await until("it is being asked", () => asked("/held") === 1);
    harness.clock.advance(3_600_000);
    harness.feeds.serve("/next", { body: rss(entries(1, 1)) });
    await workspace.add("next", { config: { url: `${harness.feeds.url}/next` } });
    await until("another round was made", async () => (await workspace.texts()).length === 1);
    expect(asked("/held")).toBe(1);
  });

  // covers autoposting: Table: pull_sources
  it("passes over disabled sources and stopped workspaces", async () => {
    for (const name of ["off", "paused", "on"]) harness.feeds.serve(`/${name}`, { body: rss(entries(1, 1)) });
    await addDue("off");
    await harness.database.sql`update delivery.pull_sources set enabled = false where source_id = 'off'`;
    const other = workspace;
    await addDue("paused");
    await harness.database.sql`
      update workspaces.workspaces set status = 'paused' where workspace_id = ${other.workspaceId}`;
    workspace = await harness.workspace();
    await addDue("on");
    await startPuller();
    await until("the enabled one is read", async () => (await workspace.show("on")).last_success_at !== null);
    expect([asked("/off"), asked("/paused")]).toEqual([0, 0]);
  });

  it("shares sources with other pullers: each is asked once", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `shared-${at}`);
    for (const name of names) {
      harness.feeds.serve(`/${name}`, { body: rss([{ id: name }]) });
      await addDue(name);
    }
    await Promise.all([startPuller(), startPuller(), startPuller()]);
    await until("all are read", async () => (await workspace.texts()).length === names.length);
    expect(names.map((name) => asked(`/${name}`))).toEqual(names.map(() => 1));
  });

  it("stops without waiting for a hanging source, and leaves it due", async () => {
    const hanging = new Promise<void>((resolve) => harness.feeds.serve("/stuck", () => resolve()));
    await addDue("stuck");
    const puller = await startPuller();
    await hanging;
    await puller.stop();
    expect(await workspace.show("stuck")).toMatchObject({
      running: false,
      failures: 0,
      last_success_at: null,
    });
  });
});

describe("a lease", () => {
  it("is given to one run at a time, and taken over when its time is up", async () => {
    harness.clock.set(new Date("2026-11-15T12:00:00Z"));
    harness.feeds.serve("/leased", { body: rss(entries(1, 1)) });
    await workspace.add("leased", { config: { url: `${harness.feeds.url}/leased` } });
    const lease = () => leaseDueSources(harness.database.sql, { all: 10, taken: [] }, harness.clock.now());
    const claims = (await Promise.all([lease(), lease(), lease()])).flat();
    expect(claims).toHaveLength(1);
    expect(await workspace.pull("leased")).toEqual({ outcome: "busy" });

    harness.clock.advance(301_000);
    const [second] = await lease();
    expect(second?.runId).not.toBe(claims[0]?.runId);
    const runs = await harness.database.sql`
      select stats_json from delivery.ingest_runs
      where workspace_id = ${workspace.workspaceId} and finished_at is not null`;
    expect(runs).toMatchObject([{ stats_json: { abandoned: true } }]);
  });

  it("that was lost lets its run write nothing more", async () => {
    harness.clock.set(new Date("2026-11-15T12:00:00Z"));
    const { sql } = harness.database;
    harness.feeds.serve("/slow", async (_request, response) => {
      // While this run waits for its answer, its lease expires and another process takes the source.
      harness.clock.advance(301_000);
      await leaseDueSources(sql, { all: 10, taken: [] }, harness.clock.now());
      response.end(rss(entries(1, 3)));
    });
    await workspace.add("slow", { config: { url: `${harness.feeds.url}/slow` } });
    expect(await workspace.pull("slow")).toMatchObject({ outcome: "interrupted" });
    expect(await workspace.texts()).toEqual([]);
    expect(await workspace.show("slow")).toMatchObject({ running: true, cursor: {} });
  });
});
