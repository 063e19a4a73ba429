import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { answerFlaws, type Twin, type TwinContext, type TwinEvent, type TwinOptions } from "./contract.ts";
import { definedOnly } from "./defined.ts";
import { InputError, queryNumber, readInput } from "./input.ts";

export interface ControlDeps {
  readonly context: TwinContext;
  readonly twins: readonly Twin[];
  setOptions(change: Partial<Pick<TwinOptions, "rateLimits" | "chatBurst">>): void;
  /** Makes the clock be ahead of the machine's by so much; it never goes back. */
  moveClock(aheadMs: number): number;
  aheadMs(): number;
}

/** The control API for people and tests: inspect, inject faults, reset. Below `/_control`. */
export async function controlRoutes(app: FastifyInstance, deps: ControlDeps): Promise<void> {
  const { context, twins, setOptions } = deps;
  const { faults, journal, options } = context;

  app.get("/_control/health", async () => ({ ok: true, providers: twins.map((twin) => twin.name) }));

  app.get("/_control/chats", async () => ({ chats: twins.flatMap((twin) => twin.chats()) }));

  app.get("/_control/places", async () => ({ places: twins.flatMap((twin) => twin.places?.() ?? []) }));

  app.get("/_control/chats/:provider/:chatId/messages", async (request) => {
    const { provider, chatId } = readInput(chatPath, request.params);
    const { before, limit } = readInput(messagesQuery, request.query);
    const twin = twins.find((each) => each.name === provider);
    if (!twin) throw new InputError(`provider: there is no twin named ${provider}`, 404);
    return { messages: twin.messages(chatId, { limit, ...(before !== undefined && { before }) }) };
  });

  app.get("/_control/stream", async (_request, reply) => stream(context, reply));

  app.post("/_control/faults", async (request) => {
    const { fault, times, probability, for_ms, ...match } = readInput(faultBody, request.body);
    return faults.add({
      match: definedOnly(match),
      fault: definedOnly(fault),
      ...(times !== undefined && { times }),
      ...(probability !== undefined && { probability }),
      ...(for_ms !== undefined && { until: context.clock.now() + for_ms }),
    });
  });
  app.get("/_control/faults", async () => ({ faults: faults.list() }));
  app.delete("/_control/faults", async () => {
    faults.clear();
    return { ok: true };
  });
  app.delete("/_control/faults/:id", async (request) => {
    const { id } = readInput(z.object({ id: z.string() }), request.params);
    if (!faults.remove(id)) throw new InputError(`id: there is no fault script ${id}`, 404);
    return { ok: true };
  });

  app.get("/_control/journal", async (request) => ({
    entries: journal.find(definedOnly(readInput(journalQuery, request.query))),
  }));
  app.delete("/_control/journal", async () => {
    journal.clear();
    return { ok: true };
  });

  app.post("/_control/reset", async () => {
    for (const twin of twins) twin.reset();
    faults.clear();
    journal.clear();
    await context.blobs.clear();
    context.bus.publish({ type: "reset" });
    return { ok: true };
  });

  const time = () => ({ now: new Date(context.clock.now()).toISOString(), ahead_ms: deps.aheadMs() });
  app.get("/_control/clock", async () => time());
  app.post("/_control/clock", async (request) => {
    const { advance_ms = 0, ahead_ms = deps.aheadMs() } = readInput(clockBody, request.body);
    deps.moveClock(ahead_ms + advance_ms);
    return time();
  });

  app.patch("/_control/options", async (request) => {
    const { rate_limits, chat_burst } = readInput(optionsBody, request.body);
    setOptions({
      ...(rate_limits !== undefined && { rateLimits: rate_limits }),
      ...(chat_burst !== undefined && { chatBurst: chat_burst }),
    });
    return { rate_limits: options.rateLimits, chat_burst: options.chatBurst };
  });
}

const chatPath = z.object({ provider: z.string(), chatId: z.string() });

const messagesQuery = z.object({
  before: z.string().optional(),
  limit: queryNumber.min(1).max(500).default(50),
});

const journalQuery = z.object({
  provider: z.string().optional(),
  bot: z.string().optional(),
  chat: z.string().optional(),
  method: z.string().optional(),
  after: queryNumber.optional(),
  limit: queryNumber.min(1).max(20_000).optional(),
});

const clockBody = z.strictObject({
  /** From now on. */
  advance_ms: z.int().min(0).optional(),
  /** Altogether. */
  ahead_ms: z.int().min(0).optional(),
});

const optionsBody = z.strictObject({
  rate_limits: z.boolean().optional(),
  chat_burst: z.int().min(1).max(1_000).optional(),
});

/** A chat may be given as a number, as both providers do. */
const idText = z.union([z.string(), z.number().transform(String)]);

const faultBody = z.strictObject({
  provider: z.string().optional(),
  bot: idText.optional(),
  chat: idText.optional(),
  method: z.string().optional(),
  text: z.string().min(1).optional(),
  fault: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("status"),
      status: z.int().min(400).max(599),
      retryAfter: z.number().min(0).optional(),
      description: z.string().optional(),
      code: z.int().optional(),
    }),
    z.strictObject({ kind: z.literal("delay"), ms: z.number().min(0).max(600_000) }),
    z.strictObject({ kind: z.literal("hang"), after: z.boolean().optional() }),
    z.strictObject({ kind: z.literal("trickle") }),
    z.strictObject({ kind: z.literal("drop_after") }),
    z.strictObject({ kind: z.literal("drop_before") }),
    z.strictObject({ kind: z.literal("malformed") }),
    z.strictObject({ kind: z.literal("answer"), flaw: z.enum(answerFlaws) }),
  ]),
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  for_ms: z.number().min(1).optional(),
});

const heartbeatMs = 15_000;
/** A page that stopped reading is disconnected; it reconnects and loads the chats again. */
const longestBacklogBytes = 4 * 1024 * 1024;

function stream(context: TwinContext, reply: FastifyReply): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.write("retry: 1000\n\n");

  const unsubscribe = context.bus.subscribe((event: TwinEvent) => {
    if (raw.writableLength > longestBacklogBytes) raw.destroy();
    else raw.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  const heartbeat = setInterval(() => raw.write(": still here\n\n"), heartbeatMs);
  const end = () => raw.end();
  context.stopping.addEventListener("abort", end);
  raw.on("close", () => {
    unsubscribe();
    clearInterval(heartbeat);
    context.stopping.removeEventListener("abort", end);
  });
  return reply;
}
