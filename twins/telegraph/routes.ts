import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Answer, type AnswerFlaw, answerCall, type StatusFault } from "../shared/index.ts";
import { ApiError } from "./api-error.ts";
import type { Deps } from "./call.ts";
import { gatewayError } from "./gateway.ts";
import { limits } from "./limits.ts";
import { methods } from "./methods/index.ts";
import { acceptBodies, type Params, readParams } from "./params.ts";
import { pathShape, readerRoutes, showPage } from "./reader-routes.ts";

const address = z.object({ method: z.string(), "*": z.string().optional() });

/** `/telegraph/<method>[/<path>]` by GET or POST, and the pages themselves for readers. */
export async function apiRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  acceptBodies(app);
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) deps.context.log.warn({ error }, "the telegraph twin failed");
    return send(reply, gatewayError(status));
  });
  readerRoutes(app, deps);
  // Closed to everybody since September 2024.
  app.post("/telegraph/upload", async (_request, reply) => reply.code(400).send({ error: "Unknown error" }));
  app.route({
    method: ["GET", "POST"],
    url: "/telegraph/:method",
    handler: (request, reply) => serve(request, reply, deps),
  });
  app.route({
    method: ["GET", "POST"],
    url: "/telegraph/:method/*",
    handler: (request, reply) => serve(request, reply, deps),
  });
}

async function serve(request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<FastifyReply> {
  const { method, "*": path } = address.parse(request.params);
  if (request.method === "GET" && path === undefined && pathShape.test(method))
    return showPage(method, reply, deps);
  const query = request.url.split("?")[1] ?? "";
  if (query.length > limits.queryBytes) return send(reply, gatewayError(400));
  const params = readParams(request);
  const account = deps.store.accountByToken(params.text("access_token") ?? "");
  return answerCall(deps.context, reply, {
    call: {
      provider: "telegraph",
      method,
      ...(account && { bot: account.shortName, botId: String(account.id) }),
      ...(path && { chat: path }),
    },
    request: withoutToken(params),
    work: async (flaw) => answerTo(method, { params, path, ip: request.ip }, deps, flaw),
    refusal: scripted,
  });
}

function answerTo(
  name: string,
  call: { params: Params; path: string | undefined; ip: string },
  deps: Deps,
  flaw: AnswerFlaw | undefined,
): Answer {
  const method = methods.get(name);
  try {
    if (!method) throw new ApiError("UNKNOWN_METHOD");
    const { result, created } = method(call, deps);
    const pages = created === undefined ? {} : { created: [created] };
    // The page was created, and Telegraph reports an error.
    if (flaw === "error") return { ...refused("PAGE_SAVE_FAILED"), ...pages };
    return { status: 200, body: { ok: true, result }, ...pages };
  } catch (error) {
    if (error instanceof ApiError) return refused(error.code);
    throw error;
  }
}

function refused(code: string): Answer {
  return { status: 200, body: { ok: false, error: code } };
}

/** A description that is a code is Telegraph's own refusal; any other status comes from the proxy. */
function scripted({ status, description, retryAfter }: StatusFault): Answer {
  if (status === 429 || retryAfter !== undefined) return refused(`FLOOD_WAIT_${retryAfter ?? 7}`);
  if (description !== undefined && /^[A-Z][A-Z_\d]+$/.test(description)) return refused(description);
  return gatewayError(status);
}

function withoutToken({ all }: Params): unknown {
  return "access_token" in all ? { ...all, access_token: "***" } : all;
}

function send(reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
