import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { createDispatcher } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createPlatforms } from "../../src/platforms/index.ts";
import { rounded } from "../shared/figures.ts";
import { prepareStand } from "../shared/molva.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";

/** Channels at these rates, all at once, against a server that refuses any arrival sooner than 1/rate after the last. */
const rates = [1, 2, 5, 10];

interface Arrivals {
  taken: number[];
  refused: number;
}

/** What each channel's server saw: the achieved part of its rate, and its refusals. */
export interface RateResult {
  readonly rate: number;
  readonly achieved: number;
  readonly refused: number;
}

export async function main(args: string[]): Promise<void> {
  const results = await measureRates(Number(args.find((arg) => /^\d+$/.test(arg)) ?? 60));
  if (args.includes("--json")) return console.log(JSON.stringify({ rates: results }));
  console.log(
    table([
      ["posts a second", "achieved / asked", "answered 429"],
      ...results.map(({ rate, achieved, refused }) => [String(rate), achieved, refused]),
    ]),
  );
}

export async function measureRates(seconds: number): Promise<RateResult[]> {
  const arrivals = new Map(rates.map((rate) => [String(rate), { taken: [], refused: 0 } as Arrivals]));
  const provider = await startStrictServer(arrivals);
  const server = await startServer();
  const stand = await prepareStand(await server.database(), 0);
  const { sql, workspaceId } = stand;
  for (const rate of rates) {
    await sql`
      insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, rate_rps, max_parallel, route_filter)
      values (${workspaceId}, 'telegram', ${String(rate)}, 'bench', ${`group ${rate}`}, ${rate}, 1, ${sql.json({ include_any: [`rate${rate}`] })})`;
    for (let post = 0; post < rate * (seconds + 5); post++) {
      const raw = { payload: { text: `Пост ${post} для ${rate}` }, tags: [`rate${rate}`] };
      await sql`select delivery.enqueue_messages_and_deliveries(${workspaceId}, null, 'webhook_push', ${sql.json(raw)})`;
    }
  }
  const dispatcher = createDispatcher({
    sql,
    concurrency: 64,
    platforms: createPlatforms({ telegramApiRoot: provider.url, maxApiRoot: provider.url }),
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
    http: createProviderClient({ defaultTimeoutMs: 5_000 }),
    media: { open: async () => undefined },
    payloads: { save: async () => "unused" },
    credentials: { token: async () => `1:${"A".repeat(35)}` },
  });
  await dispatcher.start();
  await delay((seconds + 2) * 1_000);
  await dispatcher.stop();
  await stand.close();
  await server.stop();
  provider.close();

  return rates.map((rate) => {
    const { taken = [], refused = 0 } = arrivals.get(String(rate)) ?? {};
    // Counted over the measured time from the first arrival, as a provider would.
    const within = taken.filter((at) => at - (taken[0] ?? 0) < seconds * 1_000).length;
    return { rate, achieved: rounded(within / (rate * seconds), 3), refused };
  });
}

/** Speaks sendMessage and nothing else; the chat's id is its rate. */
async function startStrictServer(arrivals: ReadonlyMap<string, Arrivals>) {
  let id = 0;
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const chat = String(JSON.parse(Buffer.concat(chunks).toString()).chat_id);
    const seen = arrivals.get(chat);
    const last = seen?.taken.at(-1);
    response.setHeader("content-type", "application/json");
    if (!seen || (last !== undefined && at - last < 1_000 / Number(chat))) {
      if (seen) seen.refused += 1;
      response.statusCode = 429;
      response.end(
        JSON.stringify({
          ok: false,
          error_code: 429,
          description: "Too Many Requests: retry after 1",
          parameters: { retry_after: 1 },
        }),
      );
      return;
    }
    seen.taken.push(at);
    id += 1;
    response.end(
      JSON.stringify({
        ok: true,
        result: { message_id: id, date: 0, chat: { id: Number(chat), type: "channel" } },
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
