import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ArticleBot, startArticleBot } from "../../../tests/support/seo-article-bot.ts";
import type { SeoPerson } from "../../../tests/support/seo-bot.ts";
import { type PostWorld, postWorld, type Shop } from "../../../tests/support/seo-bot-posts.ts";
import { until } from "../../../tests/support/until.ts";
import { readAutopublication } from "./autopublications.ts";
import { fireSlot } from "./driver.ts";
import { type SchedulePlace, saveSchedule } from "./schedules.ts";
import { weekdays } from "./times.ts";

/** Work is cut off five seconds earlier, and two are left for the rest. */
const limitSeconds = 15;

let bot: ArticleBot;
let world: PostWorld;
/** Prepared before the first restart, which ends the services that prepare. */
let finished: Awaited<ReturnType<typeof aScheduled>>;
let cutOff: typeof finished;
let ordered: Shop;
beforeAll(async () => {
  const environment = { RAILWAY_GRACEFUL_SHUTDOWN_TIMEOUT: String(limitSeconds) };
  bot = await startArticleBot({ business: false, environment });
  world = await postWorld(bot);
  const { person, categoryId, connections } = await world.aShop();
  finished = await aScheduled(person, { categoryId, connectionId: connections.telegram ?? 0 });
  const business = await bot.aBusiness();
  cutOff = await aScheduled(business.person, business);
  ordered = await world.aShop();
});
afterAll(() => bot?.close());
afterEach(() => bot.control("DELETE", "/faults"));

/** A place with a schedule, whose text `fire` has written. */
async function aScheduled(person: SeoPerson, place: SchedulePlace) {
  const whose = { workspaceId: bot.workspaceId, userId: person.id };
  const plan = { days: weekdays, times: ["10:00"] };
  const { id: scheduleId } = await saveSchedule(bot.services, whose, place, plan);
  const slot = { workspaceId: bot.workspaceId, scheduleId, localDate: "2026-01-05", slot: "10:00" };
  const balance = await person.balance();
  return {
    ...{ person, balance, now: () => readAutopublication(bot.sql, slot) },
    fire: () => fireSlot(bot.sql, slot, new Date()),
  };
}

const runsOf = (userId: number) => bot.sql<{ status: string; attempts: number }[]>`
  select status, attempts from seo.runs where user_id = ${userId} and kind in ('article', 'social_post')`;

/** How much was paid by how many runs, how often it was published. */
async function booksOf(userId: number) {
  const [books] = await bot.sql`
    select (select count(distinct run)::int from billing.holds h join seo.runs r on r.id::text = h.run
        where h.user_id = ${userId} and r.kind in ('article', 'social_post')) as runs,
      (select sum(amount)::int from billing.holds where user_id = ${userId} and state <> 'returned') as tokens,
      (select count(*)::int from seo.publication_logs where user_id = ${userId}) as published,
      (select count(*)::int from delivery.deliveries d join seo.platform_connections c using (workspace_id, channel_id)
        join seo.projects p on p.id = c.project_id where p.user_id = ${userId} and d.status = 'sent') as sent`;
  return books;
}

describe("A process that is asked to stop", () => {
  it("finishes what it writes if it can, and the next one need not begin it again", async () => {
    await bot.running.fault({ provider: "openrouter" }, { kind: "delay", ms: 300 }, 3);
    const { person, balance, now, fire } = finished;
    await fire();
    await until("it is being written", async () => (await runsOf(person.id))[0]?.status === "running");
    await bot.running.restart(async () => {
      // Its delivery may be left to the next process; its text is not.
      expect(await runsOf(person.id)).toEqual([
        { status: expect.stringMatching(/^(publishing|done)$/), attempts: 1 },
      ]);
      expect(await now()).toMatchObject({ state: expect.stringMatching(/^publish/), tries: 0 });
    });
    await until("it is published", async () => (await now())?.state === "published");
    const tokens = balance - (await person.balance());
    expect(await booksOf(person.id)).toEqual({ runs: 1, tokens, published: 1, sent: 1 });
  });

  it("is cut off at its limit, on whatever it works; the next one goes on, and all is published and paid once", async () => {
    await bot.running.fault({ provider: "openrouter" }, { kind: "hang" }, 1_000);
    const scheduled = cutOff;
    await scheduled.fire();
    await world.orderPosts(ordered, 1);
    const people = [scheduled.person.id, ordered.person.id];
    await until("both wait for a model that does not answer", async () => {
      const statuses = (await Promise.all(people.map(runsOf))).flat().map(({ status }) => status);
      const hung = (await bot.running.journal()).filter(({ status }) => status === "hung");
      return statuses.join() === "running,running" && hung.length >= 2;
    });
    const began = performance.now();
    let tookMs = Number.POSITIVE_INFINITY;
    await bot.running.restart(async () => {
      tookMs = performance.now() - began;
      // Given back, not left to the end of its lease, and not counted as a try.
      for (const id of people) expect(await runsOf(id)).toEqual([{ status: "queued", attempts: 0 }]);
      expect(await scheduled.now()).toMatchObject({ state: "waiting", tries: 0, attempt: 0 });
      await bot.control("DELETE", "/faults");
    });
    expect(tookMs).toBeLessThan(limitSeconds * 1_000);
    await until("it is published", async () => (await scheduled.now())?.state === "published");
    await until(
      "the post waits for its person",
      async () => (await runsOf(ordered.person.id))[0]?.status === "review",
    );
    const tokens = scheduled.balance - (await scheduled.person.balance());
    expect(await booksOf(scheduled.person.id)).toEqual({ runs: 1, tokens, published: 1, sent: 1 });
    expect(await booksOf(ordered.person.id)).toMatchObject({ runs: 1 });
    // It is told after it is published.
    await scheduled.person.sees("Автопубликация");
    const reports = (await scheduled.person.rests()).filter(({ text }) => text.includes("Автопубликация"));
    expect(reports).toHaveLength(1);
  });
});
