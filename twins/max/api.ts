import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerCall, type Call, type StatusFault } from "../shared/index.ts";
import { type Reply, type Route, routes } from "./calls/routes.ts";
import { ApiError, bodyFor, refuse } from "./errors.ts";
import { rates } from "./limits.ts";
import { type Bot, nameOfBot } from "./model.ts";
import { int } from "./read.ts";
import type { Max } from "./twin.ts";

/** The Bot API below `/max`. */
export async function apiRoutes(app: FastifyInstance, max: Max): Promise<void> {
  // Bodies are parsed by hand, so that a malformed one gets the provider's error and is journaled.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));

  for (const route of routes) {
    const { method, path } = route;
    app.route({ method, url: `/max${path}`, handler: (request, reply) => serve(max, route, request, reply) });
  }
  app.all("/max/*", (request, reply) => serve(max, undefined, request, reply));
}

function serve(
  max: Max,
  route: Route | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const bot = max.store.botByToken(request.headers.authorization);
  const { access_token: _secret, ...query } = record(request.query);
  const body = parsed(request.body);
  const closed = new AbortController();
  reply.raw.once("close", () => closed.abort());

  return answerCall(max.context, reply, {
    call: callOf(max, route, request, bot),
    request: { query, ...(body !== undefined && { body: withoutSecret(body) }) },
    work: () =>
      answering(async () => {
        if (!bot) throw refuse.token();
        if (tooFast(max, bot)) throw refuse.rate();
        if (!route) throw unknownCall(request);
        if (body === malformed) throw refuse.payload("Malformed JSON");
        const params = strings(request.params);
        return route.handle(max, { bot, params, query, body, closed: closed.signal });
      }),
    refusal,
  });
}

/** The provider's refusals are answers; any other exception is a bug of the twin. */
export async function answering(work: () => Promise<Reply>): Promise<Answer> {
  try {
    return { status: 200, ...(await work()) };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body };
    throw error;
  }
}

export function refusal({ status, description, retryAfter }: StatusFault): Answer {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status, body: bodyFor(status, description), headers };
}

/** Scripts and the journal identify a call by its method and path: `POST /messages`, `GET /chats/:chatId`. */
function callOf(max: Max, route: Route | undefined, request: FastifyRequest, bot: Bot | undefined): Call {
  const path = route?.path ?? pathOf(request);
  const chat = chatOf(max, request, bot);
  return {
    provider: "max",
    method: `${request.method} ${path}`,
    ...(bot && nameOfBot(bot)),
    ...(chat !== undefined && { chat: String(chat) }),
  };
}

/** The chat of a call, however it is named. */
function chatOf({ store }: Max, request: FastifyRequest, bot: Bot | undefined): number | undefined {
  const { chatId, mid } = strings(request.params);
  const { chat_id, user_id, message_id, callback_id } = strings(request.query);
  const named = int.safeParse(chatId ?? chat_id);
  if (named.success) return named.data;
  const user = int.safeParse(user_id);
  if (user.success && bot) return store.dialog(bot, user.data)?.chat_id;
  const callback = callback_id && store.world.callbacks.find(({ id }) => id === callback_id);
  return store.message(mid ?? message_id ?? (callback ? callback.mid : ""))?.chat_id;
}

function tooFast({ context, rates: counted }: Max, bot: Bot): boolean {
  if (!context.options.rateLimits) return false;
  const rate = { key: `bot ${bot.user.user_id}`, count: rates.requestsPerBot, perMs: rates.windowMs };
  return counted.take([rate]) !== undefined;
}

function unknownCall(request: FastifyRequest): ApiError {
  const path = pathOf(request);
  const known = routes.some((route) => pattern(route.path).test(path));
  return known ? refuse.method(`${request.method} is not allowed for ${path}`) : refuse.notFound(path);
}

const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);

const pathOf = (request: FastifyRequest) => request.url.replace(/^\/max/, "").replace(/\?.*/s, "");

const malformed = Symbol("malformed");

function parsed(body: unknown): unknown {
  if (typeof body !== "string" || body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return malformed;
  }
}

/** Webhook secrets stay out of the journal. */
function withoutSecret(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("secret" in body)) return body;
  return { ...body, secret: "***" };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function strings(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record(value)).flatMap(([key, each]) => (typeof each === "string" ? [[key, each]] : [])),
  );
}
