import { measureLatency } from "../latency/measure.ts";
import { median, rounded } from "../shared/figures.ts";
import { enqueueCalls } from "../shared/molva.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { type Server, startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";
import { bullmq, redisPresent } from "./contestants/bullmq.ts";
import { type Contestant, deliveriesOf, type Load } from "./contestants/contestant.ts";
import { graphileBatched, graphileDefault, graphileTuned } from "./contestants/graphile-worker.ts";
import { drainHarness, enqueueMolva, enqueueOnHarness, molva } from "./contestants/molva.ts";
import { enqueuePgBoss, pgBossBatched, pgBossLoops } from "./contestants/pg-boss.ts";
import { type History, prepareHistory } from "./history.ts";
import { settings } from "./settings.ts";

const parts = ["drain", "enqueue", "history", "latency"] as const;
type Part = (typeof parts)[number];

const contestants: readonly Contestant[] = [
  molva,
  pgBossBatched,
  pgBossLoops,
  graphileDefault,
  graphileTuned,
  graphileBatched,
  ...(redisPresent ? [bullmq] : []),
];

/** Deliveries per second of every round, by who did what. */
type Runs = Record<string, number[]>;

interface Plan {
  readonly load: Load;
  readonly rounds: number;
  readonly history: History;
  readonly posts: number;
  readonly parts: readonly Part[];
}

/** Compares Molva with other queues on one PostgreSQL in one run: a table, and with --json one last line of JSON. */
export async function main(args: string[]): Promise<void> {
  const { plan, json } = planOf(args);
  const say = reporter(json);
  const server = await startServer();
  const runs: Runs = {};
  const note = (name: string, seconds: number) => {
    const rate = deliveriesOf(plan.load) / seconds;
    runs[name] = [...(runs[name] ?? []), rate];
    say(`  ${name}: ${Math.round(rate).toLocaleString("en")}/s`);
  };

  try {
    if (plan.parts.includes("drain")) await warmUp(server, plan);
    for (let round = 0; round < plan.rounds; round++) {
      say(`Round ${round + 1} of ${plan.rounds}`);
      if (plan.parts.includes("drain")) await drainRound(server, plan, round, note);
      if (plan.parts.includes("enqueue")) await enqueueRound(server, plan, round, note);
    }
    if (plan.parts.includes("history")) await historyRounds(server, plan, say, note);
    const latency = plan.parts.includes("latency")
      ? await measureLatency(server, plan.posts, say)
      : undefined;

    const ratios = ratiosOf(runs);
    say(`\n${table([["deliveries/s", "median", "rounds"], ...rowsOf(runs)])}`);
    say(`\n${table([["ratio", "×"], ...Object.entries(ratios)])}`);
    if (latency) say(`\n${table([["latency, ms", ""], ...Object.entries(latency)])}`);
    if (json) console.log(JSON.stringify({ ratios, latency_ms: latency, runs, plan }));
  } finally {
    await server.stop();
  }
}

function planOf(args: string[]): { plan: Plan; json: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      deliveries: { type: "string" },
      rounds: { type: "string" },
      history: { type: "string" },
      only: { type: "string" },
    },
  });
  const { quick } = values;
  const channels = 40;
  const deliveries = numberOf("deliveries", values.deliveries, quick ? 4_000 : 50_000);
  const only = values.only?.split(",") ?? parts;
  const unknown = only.find((name) => !parts.some((part) => part === name));
  if (unknown) throw new Error(`--only takes ${parts.join(", ")}, not ${unknown}`);
  return {
    json: values.json,
    plan: {
      load: { posts: Math.ceil(deliveries / channels), channels },
      rounds: numberOf("rounds", values.rounds, quick ? 1 : 3),
      history: {
        deliveries: numberOf("history", values.history, quick ? 20_000 : 2_000_000),
        otherChannels: quick ? 100 : 9_960,
      },
      posts: quick ? 20 : 200,
      parts: parts.filter((part) => only.includes(part)),
    },
  };
}

type Note = (name: string, seconds: number) => void;

/** Warms up the code and the server's log files; not counted. */
async function warmUp(server: Server, { load }: Plan): Promise<void> {
  for (const contestant of contestants) {
    const url = await server.database();
    await contestant.drain(url, { ...load, posts: Math.ceil(load.posts / 10) });
    await server.drop(url);
  }
}

/** Each round another contestant begins, so that the order does not matter. */
async function drainRound(server: Server, { load }: Plan, round: number, note: Note): Promise<void> {
  for (const contestant of rotated(contestants, round)) {
    const url = await server.database();
    note(`drain ${contestant.name}`, await contestant.drain(url, load));
    await server.drop(url);
  }
}

async function enqueueRound(server: Server, { load }: Plan, round: number, note: Note): Promise<void> {
  const doors = { Molva: enqueueMolva, "pg-boss bulk": enqueuePgBoss };
  for (const callers of settings.enqueueConnections) {
    for (const [name, enqueue] of rotated(Object.entries(doors), round)) {
      const url = await server.database();
      note(`enqueue ${name}, ${callers} connections`, await enqueue(url, load, callers));
      await server.drop(url);
    }
  }
}

/** One database for all rounds: each round adds a little history for the next. */
async function historyRounds(
  server: Server,
  { load, rounds, history }: Plan,
  say: (text: string) => void,
  note: Note,
): Promise<void> {
  say(`Writing a history of ${history.deliveries.toLocaleString("en")} deliveries`);
  const callers = Math.max(...settings.enqueueConnections);
  const url = await server.database();
  const harness = await prepareHistory(url, load.channels, history, settings.molva.connections);
  for (let round = 0; round < rounds; round++) {
    await server.settle();
    const calls = await enqueueCalls(harness, load.posts, 1 + round * load.posts);
    note("enqueue Molva with history", await enqueueOnHarness(harness, calls, callers));
    note("drain Molva with history", await drainHarness(harness, deliveriesOf(load)));
  }
  await harness.close();
  await server.drop(url);
}

function ratiosOf(runs: Runs): Record<string, number> {
  const rate = (name: string) => median(runs[name] ?? []);
  const best = (name: string) =>
    Math.max(
      ...settings.enqueueConnections.map((callers) => rate(`enqueue ${name}, ${callers} connections`)),
    );
  const most = Math.max(...settings.enqueueConnections);
  const drain = rate("drain Molva");
  const all = {
    drain_vs_pgboss_batched: drain / rate("drain pg-boss batched"),
    drain_vs_pgboss_own_loops: drain / rate("drain pg-boss, loops of our own"),
    drain_vs_graphile_default: drain / rate(`drain ${graphileDefault.name}`),
    drain_vs_graphile_many_at_once: drain / rate(`drain ${graphileTuned.name}`),
    drain_vs_graphile_batched: drain / rate("drain graphile-worker batched"),
    drain_vs_bullmq: drain / rate("drain BullMQ"),
    enqueue_vs_pgboss_bulk: best("Molva") / best("pg-boss bulk"),
    enqueue_vs_pgboss_bulk_one_caller: best("Molva") / rate("enqueue pg-boss bulk, 1 connections"),
    drain_with_history: rate("drain Molva with history") / drain,
    enqueue_with_history: rate("enqueue Molva with history") / rate(`enqueue Molva, ${most} connections`),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, ratio]) => (Number.isFinite(ratio) ? [[name, rounded(ratio)]] : [])),
  );
}

function rowsOf(runs: Runs): (string | number)[][] {
  return Object.entries(runs).map(([name, rates]) => [
    name,
    Math.round(median(rates)),
    rates.map((rate) => Math.round(rate)).join(" "),
  ]);
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return list.map((_, index) => list[(index + by) % list.length]).filter((item) => item !== undefined);
}
