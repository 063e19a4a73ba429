import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  type Answer,
  answerCall,
  createRates,
  definedOnly,
  type Rate,
  readInput,
  type StatusFault,
  type Twin,
  type TwinContext,
} from "../shared/index.ts";
import { jsonOf, scripted, takeText } from "../web/wire.ts";
import { rawDataOf, searchBody } from "./web-search.ts";
import { bodies, distribution, top, tree } from "./wordstat.ts";

interface Operation {
  readonly id: string;
  /** How often it is asked for before it is done. */
  polls: number;
  readonly rawData: string;
}

interface World {
  key: string;
  folder: string;
  /** Polls before a deferred search is done. */
  deferredPolls: number;
  operations: Operation[];
}

const freshWorld = (): World => ({
  ...{ key: "AQVNmolva-demo-0000000000000000000000", folder: "b1gmolvademo00000000" },
  ...{ deferredPolls: 1, operations: [] },
});

const optionsBody = z.strictObject({
  key: z.string().min(1).optional(),
  folder: z.string().min(1).optional(),
  deferred_polls: z.int().min(0).optional(),
});

/** Default quotas of a folder. */
const wordstat: readonly Rate[] = [
  { key: "wordstat hour", count: 100, perMs: 3_600_000 },
  { key: "wordstat second", count: 10, perMs: 1_000 },
];
const search: readonly Rate[] = [{ key: "search second", count: 10, perMs: 1_000 }];

interface Method {
  readonly path: string;
  readonly rates: readonly Rate[];
  run(body: unknown): unknown;
}

/** Yandex Search API v2: Wordstat, and web search at once or deferred. */
export function createYandexTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("yandex") ?? freshWorld();
  const changed = () => context.state.changed("yandex", () => world);
  const rates = createRates(context.clock);

  const methods: readonly Method[] = [
    { path: "/v2/wordstat/topRequests", rates: wordstat, run: (body) => top(read(bodies.top, body)) },
    {
      path: "/v2/wordstat/regions",
      rates: wordstat,
      run: (body) => distribution(read(bodies.regions, body)),
    },
    // The tree of regions is not counted.
    { path: "/v2/wordstat/getRegionsTree", rates: [], run: (body) => tree(read(bodies.tree, body)) },
    {
      path: "/v2/web/search",
      rates: search,
      run: (body) => ({ rawData: rawDataOf(read(searchBody, body)) }),
    },
    { path: "/v2/web/searchAsync", rates: search, run: (body) => defer(rawDataOf(read(searchBody, body))) },
  ];

  function defer(rawData: string): unknown {
    const operation = { id: `spp${randomBytes(9).toString("hex")}`, polls: world.deferredPolls, rawData };
    world.operations.push(operation);
    changed();
    return { done: false, ...headOf(operation) };
  }

  function headOf({ id }: Operation) {
    const at = new Date(context.clock.now()).toISOString();
    return { id, description: "WEB search async", createdAt: at, createdBy: "ajemolvademo", modifiedAt: at };
  }

  /** The scheme is written as `Api-Key` and as `Api-key`. */
  const isKnown = (auth: string | undefined) => /^api-key (.+)$/i.exec(auth ?? "")?.[1] === world.key;

  function call(method: Method, auth: string | undefined, text: unknown): Answer {
    if (!isKnown(auth)) return failed(401, 16, "Unknown api key");
    const body = text === "" || text === undefined ? {} : jsonOf(text);
    if (body === undefined) return failed(400, 3, "Request body is not a valid JSON");
    const folder = typeof body === "object" && body !== null ? Reflect.get(body, "folderId") : undefined;
    if (folder !== undefined && folder !== world.folder)
      return failed(403, 7, `Permission denied to folder ${String(folder)}`);
    const wait = context.options.rateLimits && method.rates.length > 0 ? rates.take(method.rates) : undefined;
    if (wait !== undefined) return failed(429, 8, "The limit on requests was exceeded");
    try {
      return { status: 200, body: method.run(body) };
    } catch (error) {
      if (error instanceof z.ZodError)
        return failed(400, 3, `${error.issues[0]?.path.join(".")}: ${error.issues[0]?.message}`);
      throw error;
    }
  }

  function operationOf(auth: string | undefined, id: string): Answer {
    if (!isKnown(auth)) return failed(401, 16, "Unknown api key");
    const operation = world.operations.find((each) => each.id === id);
    if (!operation) return failed(404, 5, `Operation ${id} not found`);
    const done = operation.polls <= 0;
    operation.polls -= 1;
    changed();
    return {
      status: 200,
      body: {
        done,
        ...headOf(operation),
        ...(done && {
          response: {
            "@type": "type.googleapis.com/yandex.cloud.searchapi.v2.WebSearchResponse",
            rawData: operation.rawData,
          },
        }),
      },
    };
  }

  return {
    name: "yandex",
    async mount(app) {
      takeText(app);
      for (const method of methods) {
        app.post(`/yandex/searchapi${method.path}`, (request, reply) => {
          const body = jsonOf(request.body);
          return answerCall(context, reply, {
            call: { provider: "yandex", method: `POST ${method.path}`, ...chatOf(body) },
            request: body ?? null,
            work: async () => call(method, request.headers.authorization, request.body),
            refusal: (fault) => scripted(fault, errorOf),
          });
        });
      }
      app.get<{ Params: { id: string } }>("/yandex/operation/operations/:id", (request, reply) =>
        answerCall(context, reply, {
          call: { provider: "yandex", method: "GET /operations/:id" },
          request: request.params,
          work: async () => operationOf(request.headers.authorization, request.params.id),
          refusal: (fault) => scripted(fault, errorOf),
        }),
      );
      app.get("/_control/yandex/options", async () => world);
      app.patch("/_control/yandex/options", async (request) => {
        const { deferred_polls, ...change } = readInput(optionsBody, jsonOf(request.body));
        Object.assign(world, definedOnly({ ...change, deferredPolls: deferred_polls }));
        changed();
        return world;
      });
    },
    chats: () => [],
    messages: () => [],
    reset() {
      Object.assign(world, freshWorld());
      rates.clear();
      changed();
    },
  };
}

function read<S extends z.ZodType>(shape: S, body: unknown): z.output<S> {
  return shape.parse(body);
}

/** Numbers of gRPC by status. */
const codes: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 429: 8, 500: 13, 503: 14 };

function errorOf({ status, description }: StatusFault): unknown {
  return failed(status, codes[status] ?? 2, description ?? "Scripted").body;
}

function failed(status: number, code: number, message: string): Answer {
  return { status, body: { code, message, details: [] } };
}

/** The phrase, by which scripts and queries name calls. */
function chatOf(body: unknown): { chat?: string } {
  const asked = z.object({ phrase: z.string() }).safeParse(body);
  if (asked.success) return { chat: asked.data.phrase };
  const searched = z.object({ query: z.object({ queryText: z.string() }) }).safeParse(body);
  return searched.success ? { chat: searched.data.query.queryText } : {};
}
