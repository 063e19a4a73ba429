import { gunzipSync } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  type Answer,
  answerCall,
  readInput,
  type StatusFault,
  type Twin,
  type TwinContext,
} from "../shared/index.ts";
import { accessOf } from "./access.ts";
import { type Envelope, type Item, objectOf, readEnvelope } from "./envelope.ts";
import { processingErrors } from "./event.ts";

/** An event that arrived. */
interface KeptEvent {
  readonly project: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly client: string | null;
  readonly event: Readonly<Record<string, unknown>>;
  /** Fields that Sentry would drop. */
  readonly errors: readonly string[];
}

interface World {
  projects: { id: string; key: string }[];
  events: KeptEvent[];
  /** While set, items of these categories are dropped with 429; no category means all. */
  quota: { seconds: number; categories: string[] } | null;
}

const freshWorld = (): World => ({
  projects: [{ id: "1", key: "0123456789abcdef0123456789abcdef" }],
  events: [],
  quota: null,
});

/** Of an event, and of a request before and after decompression. */
const limits = { event: 1024 ** 2, request: 20 * 1024 ** 2, decompressed: 100 * 1024 ** 2 } as const;
const mostKept = 1_000;

const dropped =
  "Sentry dropped data due to a quota or internal rate limit being reached. This will not affect your application. " +
  "See https://docs.sentry.io/product/accounts/quotas/ for more information.";

/** Sentry, emulated: takes errors in envelopes, as its Relay does. */
export function createSentryTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("sentry") ?? freshWorld();
  const changed = () => context.state.changed("sentry", () => world);

  function take(request: FastifyRequest, project: string): Answer {
    if (!/^\d{1,19}$/.test(project)) return refused(400, "bad project path parameter");
    const access = accessOf(request);
    if ("status" in access) return refused(access.status, access.detail);
    const bytes = bytesOf(request);
    if (!bytes) return refused(400, "invalid request body");
    if (bytes.length > limits.decompressed) return refused(413, "envelope exceeded size limits");
    if (bytes.length === 0) return refused(400, "empty request body");
    const envelope = readEnvelope(bytes);
    if (!envelope) return refused(400, "invalid event envelope");
    // Nothing is asked about the project for an envelope without items.
    if (envelope.items.length === 0) return { status: 200, body: idOf(envelope) };
    if (!world.projects.some(({ id, key }) => id === project && key === access.key))
      return refused(403, "event submission rejected with_reason: ProjectId");
    return keep(envelope, project, request);
  }

  function keep(envelope: Envelope, project: string, request: FastifyRequest): Answer {
    const events = envelope.items.filter(({ type }) => type === "event");
    if (events.length > 1) return refused(400, "invalid event envelope");
    const [item] = events;
    if (!item) return { status: 200, body: idOf(envelope) };
    const { quota } = world;
    if (quota && (quota.categories.length === 0 || quota.categories.includes("error"))) return limited(quota);
    if (item.payload.length > limits.event)
      return refused(
        413,
        "envelope exceeded size limits for type 'event' (https://develop.sentry.dev/sdk/envelopes/#size-limits)",
      );
    return keepEvent(item, envelope, project, request);
  }

  function keepEvent(item: Item, envelope: Envelope, project: string, request: FastifyRequest): Answer {
    const event = objectOf(item.payload.toString("utf8"));
    if (!event) return refused(400, "invalid JSON data");
    const id = envelope.header.event_id;
    if (typeof id !== "string" || !/^[0-9a-f]{32}$/.test(id) || id !== event.event_id)
      return refused(400, "invalid event id");
    // An event that comes again is dropped in silence.
    if (!world.events.some((kept) => kept.event.event_id === id && kept.project === project)) {
      const client = /sentry_client=([^,\s]+)/.exec(String(request.headers["x-sentry-auth"]))?.[1] ?? null;
      const errors = processingErrors(event);
      world.events = [...world.events, { project, at: context.clock.now(), client, event, errors }].slice(
        -mostKept,
      );
      changed();
    }
    return { status: 200, body: { id } };
  }

  return {
    name: "sentry",
    async mount(app) {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser(
        "*",
        { parseAs: "buffer", bodyLimit: limits.request },
        (_request, body, done) => done(null, body),
      );
      app.post("/sentry/api/:project/envelope/", { bodyLimit: limits.request }, (request, reply) => {
        const { project } = z.object({ project: z.string() }).parse(request.params);
        return answerCall(context, reply, {
          call: { provider: "sentry", method: "POST /envelope", chat: project },
          request: linesOf(bytesOf(request)),
          work: async () => take(request, project),
          refusal: scripted,
        });
      });
      controlRoutes(app, world, changed);
    },
    chats: () => [],
    messages: () => [],
    reset() {
      Object.assign(world, freshWorld());
      changed();
    },
  };
}

/** For tests: what arrived, other projects, and a quota that is used up. */
function controlRoutes(app: FastifyInstance, world: World, changed: () => void): void {
  app.get("/_control/sentry/events", async () => ({ events: world.events }));
  app.post("/_control/sentry/projects", async (request) => {
    const project = readInput(projectBody, jsonOf(request.body));
    world.projects = [...world.projects.filter(({ id }) => id !== project.id), project];
    changed();
    return { projects: world.projects };
  });
  app.put("/_control/sentry/quota", async (request) => {
    world.quota = readInput(quotaBody, jsonOf(request.body));
    changed();
    return { quota: world.quota };
  });
  app.delete("/_control/sentry/quota", async () => {
    world.quota = null;
    changed();
    return { quota: null };
  });
}

const projectBody = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  key: z.string().regex(/^[0-9a-f]{32}$/),
});
const quotaBody = z.strictObject({ seconds: z.int().min(0), categories: z.array(z.string()).default([]) });

const jsonOf = (body: unknown): unknown => {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
};

/** Decompressed; undefined if it is not what its header says. */
function bytesOf({ body, headers }: FastifyRequest): Buffer | undefined {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const coding = headers["content-encoding"] ?? "identity";
  if (coding === "identity") return bytes;
  if (coding !== "gzip") return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.decompressed });
  } catch {
    return undefined;
  }
}

/** For the journal. */
function linesOf(bytes: Buffer | undefined): unknown {
  const lines = (bytes ?? Buffer.alloc(0)).toString("utf8").split("\n").filter(Boolean);
  return lines.map((line) => objectOf(line) ?? line);
}

const idOf = ({ header }: Envelope) => (typeof header.event_id === "string" ? { id: header.event_id } : {});

function limited({ seconds, categories }: { seconds: number; categories: string[] }): Answer {
  const headers = {
    "retry-after": String(seconds),
    "x-sentry-rate-limits": `${seconds}:${categories.join(";")}:organization:quota_exceeded`,
  };
  return { ...refused(429, dropped), headers };
}

function scripted({ status, description, retryAfter }: StatusFault): Answer {
  const answer = refused(status, description ?? (status === 429 ? dropped : "scripted"));
  return retryAfter === undefined ? answer : { ...answer, headers: { "retry-after": String(retryAfter) } };
}

function refused(status: number, detail: string): Answer {
  return { status, body: { detail } };
}
