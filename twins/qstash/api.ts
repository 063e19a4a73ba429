import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerCall, type StatusFault } from "../shared/index.ts";
import { deleteDeadLetter, listDeadLetters, retryDeadLetter } from "./dlq.ts";
import { ApiError, refuse } from "./errors.ts";
import { limits } from "./limits.ts";
import { cancelMessage, publish, readMessage } from "./messages.ts";
import {
  deleteSchedule,
  listSchedules,
  pauseSchedule,
  putSchedule,
  readSchedule,
  resumeSchedule,
} from "./schedules.ts";
import type { Call, QStash, Reply } from "./twin.ts";

interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** In the journal and in fault scripts; a destination is no part of it. */
  readonly name?: string;
  handle(qstash: QStash, call: Call): Reply;
}

const routes: readonly Route[] = [
  { method: "POST", path: "/publish/*", name: "POST /publish", handle: publish },
  { method: "GET", path: "/messages/:id", handle: readMessage },
  { method: "DELETE", path: "/messages/:id", handle: cancelMessage },
  { method: "POST", path: "/schedules/*", name: "POST /schedules", handle: putSchedule },
  { method: "GET", path: "/schedules", handle: listSchedules },
  { method: "GET", path: "/schedules/:id", handle: readSchedule },
  { method: "DELETE", path: "/schedules/:id", handle: deleteSchedule },
  ...(["POST", "PATCH"] as const).flatMap((method): Route[] => [
    { method, path: "/schedules/:id/pause", handle: pauseSchedule },
    { method, path: "/schedules/:id/resume", handle: resumeSchedule },
  ]),
  { method: "GET", path: "/dlq", handle: listDeadLetters },
  { method: "POST", path: "/dlq/retry/:id", handle: retryDeadLetter },
  { method: "DELETE", path: "/dlq/:id", handle: deleteDeadLetter },
  { method: "GET", path: "/keys", handle: ({ store }) => secret(store.world.keys) },
  { method: "POST", path: "/keys/rotate", handle: ({ store }) => secret(store.rotateKeys()) },
];

const secret = (body: object): Reply => ({ body: { ...body }, kept: "keys" });

/** The API at `/qstash/v2`. */
export async function apiRoutes(app: FastifyInstance, qstash: QStash): Promise<void> {
  app.removeAllContentTypeParsers();
  const bodyLimit = limits.bodyBytes + 1;
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) => done(null, body));
  for (const route of routes) {
    app.route({
      method: route.method,
      url: `/qstash/v2${route.path}`,
      handler: (request, reply) => serve(qstash, route, request, reply),
    });
  }
}

function serve(
  qstash: QStash,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const call = callOf(request);
  return answerCall(qstash.context, reply, {
    call: {
      provider: "qstash",
      method: route.name ?? `${route.method} ${route.path.replace(/:(\w+)/g, "{$1}")}`,
      ...(call.params.id !== undefined && { chat: call.params.id }),
    },
    request: { url: request.url, headers: upstashHeaders(request), body: call.body.toString() },
    work: async () => answered(() => carry(qstash, route, request, call)),
    refusal: scripted,
  });
}

function carry(qstash: QStash, route: Route, { headers }: FastifyRequest, call: Call): Answer {
  if (!isToken(headers.authorization, qstash.store.world.token)) throw refuse.token();
  const { status = 200, body, created, kept } = route.handle(qstash, call);
  return { status, body, ...(created && { created }), ...(kept !== undefined && { kept }) };
}

function callOf(request: FastifyRequest) {
  const params: Record<string, string> = {};
  for (const [key, value] of Object.entries(request.params ?? {}))
    if (typeof value === "string") params[key] = value;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { params, rawUrl: request.url, headers: request.headers, body, ip: request.ip };
}

function isToken(authorization = "", token: string): boolean {
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function answered(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: { error: error.message } };
  }
}

const words: Readonly<Record<number, string>> = {
  401: "unable to authenticate: invalid token",
  412: "exceeded schedule quota",
  429: "exceeded daily rate limit",
};

function scripted({ status, description, retryAfter }: StatusFault): Answer {
  const body = { error: description ?? words[status] ?? "internal server error" };
  const reset = retryAfter === undefined ? {} : { "ratelimit-reset": String(retryAfter) };
  const headers = status === 429 ? { "ratelimit-limit": "1000", "ratelimit-remaining": "0", ...reset } : {};
  return { status, body, headers };
}

function upstashHeaders({ headers }: FastifyRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith("upstash-") || name === "content-type"),
  );
}
