import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLedger } from "../../src/billing/index.ts";
import { aPerson, findingsIn } from "../../src/billing/testing/builders.ts";
import { demo } from "../../src/delivery/index.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { silentLog as log } from "../../src/kernel/log/index.ts";
import { createSystem } from "../../src/main.ts";
import { configFrom } from "../../src/modules.ts";
import { anEmptyMachine, keys, type Machine, machineOn } from "../support/backup-harness.ts";
import { fillEveryStore, type Kept } from "../support/every-store.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

/** A machine that is lost while it works, and another one that takes over from its backup. */

const home = tempFolder("lost-machine");
const place = tempFolder("backups");
let lost: RunningSystem;
let next: Machine;
let kept: Kept[];
/** Posts that were answered before the backup began, and all that were answered at all. */
let before: ReadonlySet<string>;
const accepted = new Set<string>();
let waitingChannel: string;

beforeAll(async () => {
  lost = await startSystem({ environment: { ...keys, MOLVA_HOME: home }, bots: false });
  const { sql } = lost.database;
  // Three channels are enough; the last one takes nothing for a while, so that something waits at the moment of the backup.
  const channels = await sql<{ channel_id: string }[]>`
    select channel_id from delivery.channels where platform = 'telegram' order by channel_id limit 3`;
  waitingChannel = channels[2]?.channel_id ?? "";
  await sql`update delivery.workspace_endpoints set ingress_rps = 0`;
  await sql`
    update delivery.channels set rate_rps = 50, route_filter = null, enabled = channel_id in ${sql(channels.map((one) => one.channel_id))},
      paused_until = case when channel_id = ${waitingChannel} then now() + interval '1 hour' end`;
  const core = await machineOn(lost.database, {}, home).core();
  kept = await fillEveryStore(core);
  await core.close();

  const stop = new AbortController();
  const senders = Array.from({ length: 4 }, (_, sender) => keepPosting(sender, stop.signal));
  const moving = keepMovingTokens(sql, stop.signal);
  await until("posts come in", () => accepted.size >= 8);
  before = new Set(accepted);
  const backup = await machineOn(lost.database, {}, home).molva("backup", place, "--json");
  await until("posts came in meanwhile", () => accepted.size > before.size + 8);
  stop.abort();
  await Promise.all([...senders, moving]);
  expect({ code: backup.code, err: backup.err }).toEqual({ code: 0, err: "" });

  next = await anEmptyMachine({ MOLVA_ENV: "development" });
  const restored = await next.molva("restore", place, "--yes");
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: "" });
}, 300_000);
afterAll(async () => {
  await lost?.stop();
  await next?.drop();
});

async function keepPosting(sender: number, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const { message_id } = await lost.post({
      payload: { text: `Отправитель ${sender}, запись ${n}` },
    });
    accepted.add(message_id);
    // A slow machine takes longer for its backup, and should not get more posts for that.
    await delay(n < 10 ? 30 : 500);
  }
}

async function keepMovingTokens(sql: Sql, signal: AbortSignal): Promise<void> {
  const userId = await aPerson(sql, demo.workspaceId);
  const ledger = createLedger(sql, clock);
  for (let n = 0; !signal.aborted; n++) {
    const hold = { workspaceId: demo.workspaceId, run: `run-${n}`, step: "text" };
    await ledger.hold({ ...hold, userId, operation: "text_generation", tokens: 1 });
    if (n % 2 === 0) await ledger.settle(demo.workspaceId, hold.run, "published");
    await delay(30);
  }
}

const deliveriesOf = (sql: Sql) =>
  sql<{ delivery_id: string; message_id: string; channel_id: string; status: string; attempt: number }[]>`
    select delivery_id, message_id, channel_id, status, attempt from delivery.deliveries order by delivery_id`;

describe("a backup that was made while posts came in", () => {
  it("has every post that was accepted before it, none that was not, and each with all its deliveries", async () => {
    const there = await next.database.sql<{ message_id: string }[]>`select message_id from delivery.messages`;
    const restored = new Set(there.map(({ message_id }) => message_id));
    for (const message of before) expect(restored).toContain(message);
    const known = await lost.database.sql<{ message_id: string }[]>`select message_id from delivery.messages`;
    const all = new Set(known.map(({ message_id }) => message_id));
    for (const message of restored) expect(all).toContain(message);

    const [then, now] = [await deliveriesOf(next.database.sql), await deliveriesOf(lost.database.sql)];
    const wanted = now
      .filter(({ message_id }) => restored.has(message_id))
      .map(({ delivery_id }) => delivery_id);
    expect(then.map(({ delivery_id }) => delivery_id)).toEqual(wanted);
    // Attempts only grow, and what had been sent then is sent now.
    const later = new Map(now.map((delivery) => [delivery.delivery_id, delivery]));
    for (const { delivery_id, attempt, status } of then) {
      expect(later.get(delivery_id)?.attempt).toBeGreaterThanOrEqual(attempt);
      if (status === "sent") expect(later.get(delivery_id)?.status).toBe("sent");
    }
  });

  it("has books that balance", async () => {
    const { sql } = next.database;
    const [moved] = await sql<[{ holds: number }]>`select count(*)::int as holds from billing.holds`;
    expect(moved.holds).toBeGreaterThan(0);
    expect(await findingsIn(sql, demo.workspaceId, clock.now())).toEqual([]);
    // Nothing was received without leaving its event, and no event is of a post that is not there.
    const [lone] = await sql<[{ count: number }]>`
      select count(*)::int as count from workspaces.events e
      where e.message_id is not null and not exists (select from delivery.messages m where m.message_id = e.message_id)`;
    expect(lone.count).toBe(0);
  });

  it("has everything that was stored encrypted, and the files", async () => {
    const core = await next.core();
    const lasting = kept.filter(
      ({ store }) => !["accounts being connected", "Telegraph token of previews"].includes(store),
    );
    for (const { store, secret, read } of lasting) expect(await read(core), store).toBe(secret);
    await core.close();
  });

  it("starts nothing before it is released, then goes on with what waited", async () => {
    const { sql } = next.database;
    expect(await next.molva("serve")).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not released yet"),
    });
    expect(await next.molva("restore", "release")).toMatchObject({ code: 0 });
    const waiting = await sql`
      select from delivery.deliveries where channel_id = ${waitingChannel} and status = 'queued'`;
    expect(waiting.length).toBeGreaterThanOrEqual(before.size);
    await sql`update delivery.channels set paused_until = null where channel_id = ${waitingChannel}`;
    const lostClaims = await sql<{ claim_token: string }[]>`
      select claim_token from delivery.deliveries where status in ('claimed', 'sending')`;
    const environment = {
      ...next.environment,
      MOLVA_SEND_TIMEOUT_SECONDS: "1",
      MOLVA_SENDING_LEASE_SECONDS: "5",
    };
    const system = await createSystem({
      ...{
        config: configFrom(environment),
        environment,
        databaseUrl: next.database.url,
        log,
        twinsUrl: lost.twinsUrl,
      },
      roles: ["dispatcher", "monitor", "jobs"],
    });
    await system.start();
    try {
      await until("every delivery that waited is sent", async () => {
        const [open] = await sql<[{ count: number }]>`
          select count(*)::int as count from delivery.deliveries
          where channel_id = ${waitingChannel} and status not in ('sent', 'failed_permanent', 'dead')`;
        return open.count === 0;
      });
      const ended =
        await sql`select distinct status from delivery.deliveries where channel_id = ${waitingChannel}`;
      expect(ended).toEqual([{ status: "sent" }]);
      await until("nothing is left with the processes of the lost machine", async () => {
        const still = await sql`
          select from delivery.deliveries where claim_token = any (${lostClaims.map(({ claim_token }) => claim_token)})`;
        return still.length === 0;
      });
    } finally {
      await system.stop();
    }
  });
});
