import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type QStashHarness, qstashHarness } from "../../../tests/support/qstash-harness.ts";
import { type ArticleBot, startArticleBot } from "../../../tests/support/seo-article-bot.ts";
import { until } from "../../../tests/support/until.ts";
import { demoAccount } from "../../../twins/qstash/store.ts";
import type { Json } from "../../../twins/qstash/testing.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { jobRoutes, storedSlots } from "../jobs/index.ts";
import { drivenSchedules } from "../schedules/driver.ts";
import { generationsAtOnce } from "../schedules/ends.ts";
import { createOwnClock } from "../schedules/own-driver.ts";
import { saveSchedule } from "../schedules/schedules.ts";
import { weekdays } from "../schedules/times.ts";
import { netAfterMs } from "./driver.ts";
import { remoteSlots } from "./remote-slots.ts";

describe("A slot that found all places taken, by all of QStash's retries", () => {
  let bot: ArticleBot;
  /** Another process that takes QStash's calls; it waits for a place as shortly as can be. */
  let server: TestHttpServer;
  beforeAll(async () => {
    bot = await startArticleBot({ business: false });
    await bot.control("PATCH", "/qstash/options", { held: true });
    const { sql, clock, keyValue } = bot.core;
    const signingKeys = Object.values(demoAccount.keys);
    const deps = {
      ...{ sql, clock, keyValue, signingKeys, slots: storedSlots(sql), waits: { mostMs: 0 } },
      ...{ cleanUp: async () => ({}), notify: async () => ({}) },
      get publicUrl() {
        return server.url();
      },
    };
    server = await startTestHttpServer({ sql, clock, modules: [jobRoutes(deps)] });
  });
  afterAll(async () => {
    await server?.stop();
    await bot?.close();
  });

  const run = async () => {
    const { sent } = await bot.control<{ sent: Json[] }>("POST", "/qstash/run", { all: true });
    return sent.map(({ status }) => status);
  };
  const rows = (scheduleId: number) => bot.sql<{ state: string; attempt: number; tries: number }[]>`
    select state, attempt, tries from seo.autopublications where schedule_id = ${scheduleId}`;

  /** Slots of somebody else in every place; returns what sets them free. */
  async function allPlacesTaken() {
    const other = await bot.aBusiness();
    const { id } = await saveSchedule(bot.services, other.whose, other, {
      ...{ days: weekdays, times: ["06:00"] },
    });
    await bot.sql`
      insert into seo.autopublications
        (workspace_id, schedule_id, local_date, slot, user_id, state, due_at, not_before, fired_at, token, leased_until)
      select ${bot.workspaceId}, ${id}, date '2026-01-01' + day, '06:00', ${other.whose.userId}, 'generating', now(), now(), now(),
        gen_random_uuid(), now() + interval '1 hour'
      from generate_series(1, ${generationsAtOnce}) day`;
    return async () => {
      await bot.sql`delete from seo.autopublications where schedule_id = ${id}`;
      await bot.sql`select pg_notify('seo_autopublications', '')`;
    };
  }

  // covers seo: F10
  it("is kept and published once when a place is free, however late QStash comes back to it", async () => {
    const { person, whose, categoryId, connectionId } = await bot.aBusiness();
    const before = await person.balance();
    const { id: scheduleId } = await saveSchedule(
      bot.services,
      whose,
      { categoryId, connectionId },
      {
        ...{ days: weekdays, times: ["10:00"] },
      },
    );
    const freePlaces = await allPlacesTaken();
    const [schedule] = await drivenSchedules(bot.sql, bot.sql`s.id = ${scheduleId}`);
    const [remote] = schedule ? remoteSlots(schedule, server.url()) : [];
    const path = `${bot.running.twinsUrl}/qstash/v2/publish/${remote?.destination}`;
    await fetch(path, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${demoAccount.token}`, "content-type": "application/json" },
        "upstash-retries": String(remote?.retries),
      },
      body: JSON.stringify(remote?.body),
    });
    const answers = [];
    for (let sent = await run(); sent.length > 0; sent = await run()) answers.push(...sent);
    expect(answers).toEqual([503, 503, 503, 503]);
    const { dead } = await bot.control<Json>("GET", "/qstash/messages");
    expect(dead).toHaveLength(1);
    expect(await rows(scheduleId)).toEqual([{ state: "waiting", attempt: 0, tries: 0 }]);
    expect(await scheduleOf(scheduleId)).toEqual({ enabled: true, status: "active", errors: 0 });

    await freePlaces();
    await until("it is published", async () => (await rows(scheduleId))[0]?.state === "published");
    // An operator sends the dead message again.
    await fetch(`${bot.running.twinsUrl}/qstash/v2/dlq/retry/${dead[0].dlqId}`, {
      ...{ method: "POST", headers: { authorization: `Bearer ${demoAccount.token}` } },
    });
    expect(await run()).toEqual([200]);
    expect(await rows(scheduleId)).toEqual([{ state: "published", attempt: 0, tries: 0 }]);
    const told = await person.sees("Автопубликация: статья на");
    expect(told.text).toContain(`Списано: ${before - (await person.balance())} ток`);
    const [{ published, paid }] = await bot.sql<[{ published: number; paid: number }]>`
      select (select count(*)::int from seo.publication_logs where user_id = ${person.id}) as published,
        (select count(distinct run)::int from billing.holds where user_id = ${person.id}) as paid`;
    expect([published, paid]).toEqual([1, 1]);
  });

  async function scheduleOf(id: number) {
    const [row] = await bot.sql<{ enabled: boolean; status: string; errors: number }[]>`
      select enabled, status, errors from seo.platform_schedules where id = ${id}`;
    return row;
  }
});

describe("A slot that an error of ours kept from being stored, by all of QStash's retries", () => {
  let harness: QStashHarness;
  beforeAll(async () => {
    harness = await qstashHarness({ waits: { mostMs: 0 } });
  });
  afterAll(() => harness?.close());

  it("is fired by Molva's own clock after them, once; the schedule is not blamed for it", async () => {
    const { sql, clock } = harness;
    clock.set(new Date("2026-11-16T06:59:00Z"));
    const schedule = await harness.schedule();
    await harness.driver.arrange(schedule);
    const net = createOwnClock({ sql, clock, log: silentLog, lateMs: netAfterMs });
    const looks = async () => {
      while ((await net.round()) === 0);
    };
    await sql.unsafe(`
      create function seo.refuse_slot() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
      create trigger refuse_slot before insert on seo.autopublications for each row execute function seo.refuse_slot()`);
    const statuses = [];
    for (const pauseMs of [60_000, 12_000, 148_000, 1_808_000]) {
      clock.advance(pauseMs);
      statuses.push(...(await harness.run()).map(({ status }) => status));
    }
    expect(statuses).toEqual([500, 500, 500, 500]);
    expect((await harness.control("GET", "/messages")).dead).toHaveLength(1);
    await sql`drop trigger refuse_slot on seo.autopublications`;
    await looks();
    const slots = () => sql<{ slot: string; state: string }[]>`
      select local_date || ' ' || slot as slot, state from seo.autopublications where schedule_id = ${schedule.scheduleId}`;
    expect(await slots()).toEqual([]);
    clock.set(new Date(Date.parse("2026-11-16T07:00:00Z") + netAfterMs));
    await looks();
    await looks();
    expect(await slots()).toEqual([{ slot: "2026-11-16 10:00", state: "waiting" }]);
    const [kept] = await sql`
      select enabled, status, errors from seo.platform_schedules where id = ${schedule.scheduleId}`;
    expect(kept).toEqual({ enabled: true, status: "active", errors: 0 });
    expect(harness.told).toEqual([]);
  });
});
