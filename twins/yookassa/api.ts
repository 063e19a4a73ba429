import { createHash, randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerCall, type StatusFault } from "../shared/index.ts";
import { ApiError, broken, refuse, usual } from "./errors.ts";
import { lifetimes, limits, rates } from "./limits.ts";
import type { Shop } from "./model.ts";
import { cancelPayment, capturePayment, createPayment, getPayment, listPayments } from "./payments.ts";
import { createRefund, getRefund, listRefunds } from "./refunds.ts";
import type { Call, Reply, YooKassa } from "./twin.ts";

interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  handle(yookassa: YooKassa, call: Call): Reply;
}

const routes: readonly Route[] = [
  { method: "POST", path: "/payments", handle: createPayment },
  { method: "GET", path: "/payments", handle: listPayments },
  { method: "GET", path: "/payments/:id", handle: getPayment },
  { method: "POST", path: "/payments/:id/capture", handle: capturePayment },
  { method: "POST", path: "/payments/:id/cancel", handle: cancelPayment },
  { method: "POST", path: "/refunds", handle: createRefund },
  { method: "GET", path: "/refunds", handle: listRefunds },
  { method: "GET", path: "/refunds/:id", handle: getRefund },
];

/** The API at `/yookassa/v3`. */
export async function apiRoutes(app: FastifyInstance, yookassa: YooKassa): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: 256 * 1024 }, (_request, body, done) =>
    done(null, body),
  );
  for (const route of routes) {
    app.route({
      method: route.method,
      url: `/yookassa/v3${route.path}`,
      handler: (request, reply) => serve(yookassa, route, request, reply),
    });
  }
}

function serve(
  yookassa: YooKassa,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shop = shopOf(yookassa, request.headers.authorization);
  const params = strings(request.params);
  const text = typeof request.body === "string" ? request.body : "";
  return answerCall(yookassa.context, reply, {
    call: {
      provider: "yookassa",
      method: `${route.method} ${route.path.replace(/:(\w+)/g, "{$1}")}`,
      ...(shop && { bot: shop.id }),
      ...(params.id !== undefined && { chat: params.id }),
    },
    request: {
      query: request.query,
      ...(text !== "" && { body: parsed(text) ?? "malformed" }),
      ...(request.headers["idempotence-key"] !== undefined && {
        idempotence_key: request.headers["idempotence-key"],
      }),
    },
    work: async (flaw) => {
      const answer = answered(() => carry(yookassa, route, request, { shop, params, text }));
      // The work is still done: a repeat with the key gets the object.
      return flaw === "error" ? { ...answer, ...errorAnswer(500, ...broken) } : answer;
    },
    refusal: scripted,
  });
}

function carry(
  yookassa: YooKassa,
  route: Route,
  request: FastifyRequest,
  { shop, params, text }: { shop: Shop | undefined; params: Call["params"]; text: string },
): Answer {
  if (!shop) throw refuse.credentials();
  if (yookassa.context.options.rateLimits && yookassa.rates.take([{ key: shop.id, ...rates }]) !== undefined)
    throw refuse.rate();
  const call = { shop, params, query: strings(request.query) };
  if (route.method === "GET") return done(route.handle(yookassa, { ...call, body: undefined }));

  const key = keyOf(request);
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) throw refuse.type();
  const body = text === "" ? {} : parsed(text);
  if (body === undefined) throw refuse.invalid("Invalid JSON");
  return once(yookassa, shop, key, `${request.url} ${hashOf(text)}`, () =>
    done(route.handle(yookassa, { ...call, body })),
  );
}

function keyOf(request: FastifyRequest): string {
  const key = request.headers["idempotence-key"];
  if (typeof key !== "string" || key === "")
    throw refuse.invalid("Idempotence key is required", "Idempotence-Key");
  if (key.length > limits.idempotenceKey)
    throw refuse.invalid("Idempotence key is too long", "Idempotence-Key");
  return key;
}

/** The same key within a day means the same request: it gets the first answer; a different request is refused. */
function once(yookassa: YooKassa, shop: Shop, key: string, request: string, work: () => Answer): Answer {
  const { store } = yookassa;
  const now = store.now();
  store.world.remembered = store.world.remembered.filter(({ at }) => now - at < lifetimes.idempotenceMs);
  const known = store.world.remembered.find((each) => each.shopId === shop.id && each.key === key);
  if (known) {
    if (known.request !== request) throw refuse.invalid("Idempotence key duplicated", "Idempotence-Key");
    return known.answer;
  }
  const answer = work();
  store.world.remembered.push({
    shopId: shop.id,
    key,
    request,
    answer: { status: answer.status, body: answer.body },
    at: now,
  });
  store.changed();
  return answer;
}

function answered(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return errorAnswer(error.status, error.code, error.message, error.parameter);
  }
}

const done = ({ status = 200, body, created }: Reply): Answer => ({
  status,
  body,
  ...(created && { created }),
});

function errorAnswer(status: number, code: string, description: string, parameter?: string): Answer {
  const body = { type: "error", id: randomUUID(), code, description };
  return { status, body: { ...body, ...(parameter !== undefined && { parameter }) } };
}

function scripted({ status, description, retryAfter }: StatusFault): Answer {
  const [code, message] = usual[status] ?? broken;
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { ...errorAnswer(status, code, description ?? message), headers };
}

function shopOf({ store }: YooKassa, authorization = ""): Shop | undefined {
  const login = /^Basic (.+)$/.exec(authorization)?.[1];
  const [id, ...rest] = Buffer.from(login ?? "", "base64")
    .toString()
    .split(":");
  const shop = store.shop(id);
  return shop && shop.secret === rest.join(":") ? shop : undefined;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function strings(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (typeof each === "string" ? [[key, each]] : [])),
  );
}
