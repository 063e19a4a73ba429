import { firings, readCron } from "./cron.ts";
import { destinationOf } from "./destination.ts";
import { refuse } from "./errors.ts";
import { limits } from "./limits.ts";
import { newMessage } from "./messages.ts";
import type { Schedule } from "./model.ts";
import { orderOf } from "./order.ts";
import { tellOfSchedules } from "./places.ts";
import type { Store } from "./store.ts";
import type { Call, QStash, Reply } from "./twin.ts";
import { wireSchedule } from "./wire.ts";

/** Creates a schedule, or replaces the one with the same id. */
export function putSchedule(qstash: QStash, call: Call): Reply {
  const { store, context } = qstash;
  const order = orderOf({ ...call, destination: destinationOf(call.rawUrl, "schedules") }, context.options);
  const {
    "upstash-cron": cron,
    "upstash-schedule-id": given,
    "upstash-not-before": notBefore,
  } = call.headers;
  if (typeof cron !== "string" || cron === "") throw refuse.invalid("missing cron expression: Upstash-Cron");
  if (!readCron(cron)) throw refuse.invalid(`invalid cron expression: ${cron}`);
  if (notBefore !== undefined) throw refuse.invalid("not-before is not allowed with schedules");
  if (given !== undefined && (typeof given !== "string" || !/^[\w.-]{1,200}$/.test(given)))
    throw refuse.invalid(
      "invalid schedule id: alphanumeric characters, hyphens, dots and underscores are allowed",
    );
  const id = given ?? store.newId("scd");
  const known = store.schedule(id);
  const { schedules, scheduleQuota } = store.world;
  if (!known && schedules.length >= scheduleQuota) throw refuse.quota(scheduleQuota);
  const now = store.now();
  const fresh = { ...order, id, cron, createdAt: now, isPaused: false, lookedUntil: now, lastFiredAt: null };
  if (known) Object.assign(known, fresh);
  else schedules.push(fresh);
  store.changed();
  tellOfSchedules(qstash);
  return { body: { scheduleId: id }, created: [id] };
}

export function listSchedules({ store }: QStash): Reply {
  return { body: store.world.schedules.map(wireSchedule) };
}

export function readSchedule({ store }: QStash, { params }: Call): Reply {
  return { body: wireSchedule(scheduleOf(store, params.id)) };
}

/** Messages that it has made already are still sent. */
export function deleteSchedule(qstash: QStash, { params }: Call): Reply {
  const { store } = qstash;
  const { id } = scheduleOf(store, params.id);
  store.world.schedules = store.world.schedules.filter((schedule) => schedule.id !== id);
  store.changed();
  tellOfSchedules(qstash);
  return { body: {} };
}

export const pauseSchedule = (qstash: QStash, call: Call) => setPaused(qstash, call, true);
export const resumeSchedule = (qstash: QStash, call: Call) => setPaused(qstash, call, false);

function setPaused({ store }: QStash, { params }: Call, isPaused: boolean): Reply {
  const schedule = scheduleOf(store, params.id);
  // What a pause has missed is not made up for.
  if (schedule.isPaused && !isPaused) schedule.lookedUntil = store.now();
  schedule.isPaused = isPaused;
  store.changed();
  return { body: {} };
}

/** Makes a message for every minute at which a schedule was due since the last look. */
export function fireDue(store: Store): void {
  const now = store.now();
  for (const schedule of store.world.schedules) {
    const cron = readCron(schedule.cron);
    if (schedule.isPaused || !cron || now <= schedule.lookedUntil) continue;
    for (const at of firings(cron, schedule.lookedUntil, now, limits.missedFirings)) {
      const { id: scheduleId, delayMs } = schedule;
      newMessage(store, orderIn(schedule), { createdAt: at, dueAt: at + delayMs, scheduleId });
      schedule.lastFiredAt = at;
    }
    schedule.lookedUntil = now;
    store.changed();
  }
}

function orderIn({ id, cron, createdAt, isPaused, lookedUntil, lastFiredAt, ...order }: Schedule) {
  return order;
}

function scheduleOf(store: Store, id = ""): Schedule {
  const schedule = store.schedule(id);
  if (!schedule) throw refuse.missing(`schedule ${id}`);
  return schedule;
}
