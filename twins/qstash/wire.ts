import type { DeadLetter, Message, Order, Schedule } from "./model.ts";

/** Objects as the API shows them. */
export function wireSchedule(schedule: Schedule) {
  const { id, cron, createdAt, destination, method, isPaused, lastFiredAt } = schedule;
  return {
    ...{ scheduleId: id, cron, createdAt, destination, method, isPaused },
    ...common(schedule),
    ...(lastFiredAt !== null && { lastScheduleTime: lastFiredAt }),
  };
}

export function wireMessage(message: Message) {
  const { id, destination, method, createdAt, dueAt, scheduleId } = message;
  return {
    ...{ messageId: id, url: destination, method, createdAt, notBefore: dueAt },
    ...common(message),
    ...(scheduleId !== null && { scheduleId }),
  };
}

export function wireDeadLetter({ dlqId, message, status }: DeadLetter) {
  return { dlqId, ...wireMessage(message), ...(status !== null && { responseStatus: status }) };
}

function common({ headers, body, retries, delayMs, callback, failureCallback, label, callerIp }: Order) {
  return {
    header: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body, "base64").toString(),
    ...{ maxRetries: retries, retries, callerIP: callerIp },
    ...(delayMs > 0 && { delay: delayMs / 1_000 }),
    ...(callback !== null && { callback }),
    ...(failureCallback !== null && { failureCallback }),
    ...(label !== null && { label }),
  };
}
