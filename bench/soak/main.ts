import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { startTwinsProcess } from "../shared/child.ts";
import { rounded } from "../shared/figures.ts";
import { fillQueue } from "../shared/fill-queue.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";
import { chartOf } from "./chart.ts";
import { misbehave } from "./faults.ts";
import { prepareSoak, type SoakHarness } from "./harness.ts";
import { keepPosting } from "./post.ts";
import { forgetOld } from "./retention.ts";
import { createSampler, type Sample } from "./sample.ts";
import { startMolva } from "./system.ts";
import { verdictOf } from "./verdict.ts";

const sampleEveryMs = 10_000;
/** Long enough for the queue's code and caches to be warm, and short beside the soak itself. */
const capacityDeliveries = 12_000;

/** Runs at half of the machine's capacity, for long, with faulty messengers: does anything grow? */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      minutes: { type: "string" },
      rate: { type: "string" },
      chart: { type: "string" },
    },
  });
  const say = reporter(values.json);
  const minutes = numberOf("minutes", values.minutes, 30);
  const server = await startServer({ checkpoint_timeout: "5min", max_wal_size: "1GB", min_wal_size: "80MB" });
  const opened: { stop(): Promise<void> }[] = [server];
  try {
    const twins = await startTwinsProcess({ rateLimits: false, chatBurst: 1 });
    opened.push(twins);
    const harness = await prepareSoak(await server.database(), twins.url);
    opened.push({ stop: harness.close });
    const molva = await startMolva(harness.url, twins.url);
    opened.push(molva);

    const capacity = await measureCapacity(harness);
    const rate = numberOf("rate", values.rate, capacity / 2);
    say(
      `Capacity ${Math.round(capacity)} deliveries/s; soaking at ${Math.round(rate)} for ${minutes} minutes`,
    );
    await misbehave(twins.url);
    const samples = await soak({ harness, molvaUrl: molva.url, minutes, rate, say });
    const verdict = verdictOf(samples);
    say(`\n${table([["soak", ""], ...Object.entries(verdict)])}`);
    writeFileSync(values.chart ?? join(projectRoot, "docs", "reference", "soak.svg"), chartOf(samples));
    if (values.json)
      console.log(
        JSON.stringify({ minutes, capacity: rounded(capacity, 0), rate: rounded(rate, 0), ...verdict }),
      );
  } finally {
    for (const each of opened.toReversed()) await each.stop();
  }
}

/** Deliveries per second while a queue is sent as fast as it goes. */
async function measureCapacity({ sql, workspaceId, channels, notify }: SoakHarness): Promise<number> {
  await fillQueue(sql, workspaceId, Math.ceil(capacityDeliveries / channels));
  await sql`analyze delivery.deliveries`;
  const began = performance.now();
  await notify();
  for (;;) {
    const [row] = await sql<[{ left: number }]>`
      select count(*)::int as left from delivery.deliveries
      where workspace_id = ${workspaceId} and status in ('queued', 'claimed', 'sending', 'retry')`;
    if (row.left === 0) return capacityDeliveries / ((performance.now() - began) / 1_000);
    await delay(100);
  }
}

interface SoakPlan {
  readonly harness: SoakHarness;
  readonly molvaUrl: string;
  readonly minutes: number;
  readonly rate: number;
  say(text: string): void;
}

async function soak({ harness, molvaUrl, minutes, rate, say }: SoakPlan): Promise<Sample[]> {
  const posting = keepPosting(molvaUrl, harness.secret, rate / harness.channels);
  const sample = createSampler(harness, molvaUrl);
  const samples: Sample[] = [];
  const end = performance.now() + minutes * 60_000;
  try {
    while (performance.now() < end) {
      await delay(sampleEveryMs);
      await forgetOld(harness.sql, harness.workspaceId);
      const taken = await sample();
      samples.push(taken);
      say(
        `  ${Math.round(taken.seconds)} s: ${taken.sentPerSecond}/s, p99 ${taken.p99Ms} ms, ${taken.memoryMb} MB, ` +
          `tables ${taken.tablesMb} MB, ${taken.deadRows} dead rows, ${taken.waiting} waiting`,
      );
    }
  } finally {
    await posting.stop();
  }
  return samples;
}
