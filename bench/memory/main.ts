import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { growth, rounded } from "../shared/figures.ts";
import { fillQueue } from "../shared/fill-queue.ts";
import { prepareHarness } from "../shared/molva.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";

const channels = 40;

const point = z.object({ sent: z.number(), megabytes: z.number() });
type Point = z.infer<typeof point>;

/** How the memory of a dispatcher grows while it sends a long queue: it should not. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: "boolean", default: false }, deliveries: { type: "string" } },
  });
  const say = reporter(values.json);
  const deliveries = numberOf("deliveries", values.deliveries, 500_000);
  const server = await startServer();
  try {
    const url = await server.database();
    const harness = await prepareHarness(url, channels);
    say(`Filling the queue with ${deliveries.toLocaleString("en")} deliveries`);
    await fillQueue(harness.sql, harness.workspaceId, Math.ceil(deliveries / channels));
    await harness.close();
    const points = await watch(url, deliveries, say);
    const slope = rounded(growth(points) * 100_000);
    say(
      `\n${table([["sent", "MB"], ...points.map(({ sent, megabytes }) => [`${sent}`, rounded(megabytes, 1)])])}`,
    );
    say(`\nGrowth from the second point on: ${slope} MB per 100,000 deliveries`);
    if (values.json) console.log(JSON.stringify({ memory: points, slope_mb_per_100k: slope }));
  } finally {
    await server.stop();
  }
}

async function watch(url: string, deliveries: number, say: (text: string) => void): Promise<Point[]> {
  const child = fork(fileURLToPath(new URL("./dispatcher-process.js", import.meta.url)), [
    JSON.stringify({ url, deliveries }),
  ]);
  const points: Point[] = [];
  while (points.length < 10) {
    const [message] = await once(child, "message");
    const seen = point.parse(message);
    points.push(seen);
    say(`  ${seen.sent.toLocaleString("en")} sent, ${Math.round(seen.megabytes)} MB`);
  }
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
  return points;
}
