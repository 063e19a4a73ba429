/** Schedules at Upstash QStash. Errors are values; what may help is tried again. */
import { z } from "zod";
import type { HttpClient, HttpRequest } from "../../kernel/outbound/index.ts";

export interface QStashSettings {
  readonly http: HttpClient;
  /** Without a trailing slash. */
  readonly root: string;
  readonly token: string;
  readonly pause: (ms: number) => Promise<void>;
}

export interface RemoteSchedule {
  /** Chosen by us: the same id replaces the schedule, so a repeated request makes no second one. */
  readonly id: string;
  readonly cron: string;
  readonly destination: string;
  readonly body: object;
  readonly retries: number;
}

export type Reply<T> =
  | { readonly kind: "ok"; readonly value: T }
  /** QStash did not do it, and will not. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  /** Nobody knows whether it was done. */
  | { readonly kind: "trouble"; readonly reason: string };

export interface QStash {
  put(schedule: RemoteSchedule): Promise<Reply<void>>;
  /** One that is not there is removed, too. */
  remove(id: string): Promise<Reply<void>>;
  list(): Promise<Reply<readonly string[]>>;
  /** The keys that it signs with. */
  keys(): Promise<Reply<{ readonly current: string; readonly next: string }>>;
}

/** Waits before further attempts. */
const pausesMs = [500, 2_000];
const timeoutMs = 15_000;

const listShape = z.array(z.object({ scheduleId: z.string() }));
const keysShape = z.object({ current: z.string(), next: z.string() });
const errorShape = z.object({ error: z.string() });

export function createQStash(settings: QStashSettings): QStash {
  const call = (request: Call) => patiently(settings, () => once(settings, request));
  return {
    async put({ id, cron, destination, body, retries }) {
      const headers = {
        "content-type": "application/json",
        "upstash-cron": cron,
        "upstash-schedule-id": id,
        "upstash-retries": String(retries),
      };
      // The address is written as it is: QStash takes everything after the prefix.
      const path = `/v2/schedules/${destination}`;
      return nothing(await call({ method: "POST", path, headers, body: JSON.stringify(body) }));
    },
    async remove(id) {
      const reply = await call({ method: "DELETE", path: `/v2/schedules/${encodeURIComponent(id)}` });
      return reply.kind === "refused" && reply.status === 404 ? done : nothing(reply);
    },
    async list() {
      const reply = shaped(await call({ method: "GET", path: "/v2/schedules" }), listShape);
      return reply.kind === "ok"
        ? { kind: "ok", value: reply.value.map(({ scheduleId }) => scheduleId) }
        : reply;
    },
    keys: async () => shaped(await call({ method: "GET", path: "/v2/keys" }), keysShape),
  };
}

interface Call extends Pick<HttpRequest, "method" | "headers"> {
  readonly path: string;
  readonly body?: string;
}

async function patiently(
  { pause }: QStashSettings,
  attempt: () => Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  let reply = await attempt();
  for (const ms of pausesMs) {
    if (reply.kind !== "trouble") break;
    await pause(ms);
    reply = await attempt();
  }
  return reply;
}

async function once(
  { http, root, token }: QStashSettings,
  { path, headers, ...call }: Call,
): Promise<Reply<unknown>> {
  const answer = await http.request({
    ...call,
    url: `${root}${path}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    timeoutMs,
  });
  if (answer.kind === "failure") return { kind: "trouble", reason: answer.message };
  const body = jsonOf(answer.body);
  if (answer.status < 300) return { kind: "ok", value: body };
  const { data } = errorShape.safeParse(body);
  const reason = `QStash answered ${answer.status}${data ? `: ${data.error}` : ""}`;
  const mayHelp = answer.status === 429 || answer.status >= 500;
  return mayHelp ? { kind: "trouble", reason } : { kind: "refused", status: answer.status, reason };
}

const done: Reply<void> = { kind: "ok", value: undefined };
const nothing = (reply: Reply<unknown>): Reply<void> => (reply.kind === "ok" ? done : reply);

function shaped<S extends z.ZodType>(reply: Reply<unknown>, shape: S): Reply<z.output<S>> {
  if (reply.kind !== "ok") return reply;
  const read = shape.safeParse(reply.value);
  return read.success
    ? { kind: "ok", value: read.data }
    : { kind: "trouble", reason: "QStash answered something else than expected" };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    // The shape refuses it.
    return undefined;
  }
}
