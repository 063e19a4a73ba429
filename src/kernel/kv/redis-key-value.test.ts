import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../log/index.ts";
import type { KeyValue } from "./index.ts";
import { keyValueContract } from "./key-value.contract.ts";
import { createRedisKeyValue } from "./redis-key-value.ts";

const given = process.env.REDIS_URL;
const installed = spawnSync("redis-server", ["--version"]).status === 0;
const absent = !given && !installed;

describe.skipIf(absent)(
  `keys and values in Redis${absent ? " (skipped: neither REDIS_URL nor a redis-server binary)" : ""}`,
  () => {
    let server: { url: string; stop(): Promise<void> };
    let kv: KeyValue;

    beforeAll(async () => {
      server = given ? { url: given, stop: async () => {} } : await startRedis();
      kv = createRedisKeyValue({ url: server.url, prefix: `molva-test:${Date.now()}:`, log: silentLog });
    });
    afterAll(async () => {
      await kv.close();
      await server.stop();
    });

    keyValueContract(() => kv);
  },
);

describe("a Redis that takes the connection and says nothing", () => {
  it("is given up, command by command", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).resume());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `redis://127.0.0.1:${port}`;
    const silent = createRedisKeyValue({ url, log: silentLog, commandTimeoutMs: 50 });
    try {
      await expect(silent.get("a")).rejects.toThrow(/timed out/i);
    } finally {
      await silent.close();
      server.close();
    }
  });
});

/** A server that keeps nothing on disk. */
async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), "molva-redis-"));
  const port = await freePort();
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", [...settings, "--dir", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (data) => {
      output += data;
      if (output.includes("Ready to accept connections")) resolve();
    });
    child.once("exit", () => reject(new Error(`redis-server ended:\n${output}`)));
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await gone;
      await rm(folder, { recursive: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
