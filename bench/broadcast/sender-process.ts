/** Sends a broadcast in a process of its own, by a clock that jumps to the next message. Every message is written down before its answer. */
import { setImmediate } from "node:timers/promises";
import type { Api } from "grammy";
import type { TelegramApi } from "../../src/dialogs/index.ts";
import { connect } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { broadcastTask } from "../../src/seo/broadcasts/send-broadcast.ts";

export interface SenderSettings {
  readonly url: string;
  readonly workspaceId: string;
  readonly broadcastId: number;
  /** Of the injected clock. */
  readonly startMs: number;
  /** Tells after every so many messages how far it is. */
  readonly every: number;
}

const { url, workspaceId, broadcastId, startMs, every }: SenderSettings = JSON.parse(process.argv[2] ?? "{}");
const sql = connect({ url, max: 10 });
let ms = startMs;
let sent = 0;

async function sendMessage(userId: number): Promise<void> {
  const at = ms;
  await sql`insert into bench_sent (user_id, at_ms) values (${userId}, ${at})`;
  sent += 1;
  if (sent % every === 0) process.send?.({ sent, megabytes: process.memoryUsage.rss() / 1024 / 1024 });
}
const api = {
  // The only method that a broadcast calls.
  call: async (ask: (api: Api) => Promise<unknown>) => ({
    ...{ kind: "ok" as const, result: await ask({ sendMessage } as unknown as Api) },
  }),
} as unknown as TelegramApi;

const task = broadcastTask({
  ...{ sql, bot: "seo-bot", api: () => api, clock: { now: () => new Date(ms) } },
  timer: {
    now: () => ms,
    async rest(wait, signal) {
      ms += wait;
      await setImmediate();
      return !signal.aborted;
    },
  },
});
await task.perform(
  { workspace_id: workspaceId, broadcast_id: broadcastId },
  { log: silentLog, signal: new AbortController().signal },
);
process.send?.({ sent, megabytes: process.memoryUsage.rss() / 1024 / 1024, ended: true });
await sql.end();
process.disconnect();
