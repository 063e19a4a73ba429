import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { startChild } from "../shared/child.ts";
import { percentile, rounded } from "../shared/figures.ts";
import { bring } from "../shared/load.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { type Server, startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";
import { openService, question, type Service } from "./service.ts";

const perSecond = 200;
const waitingCalls = 1_000;
const perDay = 3;

/** What the service adds to the model's time, whether waiting models hold others up, and whether quotas hold. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      seconds: { type: "string" },
      requests: { type: "string" },
    },
  });
  const say = reporter(values.json);
  const seconds = numberOf("seconds", values.seconds, 20);
  const requests = numberOf("requests", values.requests, 10_000);
  const server = await startServer();
  try {
    const { overhead, waiting } = await latencies(server, seconds, say);
    const quota = await quotas(server, requests, say);
    say(
      `\n${table([[`a question, ms, ${perSecond} a second, a model that answers at once`, ""], ...Object.entries(overhead)])}`,
    );
    say(
      `\n${table([[`the same, ms, beside ${waitingCalls} questions whose model takes its time`, ""], ...Object.entries(waiting)])}`,
    );
    say(`\n${table([[`${requests} random questions to two processes`, ""], ...Object.entries(quota)])}`);
    if (values.json) console.log(JSON.stringify({ overhead, waiting, quota }));
  } finally {
    await server.stop();
  }
}

async function latencies(server: Server, seconds: number, say: (text: string) => void) {
  say("a bare HTTP server …");
  const load = { perSecond, count: perSecond * seconds };
  const bare = await startChild(new URL("../latency/bare-server.js", import.meta.url), {});
  const control = await bring({ ...load, headers: {}, url: bare.url, body: (index) => question(index + 1) });
  await bare.stop();
  const service = await openService(server, { processes: 1, dailyLimit: 1_000 });
  try {
    const url = service.doors[0] ?? "";
    const { headers } = service;
    // Compiled, connected and planned before the clock starts.
    await bring({ url, headers, perSecond: 50, count: 300, body: (index) => question(index + 1) });
    say("questions whose model answers at once …");
    const asked = await bring({ ...load, url, headers, body: (index) => question(10_000 + (index % 500)) });
    const overhead = {
      ...figures(asked.latencies),
      control_p99: rounded(percentile(control.latencies, 0.99)),
    };
    say(`${waitingCalls} questions whose model takes its time, and others beside them …`);
    const held = hold(service, url, seconds + 20);
    await allWaiting(service);
    const beside = await bring({ ...load, url, headers, body: (index) => question(20_000 + (index % 500)) });
    const answered = await held;
    return { overhead, waiting: { ...figures(beside.latencies), waiting_answered: answered } };
  } finally {
    await service.stop();
  }
}

/** Asks questions that wait; how many were answered in the end. */
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

function figures(values: readonly number[]) {
  return {
    p50: rounded(percentile(values, 0.5)),
    p99: rounded(percentile(values, 0.99)),
    max: rounded(Math.max(...values)),
    questions: values.length,
  };
}
