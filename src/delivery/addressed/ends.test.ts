import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { connect, type Sql } from "../../kernel/db/index.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import type { DeliveryEnd } from "./delivery-end.ts";
import { aConnection, publish, published, told } from "./testing/addressed-queue.ts";

let database: TestDatabase;
/** The connection pool of the tests; a test that kills connections has a pool of its own. */
let sql: Sql;
let clock: ManualClock;
let workspace: string;
let connection: string;
beforeAll(async () => {
  database = await databaseWithJobs();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ({ sql } = database);
  clock = manualClock(new Date("2026-11-15T12:00:00Z"));
  workspace = await aWorkspace(database.sql);
  connection = await aConnection(database.sql, workspace);
});

const aPost = (given: Parameters<typeof publish>[4] = {}) =>
  published(publish(sql, workspace, [connection], clock, given));
const ends = () => told(sql, workspace);

interface Held {
  readonly delivery_id: string;
  readonly token: string;
}

async function sending(): Promise<Held> {
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${clock.now()})`;
  const [started] = await sql<{ delivery_id: string; claim_token: string }[]>`
    select * from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})`;
  if (!started) throw new Error("nothing could be started");
  return { delivery_id: started.delivery_id, token: started.claim_token };
}

async function settle(outcome: object): Promise<void> {
  await sql`select * from delivery.settle_deliveries(
    ${workspace}, ${JSON.stringify([outcome])}::text::jsonb, ${clock.now()})`;
}

const arrived = { kind: "sent", provider_message_id: "42", meta: { url: "https://t.me/c/1/42" } };
const failure = (category: string, scope: string, code: string) => ({
  kind: "failed",
  error: { category, scope, code, message: "площадка не приняла" },
});

/** Each way in which a delivery can end, and what its product is told. */
const ways: Readonly<Record<string, { end: () => Promise<void>; hears: Partial<DeliveryEnd> }>> = {
  "it was sent": {
    end: async () => settle({ ...(await sendingOne()), ...arrived }),
    hears: { outcome: "sent", url: "https://t.me/c/1/42", provider_message_id: "42", error: null },
  },
  "it was found after its outcome was unknown": {
    end: async () => {
      await settle({ ...(await sendingOne()), kind: "unknown", error: { code: "timeout", message: "?" } });
      clock.advance(700_000);
      await settle({ ...(await sending()), ...arrived, reconciled: "found" });
    },
    hears: { outcome: "sent", in_doubt: false },
  },
  "it was refused for good": {
    end: async () => settle({ ...(await sendingOne()), ...failure("PERMANENT", "delivery", "bad_request") }),
    hears: {
      outcome: "failed",
      in_doubt: false,
      error: { code: "bad_request", message: "площадка не приняла" },
    },
  },
  "its connection was refused": {
    end: async () => settle({ ...(await sendingOne()), ...failure("PERMANENT", "channel", "unauthorized") }),
    hears: { outcome: "failed", error: { code: "unauthorized", message: "площадка не приняла" } },
  },
  "its attempts were used up": {
    end: async () => {
      await aPost();
      for (let attempt = 1; attempt <= 5; attempt++) {
        await settle({ ...(await sending()), ...failure("TRANSIENT", "delivery", "timeout") });
        clock.advance(700_000);
      }
    },
    hears: { outcome: "dead", in_doubt: false, error: { code: "timeout", message: "площадка не приняла" } },
  },
  "its process died with the last attempt": {
    end: async () => {
      await sendingOne();
      await sql`update delivery.deliveries set attempt = 5 where workspace_id = ${workspace}`;
      clock.advance(301_000);
      await sql`select * from delivery.recover_leases(p_now => ${clock.now()})`;
    },
    hears: { outcome: "dead", in_doubt: true },
  },
  "an operator called it off": {
    end: async () => {
      const id = await aPost();
      await sql`select * from delivery.cancel(${workspace}, ${[id]}, 'op', 'ошибка', ${clock.now()})`;
    },
    hears: { outcome: "cancelled", in_doubt: false },
  },
  "an operator called it off while it may have arrived": {
    end: async () => {
      const held = await sendingOne();
      await settle({ ...held, kind: "unknown", error: { code: "timeout", message: "?" } });
      await sql`
        select * from delivery.cancel(${workspace}, ${[held.delivery_id]}, 'op', 'ошибка', ${clock.now()})`;
    },
    hears: { outcome: "cancelled", in_doubt: true },
  },
  "it grew too old": {
    end: async () => {
      await sql`update delivery.channels set max_age_seconds = 60 where channel_id = ${connection}`;
      await aPost();
      clock.advance(61_000);
      await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${clock.now()})`;
    },
    hears: { outcome: "stale_dropped" },
  },
  "its channel was deleted": {
    end: async () => {
      await aPost();
      await sql`
        select * from delivery.delete_channel(${workspace}, ${connection}, true, 'op', 'не нужен', ${clock.now()})`;
    },
    hears: { outcome: "channel_deleted", in_doubt: false },
  },
  "its channel was deleted by plain SQL while it was being sent": {
    end: async () => {
      await sendingOne();
      await sql`delete from delivery.channels where channel_id = ${connection}`;
    },
    hears: { outcome: "channel_deleted", in_doubt: true },
  },
  "the channel cannot take such a post": {
    end: async () => {
      await sql`update delivery.channels set send_mode = 'media' where channel_id = ${connection}`;
      await aPost();
    },
    hears: { outcome: "refused", error: { code: "validation_failed", message: expect.any(String) } },
  },
  "its connection had failed before": {
    end: async () => {
      await sql`
        update delivery.channels set connection_state = 'error', connection_error = '{"code": "unauthorized", "message": "отозван"}'
        where channel_id = ${connection}`;
      await aPost();
    },
    hears: {
      outcome: "refused",
      error: { code: "connection_error", message: expect.stringContaining("отозван") },
    },
  },
};

async function sendingOne(): Promise<Held> {
  await aPost();
  return sending();
}

describe("the product of an addressed post is told its end once", () => {
  // covers addressed: Every end is told once
  it.each(Object.entries(ways))("when %s", async (_, { end, hears }) => {
    await end();
    expect(await ends()).toEqual([
      expect.objectContaining({
        workspace_id: workspace,
        channel_id: connection,
        run: "run",
        times_told: 1,
        ...hears,
      }),
    ]);
  });

  it("when it is stored as a repeat of another, which only plain SQL does", async () => {
    const id = await aPost();
    await sql`
      with copy as (
        insert into delivery.addressed_deliveries (workspace_id, delivery_id, channel_id, product, user_id, run, step, task, given)
        select workspace_id, '00000000-0000-7000-8000-000000000001', channel_id, product, user_id, run, 'copy', task, given
        from delivery.addressed_deliveries where delivery_id = ${id}
      )
      insert into delivery.deliveries (workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, status, addressed)
      select workspace_id, '00000000-0000-7000-8000-000000000001', message_id, channel_id, hash_version, content_hash, 'deduped', true
      from delivery.deliveries where delivery_id = ${id}`;
    expect(await ends()).toEqual([
      expect.objectContaining({ outcome: "deduped", step: "copy", error: null }),
    ]);
  });

  it("with what it gave for it, and the tries that its task asks for", async () => {
    const id = await aPost({ hold: "удержание-7" });
    await sql`select * from delivery.cancel(${workspace}, ${[id]}, 'op', 'ошибка', ${clock.now()})`;
    const [job] = await sql`
      select payload -> 'given' as given, max_attempts from graphile_worker._private_jobs
      where payload -> 'end' ->> 'delivery_id' = ${id}`;
    expect(job).toMatchObject({ given: { hold: "удержание-7" }, max_attempts: 7 });
  });

  it("and the trail says that it was told", async () => {
    const id = await aPost();
    clock.advance(1_000);
    await sql`select * from delivery.cancel(${workspace}, ${[id]}, 'op', 'ошибка', ${clock.now()})`;
    const events = await sql`
      select action, meta from workspaces.events where workspace_id = ${workspace} and delivery_id = ${id} order by ts, id`;
    expect(events.map(({ action }) => action)).toEqual(["enqueue", "cancelled", "product_told"]);
    expect(events[2]?.meta).toMatchObject({ product: "press", outcome: "cancelled", times_told: 1 });
  });
});

// covers addressed: Every end is told once
it.each(Object.entries(ways))(
  "an end that did not commit is not told: a process that is killed when %s leaves neither",
  async (_, { end }) => {
    const own = await databaseWithJobs();
    onTestFinished(() => own.drop());
    workspace = await aWorkspace(own.sql);
    connection = await aConnection(own.sql, workspace);
    // Killed at the commit, the last possible moment.
    await own.sql`create function molva.killed_here() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`;
    await own.sql`create constraint trigger killed_here after insert or update on delivery.addressed_deliveries
      deferrable initially deferred for each row when (new.told is not null) execute function molva.killed_here()`;
    sql = connect({ url: own.url, max: 1 });
    await expect(end()).rejects.toThrow(/terminating connection|CONNECTION/);
    await sql.end({ timeout: 1 });

    ({ sql } = own);
    expect(await ends()).toEqual([]);
    const left = await sql<{ status: string }[]>`select status from delivery.deliveries`;
    // Either nothing was published, or the deliveries are still on their way.
    for (const { status } of left) expect(["queued", "claimed", "sending", "retry"]).toContain(status);
    const promises = await sql<{ told: string | null }[]>`select told from delivery.addressed_deliveries`;
    expect(promises).toEqual(left.map(() => ({ told: null })));
  },
);

describe("an operator who sends again what has ended", () => {
  const requeue = (id: string) => sql<{ refusal: string | null }[]>`
    select refusal from delivery.requeue(${workspace}, ${[id]}, 'op', 'ещё раз', ${clock.now()})`;
  const again = async (outcome: object) => settle({ ...(await sending()), ...outcome });

  // covers addressed: Every end is told once
  it("has the product told a second time when it ends otherwise", async () => {
    const held = await sendingOne();
    await settle({ ...held, ...failure("PERMANENT", "delivery", "bad_request") });
    expect(await requeue(held.delivery_id)).toEqual([{ refusal: null }]);
    await again(arrived);
    expect((await ends()).map(({ outcome, times_told }) => [outcome, times_told])).toEqual([
      ["failed", 1],
      ["sent", 2],
    ]);
  });

  // covers addressed: Every end is told once
  it("has it told nothing when it ends as before", async () => {
    const held = await sendingOne();
    await settle({ ...held, ...failure("PERMANENT", "delivery", "bad_request") });
    await requeue(held.delivery_id);
    await again(failure("PERMANENT", "delivery", "bad_request"));
    expect((await ends()).map(({ outcome }) => outcome)).toEqual(["failed"]);
  });

  it("does so one by one: recovering what failed leaves products' posts alone", async () => {
    const held = await sendingOne();
    await settle({ ...held, ...failure("PERMANENT", "platform", "forbidden") });
    const since = new Date("2026-11-15T00:00:00Z");
    expect(
      await sql`select * from delivery.recover(${workspace}, ${since}, null, 'op', 'починили', p_now => ${clock.now()})`,
    ).toEqual([]);
    expect(await requeue(held.delivery_id)).toEqual([{ refusal: null }]);
  });

  it("is refused while the connection has not been renewed", async () => {
    const held = await sendingOne();
    await settle({ ...held, ...failure("PERMANENT", "channel", "unauthorized") });
    expect(await requeue(held.delivery_id)).toEqual([
      { refusal: expect.stringContaining("connection has failed") },
    ]);
    await sql`select delivery.connection_works(${workspace}, ${connection}, 'test', ${clock.now()})`;
    expect(await requeue(held.delivery_id)).toEqual([{ refusal: null }]);
  });
});

describe("the same run and step", () => {
  // covers addressed: A repeat is known by its run and step
  it("published twice is one delivery, whatever the second post says, and is told once", async () => {
    const first = await publish(sql, workspace, [connection], clock, { step: "a" });
    const second = await publish(sql, workspace, [connection], clock, { step: "a", text: "Другой" });
    expect(first).toMatchObject({ repeated: false, deliveries: [{ status: "queued" }] });
    expect(second).toEqual({ ...first, repeated: true });
    await settle({ ...(await sending()), ...arrived });
    const third = await publish(sql, workspace, [connection], clock, { step: "a" });
    expect(third).toMatchObject({ repeated: true, deliveries: [{ status: "sent" }] });
    expect(await ends()).toHaveLength(1);
  });

  // covers addressed: A repeat is known by its run and step
  it("published by several at once is one delivery", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => publish(sql, workspace, [connection], clock, { step: "a" })),
    );
    expect(new Set(answers.map((each) => JSON.stringify("deliveries" in each && each.deliveries))).size).toBe(
      1,
    );
    expect(answers.filter((each) => "repeated" in each && !each.repeated)).toHaveLength(1);
  });

  it("still answers with the first when its channel was switched off meanwhile", async () => {
    const first = await publish(sql, workspace, [connection], clock, { step: "a" });
    await sql`select delivery.disable_channel(${workspace}, ${connection}, 'op', 'стоп', ${clock.now()})`;
    expect(await publish(sql, workspace, [connection], clock, { step: "a" })).toEqual({
      ...first,
      repeated: true,
    });
  });

  it("of another step is another post, though it says the same", async () => {
    const one = await aPost();
    const other = await aPost();
    expect(other).not.toBe(one);
    const statuses = await sql`select status from delivery.deliveries where workspace_id = ${workspace}`;
    expect(statuses.map(({ status }) => status)).toEqual(["queued", "queued"]);
  });
});

it("a workspace that is deleted tells nobody", async () => {
  await aPost();
  await sql`delete from workspaces.workspaces where workspace_id = ${workspace}`;
  expect(await ends()).toEqual([]);
  expect(await sql`select from delivery.addressed_deliveries where workspace_id = ${workspace}`).toHaveLength(
    0,
  );
});

// covers addressed: Every end is told once
it("the end of a plain delivery calls nothing of this", async () => {
  const counting = connect({ url: database.url, max: 1 });
  onTestFinished(() => counting.end());
  await counting`set track_functions = 'all'`;
  sql = counting;
  const calls = async () => {
    await counting`select pg_stat_force_next_flush()`;
    const rows = await counting<{ name: string }[]>`
      select funcname as name from pg_stat_user_functions where schemaname = 'delivery' and funcname in ('tell_end', 'tell_product')`;
    return rows.map(({ name }) => name).sort();
  };
  await aChannel(sql, workspace);
  await enqueue(sql, workspace, "Обычный", { now: clock.now() });
  await settle({ ...(await sending()), ...arrived });
  const [plain] = await sql`select status from delivery.deliveries where workspace_id = ${workspace}`;
  expect(plain).toEqual({ status: "sent" });
  expect(await calls()).toEqual([]);
  await settle({ ...(await sendingOne()), ...arrived });
  expect(await calls()).toEqual(["tell_end", "tell_product"]);
});
