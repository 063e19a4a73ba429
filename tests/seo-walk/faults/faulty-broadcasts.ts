/** News for people whom Telegram treats in different ways. */
import { setTimeout as delay } from "node:timers/promises";
import { botApi, telegramBots } from "../../../src/dialogs/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { createProviderClient } from "../../../src/kernel/outbound/index.ts";
import { botName } from "../../../src/seo/bot/bot-name.ts";
import type { Timer } from "../../../src/seo/broadcasts/pace.ts";
import { broadcastTask } from "../../../src/seo/broadcasts/send-broadcast.ts";
import { meet } from "../../../src/seo/people/people.ts";
import type { FaultKind } from "../../../twins/index.ts";
import type { FaultyWorld } from "./faulty-world.ts";

type Outcome = "sent" | "blocked" | "failed";

interface Reader {
  readonly fault?: FaultKind;
  /** Once, or whenever they are written to. */
  readonly times?: 1;
  /** How the report counts them. */
  readonly counts: Outcome;
  /** How often they have the news. */
  readonly has: 0 | 1;
}

const status = (code: number, retryAfter?: number) =>
  ({ kind: "status", status: code, ...(retryAfter !== undefined && { retryAfter }) }) as const;

/** Nobody knows of those who have it and are counted as failed: a second message would be worse. */
export const readers: readonly Reader[] = [
  { counts: "sent", has: 1 },
  { fault: status(403), counts: "blocked", has: 0 },
  { fault: status(400), counts: "failed", has: 0 },
  { fault: status(401), times: 1, counts: "sent", has: 1 },
  { fault: status(429, 40), times: 1, counts: "sent", has: 1 },
  { fault: status(500), times: 1, counts: "sent", has: 1 },
  { fault: status(500), counts: "failed", has: 0 },
  { fault: { kind: "drop_before" }, counts: "failed", has: 0 },
  { fault: { kind: "drop_after" }, counts: "failed", has: 1 },
  { fault: { kind: "malformed" }, counts: "failed", has: 1 },
  { fault: { kind: "hang" }, counts: "failed", has: 0 },
  { fault: { kind: "hang", after: true }, counts: "failed", has: 1 },
  { counts: "sent", has: 1 },
];

/** Nobody else is written to, and nothing else is being sent. Returns their numbers. */
export async function peopleFor({ harness, world }: FaultyWorld): Promise<number[]> {
  const { sql, workspaceId, services } = world.harness;
  await sql`update seo.users set notify_news = false where workspace_id = ${workspaceId}`;
  await sql`
    update seo.broadcasts set status = 'stopped', ended_at = now()
    where workspace_id = ${workspaceId} and status = 'sending'`;
  const ids: number[] = [];
  for (const { fault, times } of readers) {
    const { id } = await harness.person();
    await meet(services, { workspaceId, userId: id }, { firstName: "Anna", language: "ru" });
    if (fault)
      await harness.control("POST", "/faults", {
        ...{ provider: "telegram", method: "sendMessage", chat: String(id), fault },
        ...(times !== undefined && { times }),
      });
    ids.push(id);
  }
  return ids;
}

/** Long enough for a busy machine; two of them hang at the same time. */
const hangsMs = 2_000;

/** Sends it as the job does, with rests that pass at once. Returns how long they would have been. */
export async function sendNews({ harness }: FaultyWorld, broadcastId: number): Promise<number> {
  const { core, sql, workspaceId } = harness;
  const http = createProviderClient({ defaultTimeoutMs: hangsMs });
  let restedMs = 0;
  const timer: Timer = {
    now: () => performance.now() + restedMs,
    async rest(ms, signal) {
      restedMs += ms;
      await delay(0);
      return !signal.aborted;
    },
  };
  const api = () => botApi({ workspaceId, bot: botName }, { ...telegramBots(core), http });
  const task = broadcastTask({ sql, clock: core.clock, bot: botName, api, timer });
  const context = { log: silentLog, signal: new AbortController().signal };
  await task.perform({ workspace_id: workspaceId, broadcast_id: broadcastId }, context);
  await http.close();
  return restedMs;
}

/** How often each of them has the news. */
export async function newsOf(
  { harness }: FaultyWorld,
  ids: readonly number[],
  text: string,
): Promise<number[]> {
  const counts: number[] = [];
  for (const id of ids) {
    const { messages } = await harness.control<{ messages: { text: string }[] }>(
      "GET",
      `/chats/telegram/${id}/messages`,
    );
    counts.push(messages.filter((message) => message.text === text).length);
  }
  return counts;
}
