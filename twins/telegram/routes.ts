import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Answer, answerCall, type Call, readInput, type StatusFault } from "../shared/index.ts";
import {
  ApiError,
  defaultDescriptions,
  entityTooLarge,
  invalidToken,
  methodNotFound,
  notFound,
  refusal,
  tooManyRequests,
  unauthorized,
} from "./api-error.ts";
import type { Deps, MethodCall } from "./call.ts";
import { limits } from "./limits.ts";
import { findMethod, uidInPath } from "./methods/index.ts";
import type { Bot } from "./model.ts";
import { described, type Params, paramsOf, text } from "./params.ts";
import { acceptBodies, readParams } from "./request.ts";
import type { Store } from "./store.ts";

const tokenShape = /^\d+:[A-Za-z0-9_-]{35}$/;
const methodPath = z.object({ token: z.string(), method: z.string() });
/** Room for a file of the largest size and the other parts around it. */
const bodyLimit = limits.upload.other + 10 * 1024 * 1024;
const defaultRetryAfter = 5;

/** The provider's API: `/telegram/bot<token>/<method>` and `/telegram/file/bot<token>/<path>`. */
export async function apiRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  await acceptBodies(app);
  app.setErrorHandler<Error & { statusCode?: number; code?: string }>((error, _request, reply) => {
    if (error instanceof ApiError) return answer(reply, refusal(error));
    if (error.statusCode === 413) return answer(reply, refusal(entityTooLarge()));
    if (error.statusCode !== undefined && error.statusCode < 500) {
      return answer(reply, refusal(new ApiError(400, "Bad Request")));
    }
    deps.context.log.warn({ error }, "the Telegram twin failed");
    return answer(reply, refusal(new ApiError(500, "Internal Server Error")));
  });

  const handler = (request: FastifyRequest, reply: FastifyReply) => callMethod(request, reply, deps);
  const method = ["GET", "POST"];
  app.route({ method, url: "/telegram/bot:token/:method", bodyLimit, handler });
  app.route({ method, url: "/telegram/bot:token/test/:method", bodyLimit, handler });
  app.get("/telegram/file/bot:token/*", (request, reply) => serveFile(request, reply, deps));
  app.all("/telegram/*", (_request, reply) => answer(reply, refusal(notFound())));
}

async function callMethod(request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<FastifyReply> {
  const { token, method: given } = readInput(methodPath, request.params);
  const bot = deps.store.botByToken(token);
  const { params, unreadable } = await readOrRefuse(request);
  const left = new AbortController();
  reply.raw.on("close", () => {
    if (!reply.raw.writableEnded) left.abort();
  });

  async function work(): Promise<Answer> {
    if (unreadable) return refusal(unreadable);
    if (!bot) return refusal(tokenShape.test(token) ? unauthorized() : invalidToken());
    return run(given, { bot, params, left: left.signal, created: [] }, deps);
  }

  return answerCall(deps.context, reply, {
    call: callOf(deps.store, bot, token, findMethod(given)?.name ?? given, params),
    request: described(params),
    work,
    refusal: scriptedRefusal,
  });
}

/** An invalid body is refused like any bad call: with an envelope and a line in the journal. */
async function readOrRefuse(request: FastifyRequest): Promise<{ params: Params; unreadable?: ApiError }> {
  try {
    return { params: await readParams(request) };
  } catch (error) {
    if (error instanceof ApiError) return { params: paramsOf({}), unreadable: error };
    throw error;
  }
}

/** Runs a method; the provider's refusals are answers like any other. */
async function run(name: string, call: MethodCall, deps: Deps): Promise<Answer> {
  try {
    const method = findMethod(name);
    if (!method) throw methodNotFound();
    const result = await method.run(call, deps);
    return { status: 200, body: { ok: true, result }, created: call.created };
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

/** Runs a call that came in a webhook's answer; it is journaled, and its result is dropped. */
export async function runUnseen(
  bot: Bot,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  deps: Deps,
): Promise<void> {
  const params = paramsOf(fields);
  const { status, body, created } = await run(
    name,
    { bot, params, left: new AbortController().signal, created: [] },
    deps,
  );
  deps.context.journal.add({
    ...callOf(deps.store, bot, bot.token, findMethod(name)?.name ?? name, params),
    request: described(params),
    status,
    response: body,
    ...(created?.length && { created }),
  });
}

/** The call without its token: the journal and scripts name bots by username. */
function callOf(store: Store, bot: Bot | undefined, token: string, method: string, params: Params): Call {
  const botId = bot ? String(bot.id) : /^\d+/.exec(token)?.[0];
  const named = text(params, "chat_id");
  const chat = named.startsWith("@") ? (store.chatByUsername(named.slice(1))?.id ?? named) : named;
  return {
    provider: "telegram",
    method,
    ...(botId !== undefined && { bot: bot?.username ?? botId, botId }),
    ...(named !== "" && { chat: String(chat) }),
  };
}

function scriptedRefusal({ status, retryAfter, description }: StatusFault): Answer {
  const seconds = retryAfter ?? (status === 429 ? defaultRetryAfter : undefined);
  if (status === 429 && description === undefined) {
    return refusal(tooManyRequests((seconds ?? defaultRetryAfter) * 1_000));
  }
  return refusal(
    new ApiError(
      status,
      description ?? defaultDescriptions[status] ?? (status >= 500 ? "Internal Server Error" : "Bad Request"),
      seconds === undefined ? undefined : { retry_after: seconds },
    ),
  );
}

async function serveFile(request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<FastifyReply> {
  const { token, "*": path } = readInput(z.object({ token: z.string(), "*": z.string() }), request.params);
  if (!deps.store.botByToken(token)) throw tokenShape.test(token) ? unauthorized() : invalidToken();
  const file = deps.store.file(uidInPath(path) ?? "");
  const blob = file && (await deps.context.blobs.get(file.blobId));
  if (!blob) throw notFound();
  return reply.header("content-type", "application/octet-stream").send(Buffer.from(blob.bytes));
}

function answer(reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply {
  return reply.code(status).headers(headers).type("application/json").send(JSON.stringify(body));
}
