/** `POST /api/publish`: a slot is due. It is stored first, so that it is published even if QStash gives up asking. */
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { JobCall } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { Fired, Slot } from "../schedules/driver.ts";
import { dateOfSlot, readPublishBody, scheduleOf } from "./due-slot.ts";
import { oncePerMessage } from "./once-per-message.ts";

/** Who publishes slots. */
export interface SlotPublisher {
  /** Stores that a slot is due, once. */
  fire(slot: Slot, now: Date): Promise<Fired>;
  /** Whether its generation has begun, or it has ended already. */
  hasBegun(slot: Slot): Promise<boolean>;
}

export interface PublishJobDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly keyValue: KeyValue;
  readonly slots: SlotPublisher;
  /** Aborted when the server stops: whoever waits is told to come again. */
  readonly stopping: AbortSignal;
  readonly waits?: Partial<typeof usualWaits> | undefined;
}

/** Ten generations run at once; others wait for five minutes, then QStash is asked to come again. */
const usualWaits = { mostMs: 300_000, lookEveryMs: 1_000, retryAfterSeconds: 120 };
/** A message keeps its date for as long as QStash may retry it. */
const rememberedMs = 48 * 3_600_000;

type Answer =
  | { readonly status: "accepted" | "repeated" | "not_scheduled"; readonly local_date: string }
  | { readonly status: "invalid" | "unknown" | "busy" };

export async function publishJob(deps: PublishJobDeps, call: JobCall, reply: FastifyReply) {
  const { messageId } = call;
  const answer = await oncePerMessage(deps.keyValue, { job: "publish", messageId }, async () => {
    const found = await publishSlot(deps, call);
    return { again: found.status === "busy", answer: found };
  });
  if (answer.status !== "busy") return answer;
  const { retryAfterSeconds } = { ...usualWaits, ...deps.waits };
  return reply.code(503).header("retry-after", String(retryAfterSeconds)).send(answer);
}

/** Errors that a retry cannot mend are answers like others. */
async function publishSlot(deps: PublishJobDeps, { body, messageId }: JobCall): Promise<Answer> {
  const { sql, clock, slots } = deps;
  const asked = readPublishBody(body);
  if (!asked) return { status: "invalid" };
  const schedule = await scheduleOf(sql, asked);
  if (!schedule) return { status: "unknown" };
  const { workspaceId, zone } = schedule;
  const { scheduleId, slot } = asked;
  const now = clock.now();
  const localDate = await dateOfMessage(deps, messageId, dateOfSlot(slot, zone, now));
  const due = { workspaceId, scheduleId, localDate, slot };
  const fired = await slots.fire(due, now);
  if (fired === "not_scheduled") return { status: "not_scheduled", local_date: localDate };
  if (!(await begins(deps, due))) return { status: "busy" };
  return { status: fired === "fired" ? "accepted" : "repeated", local_date: localDate };
}

/** A retry means the date of the first attempt. */
async function dateOfMessage({ keyValue }: PublishJobDeps, messageId: string, date: string): Promise<string> {
  const key = `publish_date:${messageId}`;
  if (await keyValue.setIfAbsent(key, date, { ttlMs: rememberedMs })) return date;
  return (await keyValue.get(key)) ?? date;
}

async function begins({ slots, stopping, waits }: PublishJobDeps, due: Slot): Promise<boolean> {
  const { mostMs, lookEveryMs } = { ...usualWaits, ...waits };
  const until = performance.now() + mostMs;
  for (;;) {
    if (await slots.hasBegun(due)) return true;
    if (stopping.aborted || performance.now() >= until) return false;
    // Cut short by a stop, which the next round sees.
    await delay(lookEveryMs, undefined, { signal: stopping }).catch(() => {});
  }
}
