import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Answer, answerCall, type Call as JournaledCall, type StatusFault } from "../shared/index.ts";
import type { Deps, Reply } from "./call.ts";
import { openMethods, ownMethods } from "./methods/index.ts";
import type { Session } from "./model.ts";
import { peer, read } from "./read.ts";
import { bad, RpcError, unauthorized } from "./rpc-error.ts";
import { accountOf, newSession, release, seize } from "./session.ts";

/** The largest picture, written as base64. */
const bodyLimit = 15 * 1024 * 1024;
const device = z.strictObject({
  deviceModel: z.string().min(1),
  systemVersion: z.string().min(1),
  appVersion: z.string().min(1),
  langCode: z.string().min(1),
});
const connectParams = z.strictObject({ device });

/**
 * What a client library gives a program, over HTTP: `POST /telegram-account/<method>` with a JSON body. The authorisation key
 * comes as a bearer token, and `x-client` names the connection.
 */
export async function apiRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  app.post("/telegram-account/:method", { bodyLimit }, (request, reply) => serve(request, reply, deps));
}

function serve(request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<FastifyReply> {
  const { context, store } = deps;
  const { method } = z.object({ method: z.string() }).parse(request.params);
  const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const session = key === undefined ? undefined : store.session(key);
  return answerCall(context, reply, {
    call: journaled(method, session, request.body, deps),
    request: withoutSecrets(request.body),
    work: () => answering(() => run(method, { key, session, request }, deps)),
    refusal: scripted,
  });
}

interface Asked {
  readonly key: string | undefined;
  readonly session: Session | undefined;
  readonly request: FastifyRequest;
}

async function run(method: string, { key, session, request }: Asked, deps: Deps): Promise<Reply> {
  const { store } = deps;
  const params = request.body;
  if (method === "connect" && key === undefined) {
    return { body: { key: newSession(store, read(connectParams, params).device).key } };
  }
  if (!session) throw unauthorized("AUTH_KEY_UNREGISTERED");
  const client = clientOf(request);
  if (method === "disconnect") {
    release(store, session, client);
    return { body: {} };
  }
  seize(store, session, client);
  if (method === "connect") {
    session.device = read(connectParams, params).device;
    store.changed();
    return { body: { key: session.key } };
  }
  const open = openMethods[method];
  if (open) return open({ session, params }, deps);
  const own = ownMethods[method];
  if (!own) throw bad("INPUT_METHOD_INVALID");
  return own({ session, params, account: accountOf(store, session) }, deps);
}

function clientOf({ headers }: FastifyRequest): string {
  const client = headers["x-client"];
  if (typeof client !== "string" || client === "") throw bad("CONNECTION_NOT_INITED");
  return client;
}

/** Telegram's refusals are answers; any other exception is a bug of the twin. */
async function answering(work: () => Promise<Reply>): Promise<Answer> {
  try {
    const { body, created } = await work();
    return { status: 200, body, ...(created && { created }) };
  } catch (error) {
    if (error instanceof RpcError) return { status: error.code, body: error.body };
    throw error;
  }
}

/** A scripted status has its text in `description` and its seconds in `retryAfter`. */
function scripted({ status, description, retryAfter }: StatusFault): Answer {
  const text = description ?? (status === 420 ? "FLOOD_WAIT_%d" : "RPC_CALL_FAIL");
  return { status, body: new RpcError(status, text, retryAfter).body };
}

/** Scripts and the journal identify an account by its phone or its number. */
function journaled(
  method: string,
  session: Session | undefined,
  body: unknown,
  { store }: Deps,
): JournaledCall {
  const account = session?.userId === undefined ? undefined : store.account(session.userId);
  const named = z.looseObject({ peer }).safeParse(body);
  return {
    provider: "telegram-account",
    method,
    ...(account && { bot: account.phone, botId: String(account.userId) }),
    ...(named.success && { chat: String(named.data.peer.id) }),
  };
}

/** Files are shown by their size, codes and passwords not at all. */
function withoutSecrets(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === "password" || name === "code") return [name, "***"];
      if (name === "data" && typeof value === "string") return [name, `${value.length} characters`];
      return [name, value];
    }),
  );
}
