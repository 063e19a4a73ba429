import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { createDispatcher } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createPlatforms, noMedia } from "../../src/platforms/index.ts";
import { startChild } from "../shared/child.ts";
import { rounded } from "../shared/figures.ts";
import { type Harness, prepareHarness } from "../shared/molva.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { postText } from "../shared/posts.ts";
import { table } from "../shared/table.ts";
import { measureCorrections } from "./corrections.ts";

/** Posts per second that the channels are set to, and the provider allows to the letter. */
const defaultRates = [1, 2, 5];

interface Pace {
  readonly rate: number;
  /** Posts per second that arrived, as a part of the rate. */
  readonly achieved: number;
  readonly refused: number;
}

/** Channels with more waiting than they may send, against a provider that allows exactly their rate with a burst of one. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      seconds: { type: "string" },
      rates: { type: "string" },
    },
  });
  const say = reporter(values.json);
  const seconds = numberOf("seconds", values.seconds, 60);
  const rates = values.rates?.split(",").map((rate) => numberOf("rates", rate, 1)) ?? defaultRates;

  const server = await startServer();
  const provider = await startChild(new URL("./strict-provider.js", import.meta.url), {});
  try {
    const harness = await prepareHarness(await server.database(), 0);
    await fill(harness, rates, seconds);
    say(`Sending for ${seconds} seconds`);
    await send(harness, provider.url, seconds);
    const paces = pacesOf(rates, seen.parse(await (await fetch(provider.url)).json()), seconds);
    say("Correcting a post in 40 channels at 20 a second");
    const corrections = await measureCorrections(harness, provider.url);
    await harness.close();
    say(
      `\n${table([["rate, posts/s", "achieved", "429"], ...paces.map(({ rate, achieved, refused }) => [`${rate}`, achieved, refused])])}`,
    );
    const { rate_needs, posted, corrected, of_rate } = corrections;
    say(
      `\n${table([
        ["40 channels at 20/s", "seconds"],
        ["the rate itself", rate_needs],
        ["the post (control)", posted],
        ["its correction", corrected],
        ["correction / rate", of_rate],
      ])}`,
    );
    if (values.json) console.log(JSON.stringify({ rates: paces, corrections }));
  } finally {
    await provider.stop();
    await server.stop();
  }
}

/** A channel for each rate and more posts for it than the time lets out. */
async function fill({ sql, workspaceId }: Harness, rates: readonly number[], seconds: number): Promise<void> {
  for (const rate of rates) {
    const filter = { include_any: [`rate-${rate}`] };
    await sql`
      insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, rate_rps, route_filter)
      values (${workspaceId}, 'telegram', ${`-${rate}`}, 'bench', ${`bench-${rate}`}, ${rate}, ${sql.json(filter)})`;
    for (let number = 1; number <= rate * seconds + 10; number++) {
      const raw = { payload: { text: `${rate}: ${postText(number)}` }, tags: filter.include_any };
      await sql`select delivery.enqueue_messages_and_deliveries(${workspaceId}, null, 'webhook_push', ${sql.json(raw)}, ${new Date()})`;
    }
  }
}

async function send({ sql }: Harness, telegramApiRoot: string, seconds: number): Promise<void> {
  const http = createProviderClient({ defaultTimeoutMs: 5_000 });
  const dispatcher = createDispatcher({
    sql,
    http,
    concurrency: 50,
    sendingLeaseSeconds: 300,
    sendTimeoutSeconds: 30,
    platforms: createPlatforms({ TELEGRAM_API_ROOT: telegramApiRoot, MAX_API_ROOT: telegramApiRoot }),
    clock: systemClock,
    log: createLog({ level: "error" }),
    metrics: createMetrics(),
    media: () => noMedia,
    credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "1:bench" } }) },
    payloads: { save: async () => "nowhere" },
  });
  await dispatcher.start();
  await delay(seconds * 1_000);
  await dispatcher.stop();
  await http.close();
}

const seen = z.record(z.string(), z.object({ arrivals: z.array(z.number()), refused: z.number() }));

function pacesOf(rates: readonly number[], chats: z.infer<typeof seen>, seconds: number): Pace[] {
  return rates.map((rate) => {
    const { arrivals = [], refused = 0 } = chats[`-${rate}`] ?? {};
    const first = arrivals.at(0) ?? 0;
    const within = arrivals.filter((at) => at - first <= seconds * 1_000);
    const took = ((within.at(-1) ?? first) - first) / 1_000;
    return { rate, achieved: rounded((within.length - 1) / took / rate, 4), refused };
  });
}
