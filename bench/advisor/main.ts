import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { startChild } from "../shared/child.ts";
import { rounded } from "../shared/figures.ts";
import { bring, type Load } from "../shared/load.ts";
import { measure, spread } from "../shared/measurement.ts";
import type { Server } from "../shared/postgres.ts";
import { openService, question, type Service } from "./service.ts";

const waitingCalls = 1_000;
const perDay = 3;

/** Measures what the service adds to the model's time, whether slow models delay others, and whether quotas hold. */
export function main(args: string[]): Promise<void> {
  return measure(args, { seconds: 20, rate: 200, requests: 10_000 }, async ({ server, say, numbers }) => {
    const { seconds, rate, requests } = numbers;
    const { overhead, waiting } = await latencies(server, seconds, rate, say);
    return [
      {
        name: "overhead",
        title: `a question, ms, ${rate} a second, a model that answers at once`,
        figures: overhead,
      },
      {
        name: "waiting",
        title: `the same, ms, beside ${waitingCalls} questions whose model takes its time`,
        figures: waiting,
      },
      {
        name: "quota",
        title: `${requests} random questions to two processes`,
        figures: await quotas(server, requests, say),
      },
    ];
  });
}

async function latencies(server: Server, seconds: number, rate: number, say: (text: string) => void) {
  const load = { perSecond: rate, count: rate * seconds };
  const service = await openService(server, { processes: 1, dailyLimit: 1_000 });
  try {
    say("a bare server with as many rows and the same model …");
    const bare = await startChild(new URL("./bare-process.js", import.meta.url), {
      databaseUrl: service.databaseUrl,
      modelUrl: service.modelUrl,
    });
    const control = await paced({ ...load, headers: {}, url: bare.url }, 1);
    await bare.stop();
    const { headers, doors } = service;
    const door = { url: doors[0] ?? "", headers };
    say("questions whose model answers at once …");
    const asked = await paced({ ...load, ...door }, 10_000);
    say(`${waitingCalls} questions whose model takes its time, and others beside them …`);
    const held = hold(service, door.url, seconds + 20);
    await allWaiting(service);
    const beside = await bring({ ...load, ...door, body: (index) => question(20_000 + (index % 500)) });
    return {
      overhead: { ...spread(asked), control_p50: spread(control).p50, control_p99: spread(control).p99 },
      waiting: { ...spread(beside.latencies), waiting_answered: await held },
    };
  } finally {
    await service.stop();
  }
}

/** Latencies of questions of five hundred people, after warming up code, connections and plans. */
async function paced(load: Omit<Load, "body">, firstUser: number): Promise<readonly number[]> {
  const body = (index: number) => question(firstUser + (index % 500));
  await bring({ ...load, count: 2_000, body });
  return (await bring({ ...load, body })).latencies;
}

/** Asks questions that wait; returns how many were answered. */
async function hold({ headers }: Service, url: string, wait: number): Promise<number> {
  const dispatcher = new Agent({ connections: waitingCalls, headersTimeout: 180_000 });
  const statuses = await Promise.all(
    Array.from({ length: waitingCalls }, async (_, index) => {
      const answer = await request(url, {
        method: "POST",
        dispatcher,
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(question(30_000 + index, `Долгий вопрос, wait:${wait}`)),
      });
      await answer.body.dump();
      return answer.statusCode;
    }),
  );
  await dispatcher.close();
  return statuses.filter((status) => status === 200).length;
}

async function allWaiting({ sql }: Service): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const [row] = await sql<
      { count: number }[]
    >`select count(*)::int as count from llm.calls where status = 'reserved'`;
    if ((row?.count ?? 0) >= waitingCalls) return;
    if (Date.now() > deadline) throw new Error(`only ${row?.count} questions are with the model`);
    await delay(200);
  }
}

async function quotas(server: Server, count: number, say: (text: string) => void) {
  say(`${count} random questions to two processes …`);
  const service = await openService(server, { processes: 2, dailyLimit: perDay });
  const dispatcher = new Agent({ connections: 100 });
  try {
    const people = Math.ceil(count / 20);
    const began = performance.now();
    const tally = new Map<string, number>();
    for (let from = 0; from < count; from += 200)
      await Promise.all(
        Array.from({ length: Math.min(200, count - from) }, async () => {
          const url = service.doors[Math.floor(Math.random() * service.doors.length)] ?? "";
          const answer = await request(url, {
            method: "POST",
            dispatcher,
            headers: { "content-type": "application/json", ...service.headers },
            body: JSON.stringify(question(1 + Math.floor(Math.random() * people))),
          });
          await answer.body.dump();
          const status = String(answer.statusCode);
          tally.set(status, (tally.get(status) ?? 0) + 1);
        }),
      );
    const [row] = await service.sql<{ over: number; answered: number }[]>`
      select count(*) filter (where n > ${perDay})::int as over, sum(n)::int as answered
      from (select user_id, count(*) as n from advisor.request_dedup where status = 'done' group by user_id) u`;
    return {
      people,
      people_over_their_quota: row?.over ?? -1,
      answered: row?.answered ?? 0,
      ...Object.fromEntries([...tally].map(([status, number]) => [`status_${status}`, number])),
      per_second: rounded(count / ((performance.now() - began) / 1000), 0),
    };
  } finally {
    await dispatcher.close();
    await service.stop();
  }
}
