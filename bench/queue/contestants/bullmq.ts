import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { Queue, Worker } from "bullmq";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { postText } from "../../shared/posts.ts";
import { settings } from "../settings.ts";
import { type Contestant, deliveriesOf, type Job, timed } from "./contestant.ts";

const { concurrency, addChunk } = settings.bullmq;

/** Whether there is a Redis to measure with. */
export const redisPresent = spawnSync("redis-server", ["--version"]).status === 0;

/** On a Redis of its own that writes every command to disk before it answers, as PostgreSQL does. */
export const bullmq: Contestant = {
  name: "BullMQ",
  settings: `concurrency ${concurrency}, appendfsync always`,
  async drain(_databaseUrl, load) {
    const redis = await startRedis();
    const connection = { host: "127.0.0.1", port: redis.port, maxRetriesPerRequest: null };
    const queue = new Queue<Job>("deliveries", { connection });
    for (let post = 1; post <= load.posts; post += addChunk / load.channels)
      await queue.addBulk(
        Array.from({ length: Math.min(addChunk, (load.posts - post + 1) * load.channels) }, (_, index) => ({
          name: "deliver",
          data: { channel: index % load.channels, text: postText(post + Math.floor(index / load.channels)) },
        })),
      );
    const expected = deliveriesOf(load);
    let completed = 0;
    const worker = new Worker<Job>("deliveries", async () => undefined, {
      connection,
      concurrency,
      autorun: false,
    });
    worker.on("completed", () => {
      completed += 1;
    });
    const seconds = await timed(
      () => void worker.run(),
      () => completed >= expected,
    );
    await worker.close();
    await queue.close();
    await redis.stop();
    return seconds;
  },
};

async function startRedis(): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const folder = tempFolder("bench-redis");
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  const server = spawn("redis-server", [...place, ...durable], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(server.stdout)) if (line.includes("Ready to accept")) break;
  return {
    port,
    async stop() {
      const ended = once(server, "exit");
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no free port was given");
  return address.port;
}
