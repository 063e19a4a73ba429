import { fetchLoopback, type TwinContext } from "../shared/index.ts";
import { limits, nonRetryable } from "./limits.ts";
import { newMessage } from "./messages.ts";
import type { Message } from "./model.ts";
import { pauseMs } from "./pauses.ts";
import { fireDue } from "./schedules.ts";
import { signatureOf } from "./sign.ts";
import type { Store } from "./store.ts";

/** Sends what is due, signed; tries again on the vendor's pace; gives up into the dead letters. */
export interface Deliveries {
  /** Fires schedules and sends what is due by the clock; with `all`, whatever waits. Returns the answers. */
  run(which: { readonly all: boolean }): Promise<Sent[]>;
  /** There is something new. */
  wake(): void;
  stop(): Promise<void>;
}

export interface Sent {
  readonly message_id: string;
  readonly schedule_id: string | null;
  readonly url: string;
  readonly retried: number;
  readonly status: number | null;
}

interface Answered {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const lookEveryMs = 1_000;
const noAnswer: Answered = { status: null, headers: {}, body: "" };

export function createDeliveries({
  context,
  store,
}: {
  readonly context: Pick<TwinContext, "stopping" | "journal">;
  readonly store: Store;
}): Deliveries {
  const { stopping } = context;
  const { world } = store;
  const underWay = new Map<string, Promise<Sent | undefined>>();

  function start(message: Message): Promise<Sent | undefined> {
    const known = underWay.get(message.id);
    if (known) return known;
    const carried = carry(message).finally(() => underWay.delete(message.id));
    underWay.set(message.id, carried);
    return carried;
  }

  async function carry(message: Message): Promise<Sent | undefined> {
    const { id, retried, scheduleId, destination } = message;
    const answered = await post(message);
    for (let copy = 0; copy < world.duplicates && !stopping.aborted; copy += 1) await post(message);
    // A stop of the twins is no failure: the message waits for the next start.
    if (stopping.aborted) return undefined;
    settle(message, answered);
    return { message_id: id, schedule_id: scheduleId, url: destination, retried, status: answered.status };
  }

  async function post(message: Message): Promise<Answered> {
    const { id, destination, method, scheduleId, retried, callerIp, timeoutMs } = message;
    const body = Buffer.from(message.body, "base64");
    const signature = signatureOf(world, { url: destination, body, now: store.now() });
    const headers = {
      ...message.headers,
      "user-agent": "Upstash-QStash",
      "upstash-message-id": id,
      "upstash-retried": String(retried),
      "upstash-caller-ip": callerIp,
      "upstash-region": "eu-central-1",
      ...(scheduleId !== null && { "upstash-schedule-id": scheduleId }),
      ...(signature !== undefined && { "upstash-signature": signature }),
    };
    const answered = await requested(destination, {
      ...{ method, headers, body: method === "GET" ? null : body },
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
    });
    if (!stopping.aborted)
      context.journal.add({
        ...{ provider: "qstash", method: "delivery", chat: id },
        request: { url: destination, headers, body: body.toString() },
        status: answered.status ?? "dropped",
        response: answered.body,
      });
    return answered;
  }

  function settle(message: Message, answered: Answered): void {
    // It was cancelled meanwhile.
    if (!store.message(message.id)) return;
    const { status, headers } = answered;
    const isDone = status !== null && status >= 200 && status < 300;
    const isFinal = status === nonRetryable.status && headers[nonRetryable.header] === "true";
    if (!isDone && !isFinal && message.retried < message.retries) {
      const now = store.now();
      message.dueAt =
        now + pauseMs({ headers, retried: message.retried, retryDelay: message.retryDelay, now });
      message.retried += 1;
      store.changed();
      return;
    }
    world.messages = world.messages.filter(({ id }) => id !== message.id);
    const dlqId = isDone ? undefined : bury(message, status);
    tell(message, answered, dlqId);
    store.changed();
  }

  function bury(message: Message, status: number | null): string {
    const dlqId = store.newId("dlq");
    world.dlq.push({ dlqId, message, at: store.now(), status });
    return dlqId;
  }

  /** The callback is a message of its own, signed and retried like others. */
  function tell(message: Message, answered: Answered, dlqId: string | undefined): void {
    const url = dlqId === undefined ? message.callback : message.failureCallback;
    if (url === null) return;
    const body = Buffer.from(JSON.stringify(callbackBody(message, answered, dlqId))).toString("base64");
    newMessage(
      store,
      {
        ...{ destination: url, method: "POST", body, headers: { "content-type": "application/json" } },
        ...{ retries: limits.retries.usual, retryDelay: null, timeoutMs: limits.timeoutMs, delayMs: 0 },
        ...{ callback: null, failureCallback: null, label: null, callerIp: message.callerIp },
      },
      { dueAt: store.now(), sourceId: message.id },
    );
    wake();
  }

  async function run({ all }: { readonly all: boolean }): Promise<Sent[]> {
    fireDue(store);
    const now = store.now();
    const due = world.messages.filter(({ dueAt }) => all || dueAt <= now);
    const sent = await Promise.all(due.map(start));
    return sent.filter((each) => each !== undefined);
  }

  function wake(): void {
    if (!world.held && !stopping.aborted) void run({ all: false });
  }

  const look = setInterval(wake, lookEveryMs);
  look.unref();
  return {
    run,
    wake,
    async stop() {
      clearInterval(look);
      await Promise.all(underWay.values());
    },
  };
}

function callbackBody(message: Message, { status, headers, body }: Answered, dlqId: string | undefined) {
  return {
    status: status ?? 0,
    header: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body).toString("base64"),
    retried: message.retried,
    maxRetries: message.retries,
    sourceMessageId: message.id,
    url: message.destination,
    method: message.method,
    sourceHeader: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value]])),
    sourceBody: message.body,
    notBefore: message.dueAt,
    createdAt: message.createdAt,
    callerIP: message.callerIp,
    ...(message.scheduleId !== null && { scheduleId: message.scheduleId }),
    ...(dlqId !== undefined && { dlqId }),
  };
}

/** Refused, reset and too slow are the same for the sender: no answer. */
async function requested(url: string, init: Parameters<typeof fetchLoopback>[1]): Promise<Answered> {
  try {
    const response = await fetchLoopback(url, init);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  } catch {
    return noAnswer;
  }
}
