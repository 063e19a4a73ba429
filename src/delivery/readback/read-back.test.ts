import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { type ReadBackHarness, readBackHarness } from "../../../tests/support/read-back/harness.ts";
import { pngOf } from "../../../twins/wordpress/testing.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { connect, type Sql, type Transaction } from "../../kernel/db/index.ts";
import {
  aConnection,
  publish,
  published as publishedTo,
  told,
} from "../addressed/testing/addressed-queue.ts";
import { showDelivery } from "../deliveries/index.ts";
import { findTroubles } from "../monitor/findings.ts";
import { runMonitor } from "../monitor/run-monitor.ts";
import { monitorDeps } from "../monitor/testing/monitor-deps.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { followPage, type ReadBackDeps, wakePages } from "./page-task.ts";

let database: TestDatabase;
let sql: Sql;
let harness: ReadBackHarness;
let workspace: string;
const clock = manualClock(new Date("2026-11-17T12:00:00Z"));

beforeAll(async () => {
  database = await databaseWithJobs();
  ({ sql } = database);
  harness = await readBackHarness(sql, clock, () => workspace);
});
afterAll(async () => {
  await harness.close();
  await database.drop();
});
beforeEach(async () => {
  clock.set(new Date("2026-11-17T12:00:00Z"));
  workspace = await aWorkspace(sql);
  await harness.wordpress.change({ maintenance: "none", moved_to: null, registered_meta: [] });
});

/** The first reading, when it is due. */
async function read(delivery: string, deps: ReadBackDeps = harness.deps): Promise<void> {
  clock.advance(6_000);
  await followPage(workspace, delivery, deps);
}

interface Noted {
  readonly action: string;
  readonly result: string;
  readonly codes: readonly string[];
}

/** The events of the page, oldest first. */
async function noted(delivery: string): Promise<Noted[]> {
  const rows = await sql<{ action: string; result: string; findings: { code: string }[] }[]>`
    select action, result, meta -> 'findings' as findings from workspaces.events
    where workspace_id = ${workspace} and delivery_id = ${delivery} and action like 'page%' order by ts`;
  return rows.map(({ action, result, findings }) => ({
    action,
    result,
    codes: findings.map(({ code }) => code),
  }));
}

const faulty = (...codes: string[]) => [{ action: "page_checked", result: "error", codes }];
const inOrder = [{ action: "page_checked", result: "ok", codes: [] }];

/** When the jobs of a delivery's page will run. */
async function jobs(delivery: string): Promise<Date[]> {
  const rows = await sql<{ run_at: Date }[]>`
    select j.run_at from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'delivery.page' and j.payload ->> 'delivery_id' = ${delivery} order by j.id`;
  return rows.map(({ run_at }) => run_at);
}

const shown = (delivery: string) => showDelivery(sql, workspace, delivery, clock.now());

describe("a published page is opened as readers open it", () => {
  // covers readback: A page in order is told so
  it("and a page with its title, its headings and its pictures is in order", async () => {
    await harness.channel();
    const uploaded = await harness.wordpress.upload(pngOf(8, 8), "stol.png");
    const delivery = await harness.published({ pictures: [uploaded.body.source_url] });
    expect(await jobs(delivery)).toEqual([new Date(clock.now().getTime() + 5_000)]);
    await read(delivery);
    expect(await noted(delivery)).toEqual(inOrder);
    const detail = await shown(delivery);
    expect(detail?.page).toMatchObject({ step: "done", in_order: true, findings: [] });
    expect(detail?.why.details.page).toMatchObject({ in_order: true });
  });

  // covers readback: What readers must not see is found
  it("and the style sheet and data that an author's role leaves standing are found", async () => {
    await harness.channel({ decorated: true });
    const delivery = await harness.published({ as: "author" });
    await read(delivery);
    expect(await noted(delivery)).toEqual(faulty("code_visible"));
    const page = (await shown(delivery))?.page;
    expect(page).toMatchObject({ in_order: false, findings: [{ code: "code_visible" }] });
    expect(page?.findings[0]?.message).toMatch(/^Readers see code as text: .*toc/);
  });

  it("and the same page of an administrator, whose style sheet the site keeps, is in order", async () => {
    await harness.channel({ decorated: true });
    const delivery = await harness.published({ as: "admin" });
    await read(delivery);
    expect(await noted(delivery)).toEqual(inOrder);
  });

  // covers readback: What keeps search engines out is found
  it("and one that search engines are told to leave out is found", async () => {
    await harness.wordpress.change({ registered_meta: ["_yoast_wpseo_meta-robots-noindex"] });
    await harness.channel({ noindex: true });
    const delivery = await harness.published();
    await read(delivery);
    expect(await noted(delivery)).toEqual(faulty("noindex"));
  });

  it("and one that does not name the original that was asked for is found", async () => {
    await harness.channel();
    const delivery = await harness.published({ canonical_url: "https://original.example/stol" });
    await read(delivery);
    expect(await noted(delivery)).toEqual(faulty("canonical_differs"));
  });

  it("and an original that the site cannot name, as was told when it was published, is no finding", async () => {
    await harness.channel({ tells_losses: true });
    const delivery = await harness.published({ canonical_url: "https://original.example/stol" });
    await read(delivery);
    expect(await noted(delivery)).toEqual(inOrder);
    expect((await shown(delivery))?.losses).toMatchObject([{ code: "original_untold" }]);
  });

  // covers readback: Nothing leads inside
  it("and a redirect to a private address is not followed", async () => {
    await harness.channel();
    const delivery = await harness.published();
    await harness.wordpress.change({ moved_to: "http://10.0.0.1" });
    await read(delivery);
    expect(await noted(delivery)).toEqual(faulty("refused"));
    expect((await shown(delivery))?.page?.findings[0]?.message).toContain("10.0.0.1 is not a public address");
  });
});

describe("a page that is not there yet", () => {
  // covers readback: What may pass is looked at again
  it("is opened again after growing pauses, and told when its tries are used up", async () => {
    await harness.channel();
    const missing = `${harness.wordpress.home}/wp-content/uploads/2026/11/absent.png`;
    const delivery = await harness.published({ pictures: [missing] });
    await read(delivery);
    const pauses: number[] = [];
    for (let tries = 1; tries < 6; tries++) {
      const next = (await jobs(delivery)).at(-1);
      if (!next) throw new Error("no further try");
      pauses.push((next.getTime() - clock.now().getTime()) / 1000);
      clock.set(next);
      await followPage(workspace, delivery, harness.deps);
    }
    expect(pauses).toEqual([30, 120, 600, 1_800, 7_200]);
    const again = { action: "page_check_retry", result: "error", codes: ["picture_broken"] };
    expect(await noted(delivery)).toEqual([again, again, again, again, again, ...faulty("picture_broken")]);
    expect(await jobs(delivery)).toHaveLength(6);
  });

  it("is in order as soon as the site is back", async () => {
    await harness.channel();
    const delivery = await harness.published();
    await harness.wordpress.change({ moved_to: `${harness.wordpress.url}/wordpress/nowhere` });
    await read(delivery);
    expect(await noted(delivery)).toEqual([
      { action: "page_check_retry", result: "error", codes: ["status"] },
    ]);
    expect((await shown(delivery))?.page).toMatchObject({ step: "read", findings: [{ code: "status" }] });
    await harness.wordpress.change({ moved_to: null });
    clock.advance(30_000);
    await followPage(workspace, delivery, harness.deps);
    expect((await noted(delivery)).slice(1)).toEqual(inOrder);
  });

  // covers readback: Drafts and future posts are left alone
  it("is not opened before its time: a post for tomorrow", async () => {
    const tomorrow = "2026-11-18T09:00:00";
    await harness.channel({ status: "future", date_gmt: tomorrow });
    const delivery = await harness.published();
    expect(await jobs(delivery)).toEqual([new Date(`${tomorrow}.000Z`.replace(":00.000", ":05.000"))]);
    await read(delivery);
    expect(await noted(delivery)).toEqual([]);
    clock.set(new Date(`${tomorrow}Z`));
    await read(delivery);
    expect(await noted(delivery)).toEqual(inOrder);
  });

  it("is not opened at all while it is a draft", async () => {
    await harness.channel({ status: "draft" });
    const delivery = await harness.published();
    expect(await jobs(delivery)).toEqual([]);
    expect((await shown(delivery))?.page).toBeNull();
  });
});

describe("what is wrong", () => {
  const pageFaults = async () =>
    (await findTroubles(sql, workspace, {}, clock.now()))
      .flatMap(({ findings }) => findings)
      .filter(({ reason }) => reason === "page_faults");

  // covers readback: What is wrong is told to whom it concerns
  it("is an alert for the operator, with the channel and the first fault", async () => {
    await harness.channel({ decorated: true });
    await read(await harness.published({ as: "author" }));
    clock.advance(60_000);
    expect(await pageFaults()).toMatchObject([
      { count: 1, examples: [{ count: 1, channel: "Сайт", code: "code_visible" }] },
    ]);
    const monitor = monitorDeps({ sql, clock });
    onTestFinished(() => monitor.close());
    const run = await runMonitor(monitor.deps, { workspaceId: workspace });
    expect(run.alerts.reasons).toContain("page_faults");
  });

  it("is no alert when all is in order", async () => {
    await harness.channel();
    await read(await harness.published());
    expect(await pageFaults()).toEqual([]);
  });

  // covers readback: What is wrong is told to whom it concerns
  it("is told to the product whose post it is, once, and not to the operator", async () => {
    const connection = await aConnection(sql, workspace, {
      platform: "site",
      target_id: harness.wordpress.home,
    });
    const delivery = await publishedTo(
      publish(sql, workspace, [connection], clock, { platforms: harness.deps.platforms }),
    );
    expect(await harness.send()).toEqual([delivery]);
    await harness.wordpress.change({ moved_to: "http://10.0.0.1" });
    await read(delivery);
    expect(await pageFaults()).toEqual([]);
    expect(await told(sql, workspace)).toMatchObject([
      { outcome: "sent", times_told: 1, page: null },
      { outcome: "sent", times_told: 2, error: null, page: { findings: [{ code: "refused" }] } },
    ]);
  });
});

describe("whoever reads it", () => {
  /** Counts the requests for the page itself. */
  function counting(): { asked: () => number; deps: ReadBackDeps } {
    let asked = 0;
    const { guarded } = harness.deps;
    const request: typeof guarded.request = (given) => {
      asked++;
      return guarded.request(given);
    };
    return { asked: () => asked, deps: { ...harness.deps, guarded: { ...guarded, request } } };
  }

  // covers readback: Once, whoever dies
  it("two processes read it once", async () => {
    await harness.channel();
    const delivery = await harness.published();
    const { asked, deps } = counting();
    clock.advance(6_000);
    await Promise.all([1, 2, 3].map(() => followPage(workspace, delivery, deps)));
    await followPage(workspace, delivery, deps);
    expect(asked()).toBe(1);
    expect(await noted(delivery)).toEqual(inOrder);
  });

  // covers readback: Once, whoever dies
  it("a process that dies between taking and settling loses nothing, and what it says too late is not heard", async () => {
    await harness.channel();
    const delivery = await harness.published();
    clock.advance(6_000);
    const take = () =>
      sql<{ try: number }[]>`select try from delivery.take_page(${workspace}, ${delivery}, ${clock.now()})`;
    const [dead] = await take();
    expect(dead).toEqual({ try: 1 });
    expect(await take()).toEqual([]);
    const before = (await jobs(delivery)).length;
    clock.advance(4 * 60_000);
    await wakePages(harness.deps);
    expect(await jobs(delivery)).toHaveLength(before);
    clock.advance(2 * 60_000);
    await wakePages(harness.deps);
    await wakePages(harness.deps);
    expect(await jobs(delivery)).toHaveLength(before + 1);
    await followPage(workspace, delivery, harness.deps);
    const [late] = await sql`
      select delivery.settle_page_read(${workspace}, ${delivery}, 1, '[{"code": "noindex", "message": "?"}]', false, ${clock.now()}) as said`;
    expect(late).toEqual({ said: null });
    expect(await noted(delivery)).toEqual(inOrder);
  });

  it("a settlement that does not commit makes that nothing is read", async () => {
    const page = { public_from: clock.now().toISOString() };
    const settling = sql.begin(async (tx) => {
      await settledBy(tx, { url: "https://shop.example/a/", page });
      expect(await tx`select from delivery.page_checks where workspace_id = ${workspace}`).toHaveLength(1);
      throw new Error("change of mind");
    });
    await expect(settling).rejects.toThrow("change of mind");
    expect(await sql`select from delivery.page_checks where workspace_id = ${workspace}`).toHaveLength(0);
  });

  it("a page whose channel is deleted meanwhile is forgotten", async () => {
    const channel = await harness.channel();
    const delivery = await harness.published();
    await sql`delete from delivery.channels where workspace_id = ${workspace} and channel_id = ${channel}`;
    await read(delivery);
    expect(await noted(delivery)).toEqual([]);
    expect(await sql`select from delivery.page_checks where workspace_id = ${workspace}`).toHaveLength(0);
  });
});

describe("a correction of the post", () => {
  /** Completes a correction in the database; the site itself was changed by hand. */
  async function corrected(delivery: string, kind: "edit" | "remove"): Promise<void> {
    const [row] = await sql`
      select rendered_text as text, render_meta as meta from delivery.deliveries
      where workspace_id = ${workspace} and delivery_id = ${delivery}`;
    const items = [{ delivery_id: delivery, ...(kind === "edit" && { text: row?.text, meta: row?.meta }) }];
    await sql`
      select delivery.enqueue_corrections(${workspace}, ${kind}, ${sql.json({ text: "Стало" })},
        ${sql.json(items)}, 'анна', 'ошибка', ${clock.now()})`;
    const [started] = await sql`
      select correction_id, claim_token as token from delivery.start_corrections(${workspace}, 'run', 1, ${clock.now()})`;
    const ended = [{ ...started, kind: "sent", meta: {}, message_ids: ["1"] }];
    await sql`select delivery.settle_corrections(${workspace}, ${sql.json(ended)}, ${clock.now()})`;
  }

  it("has the page read once more", async () => {
    await harness.channel();
    const delivery = await harness.published();
    await read(delivery);
    await corrected(delivery, "edit");
    await read(delivery);
    expect(await noted(delivery)).toEqual([...inOrder, ...inOrder]);
  });

  it("that takes it back ends the looking", async () => {
    await harness.channel();
    const delivery = await harness.published();
    await corrected(delivery, "remove");
    await read(delivery);
    expect(await noted(delivery)).toEqual([]);
    expect((await shown(delivery))?.page).not.toHaveProperty("in_order");
  });
});

/** Settles a post as sent with this answer of its platform, in one connection or transaction. */
async function settledBy(through: Sql | Transaction, meta: object): Promise<void> {
  await aChannel(sql, workspace);
  await enqueue(sql, workspace, `Пост ${JSON.stringify(meta)}`, { now: clock.now() });
  await through`select delivery.claim_deliveries(${workspace}, 'run', 10, ${clock.now()})`;
  const started = await through<{ delivery_id: string; claim_token: string }[]>`
    select * from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})`;
  const outcomes = started.map(({ delivery_id, claim_token: token }) => ({
    ...{ delivery_id, token, kind: "sent", provider_message_id: "1", meta },
  }));
  await through`
    select * from delivery.settle_deliveries(${workspace}, ${JSON.stringify(outcomes)}::text::jsonb, ${clock.now()})`;
}

// covers readback: Other platforms pay nothing
it("a post that is no page calls nothing of this", async () => {
  const watching = connect({ url: database.url, max: 1 });
  onTestFinished(() => watching.end());
  await watching`set track_functions = 'all'`;
  const called = async () => {
    await watching`select pg_stat_force_next_flush()`;
    const rows = await watching<{ name: string }[]>`
      select funcname as name from pg_stat_user_functions where schemaname = 'delivery' and funcname = 'expect_page'`;
    return rows.map(({ name }) => name);
  };
  await settledBy(watching, { url: "https://t.me/c/1/1" });
  const [plain] = await sql`select status from delivery.deliveries where workspace_id = ${workspace}`;
  expect(plain).toEqual({ status: "sent" });
  expect(await called()).toEqual([]);
  workspace = await aWorkspace(sql);
  await settledBy(watching, {
    url: "https://shop.example/a/",
    page: { public_from: clock.now().toISOString() },
  });
  expect(await called()).toEqual(["expect_page"]);
});
