import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, type AnswerFlaw, answerCall, type StatusFault } from "../shared/index.ts";
import { ApiError, refusal, scriptedErrors } from "./api-error.ts";
import { type ChatRequest, readBody, readImagesBody } from "./body.ts";
import type { Brand } from "./brand.ts";
import { checkCredits, checkRates, checkRequest, holderOf, modelOf } from "./checks.ts";
import { type Completion, complete, tokensIn, wordsOf } from "./completion.ts";
import type { Deps } from "./deps.ts";
import { type Envelope, imagesBody, streamEvents, wholeBody } from "./envelope.ts";
import { keyView, modelView } from "./listing.ts";
import type { Model } from "./models.ts";
import type { Key } from "./store.ts";
import { piecesOf } from "./stream.ts";
import { chatViews, exchangeOf } from "./view.ts";

/** The providers' limit of a request. */
const bodyBytes = 20 * 1024 * 1024;

export async function apiRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { brand, context } = deps;
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) context.log.warn({ error }, `the ${brand.name} twin failed`);
    const [type, message] = scriptedErrors[status] ?? scriptedErrors[status >= 500 ? 500 : 400] ?? ["", ""];
    return send(
      reply,
      refusal(brand, error instanceof ApiError ? error : new ApiError(status, type, message)),
    );
  });
  app.post(`${brand.base}/chat/completions`, { bodyLimit: bodyBytes }, (request, reply) =>
    answered(request, reply, deps, "POST /chat/completions", answer),
  );
  /** What is asked without a body: faults befall it, too. */
  const listed = (path: string, view: (request: FastifyRequest) => unknown) =>
    app.get(`${brand.base}${path}`, (request, reply) =>
      answered(request, reply, deps, `GET ${path}`, () => ({ status: 200, body: { data: view(request) } })),
    );
  listed("/models", () => brand.models.map(modelView));
  if (brand.router) {
    app.post(`${brand.base}/images`, { bodyLimit: bodyBytes }, (request, reply) =>
      answered(request, reply, deps, "POST /images", drawing),
    );
    listed("/images/models", () =>
      brand.models.filter(({ imageUsd }) => imageUsd !== undefined).map(modelView),
    );
    listed("/key", (request) => keyView(holderOf(request, deps)));
    listed("/credits", (request) => {
      const { credits, usage } = holderOf(request, deps);
      return { total_credits: (credits ?? 0) + usage, total_usage: usage };
    });
  }
  app.all(`${brand.base}/*`, async () => {
    throw new ApiError(404, "not_found", "There is nothing at this path.");
  });
}

type Work = (request: FastifyRequest, deps: Deps, flaw: AnswerFlaw | undefined) => Answer;

async function answered(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  method: string,
  work: Work,
): Promise<FastifyReply> {
  const { brand, context } = deps;
  const named = modelNamed(request.body);
  return answerCall(context, reply, {
    call: { provider: brand.name, method, ...(named && { chat: named }) },
    request: withoutFiles(request.body),
    whole: request.body,
    work: async (flaw) => {
      try {
        return work(request, deps, flaw);
      } catch (error) {
        if (error instanceof ApiError) return refusal(brand, error);
        throw error;
      }
    },
    refusal: (fault) => scripted(brand, fault),
  });
}

function answer(request: FastifyRequest, deps: Deps, flaw: AnswerFlaw | undefined): Answer {
  const { brand } = deps;
  const key = holderOf(request, deps);
  const asked = readBody(brand.name, request.body);
  const model = modelOf(asked, brand);
  checkRates(key, model, deps);
  checkRequest(asked, model, brand);
  checkCredits(asked, model, key);
  const completion = complete(asked, model, flaw, deps.store.nextAnswer);
  const envelope = booked(asked, model, key, completion, deps);
  const body = wholeBody(envelope, flaw);
  const kept = completion.pictures.length > 0 ? withoutFiles(body) : body;
  if (!asked.stream) {
    if (flaw !== "cut") return { status: 200, body, kept };
    const half = JSON.stringify(body).slice(0, 60);
    return { status: 200, body, kept, pieces: cutShort(half) };
  }
  const events = streamEvents(envelope, flaw, brand.router || asked.stream_options?.include_usage === true);
  return {
    status: 200,
    body,
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
    pieces: piecesOf(events, { comment: brand.router, cut: flaw === "cut" }),
  };
}

/** The API for pictures: the same as a chat that asks for them, in other words. */
function drawing(request: FastifyRequest, deps: Deps, flaw: AnswerFlaw | undefined): Answer {
  const key = holderOf(request, deps);
  const { prompt, n = 1, input_references: references = [], ...given } = readImagesBody(request.body);
  const asked: ChatRequest = {
    model: given.model,
    messages: [{ role: "user", content: [{ type: "text", text: prompt }, ...references] }],
    modalities: ["image"],
    image_config: {
      ...(given.aspect_ratio && { aspect_ratio: given.aspect_ratio }),
      ...(given.resolution && { image_size: given.resolution }),
    },
  };
  const model = modelOf(asked, deps.brand);
  checkRates(key, model, deps);
  checkRequest(asked, model, deps.brand);
  checkCredits(asked, model, key);
  const drawn = Array.from({ length: n }, (_, index) => complete({ ...asked, seed: index }, model, flaw));
  const [first] = drawn;
  if (!first) throw new ApiError(400, "invalid_request", "n must be at least 1");
  if (first.refusal !== null) throw new ApiError(400, "content_policy_violation", first.refusal);
  const completion = {
    ...first,
    pictures: drawn.flatMap(({ pictures }) => pictures),
    completionTokens: drawn.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
  };
  const body = imagesBody(booked(asked, model, key, completion, deps), flaw);
  const kept = withoutFiles(body);
  return flaw === "cut"
    ? { status: 200, body, kept, pieces: cutShort(JSON.stringify(body).slice(0, 60)) }
    : { status: 200, body, kept };
}

/** Charges the key and shows the exchange on the twins' page. */
function booked(asked: ChatRequest, model: Model, key: Key, completion: Completion, deps: Deps): Envelope {
  const { brand, context, store } = deps;
  const cachedTokens = cachedIn(asked, model, deps);
  const cost = costOf(completion, model, cachedTokens);
  store.spend(key, cost);
  const at = context.clock.now();
  const id = `${brand.router ? "gen" : "chatcmpl"}-${Math.floor(at / 1000)}-${randomBytes(9).toString("base64url")}`;
  const exchange = exchangeOf(asked, model, completion, { id, at });
  store.add(exchange);
  const chat = chatViews(brand, store).find((each) => each.id === model.id);
  if (chat) context.bus.publish({ type: "chat", provider: brand.name, chat });
  for (const message of exchange.messages)
    context.bus.publish({ type: "message", provider: brand.name, chatId: model.id, message });
  return { brand, model, id, created: Math.floor(at / 1000), completion, cachedTokens, cost };
}

async function* cutShort(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
  throw new Error("cut as scripted");
}

/** Everything before the last message is what a provider caches. */
function cachedIn({ messages }: ChatRequest, model: Model, { store, context }: Deps): number {
  const prefix = messages.slice(0, -1);
  if (prefix.length === 0) return 0;
  const words = prefix.map(wordsOf).join("\n");
  const tokens = tokensIn(words);
  const seen = store.seenBefore(`${model.id}\n${words}`, context.clock.now());
  return seen && tokens >= 1024 ? tokens : 0;
}

function costOf(completion: Completion, model: Model, cachedTokens: number): number {
  const { promptTokens, completionTokens, pictures } = completion;
  const fresh = promptTokens - cachedTokens;
  const drawn = pictures.length * (model.imageUsd ?? 0);
  const said = pictures.length > 0 ? 0 : completionTokens * model.completionUsd;
  const usd = ((fresh + cachedTokens * 0.1) * model.promptUsd + said) / 1e6 + drawn;
  return Number(usd.toPrecision(9));
}

function scripted(brand: Brand, { status, retryAfter, description }: StatusFault): Answer {
  const [type, message] = scriptedErrors[status] ?? scriptedErrors[status >= 500 ? 500 : 400] ?? ["", ""];
  return refusal(
    brand,
    new ApiError(status, type, description ?? message, {
      headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    }),
  );
}

function modelNamed(body: unknown): string | undefined {
  const named = typeof body === "object" && body !== null && "model" in body ? body.model : undefined;
  return typeof named === "string" ? named : undefined;
}

const longText = 4_000;

/** The request for the journal: files are shown by their size. */
function withoutFiles(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > longText ? `${value.slice(0, 80)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map(withoutFiles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, withoutFiles(of)]));
}

function send(reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply {
  return reply.code(status).headers(headers).type("application/json").send(JSON.stringify(body));
}
