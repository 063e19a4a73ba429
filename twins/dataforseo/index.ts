import { z } from "zod";
import {
  type Answer,
  type AnswerFlaw,
  answerCall,
  createRates,
  definedOnly,
  readInput,
  type Twin,
  type TwinContext,
} from "../shared/index.ts";
import { normal } from "../web/phrases.ts";
import { jsonOf, scripted, takeText } from "../web/wire.ts";
import { calls, type Done } from "./calls.ts";
import { languages, limits, locations } from "./limits.ts";
import { freshWorld, type World } from "./model.ts";
import { TaskError } from "./task.ts";

const accountBody = z.strictObject({
  login: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
  balance: z.number().optional(),
});

const pageBody = z.strictObject({
  keyword: z.string().min(1).transform(normal),
  url: z.url({ protocol: /^https?$/ }),
  position: z.int().min(1).max(limits.serp.depth).nullable(),
});

/**
 * DataForSEO API v3: phrases, volumes, difficulty, intents, search results. Refusals of a task come with status 200,
 * inside the envelope; only a wrong key, an empty account and an unknown path have a status of their own.
 */
export function createDataForSeoTwin(context: TwinContext): Twin {
  const world: World = { ...freshWorld(), ...context.state.load<World>("dataforseo") };
  const changed = () => context.state.changed("dataforseo", () => world);
  const rates = createRates(context.clock);

  function envelope(path: string, data: unknown, ended: Ended): unknown {
    world.tasks += 1;
    changed();
    const { code, message, cost = 0, result = null } = ended;
    const number = String(world.tasks).padStart(4, "0");
    return {
      ...head(20000, "Ok.", cost),
      tasks_count: 1,
      tasks_error: code === 20000 ? 0 : 1,
      tasks: [
        {
          id: `11170900-1535-${number}-0000-7b2c5f0a${number}`,
          status_code: code,
          status_message: message,
          time: "0.1 sec.",
          cost,
          result_count: result?.length ?? 0,
          path: ["v3", ...path.split("/").filter(Boolean)],
          data,
          result,
        },
      ],
    };
  }

  function work(path: string, auth: string | undefined, body: unknown, flaw?: AnswerFlaw): Answer {
    const { account } = world;
    if (auth !== `Basic ${btoa(`${account.login}:${account.password}`)}`)
      return { status: 401, body: failed(40100, "You are not Authorized to Access this resource.") };
    const call = calls[path];
    if (!call) return { status: 404, body: failed(40400, "Not Found.") };
    const tasks = jsonOf(body);
    if (!Array.isArray(tasks)) return { status: 200, body: failed(40503, "POST Data Is Invalid.") };
    if (tasks.length === 0) return { status: 200, body: failed(40502, "POST Data Is Empty.") };
    if (tasks.length > 1) return { status: 200, body: failed(40000, "You can set only one task at a time.") };
    if (account.balance <= 0) return { status: 402, body: failed(40200, "Payment Required.") };
    const [task] = tasks;
    const reply = (ended: Ended): Answer => ({ status: 200, body: envelope(path, task, ended) });
    if (call.ads && context.options.rateLimits) {
      const wait = rates.take([{ key: "ads", count: limits.adsPerMinute, perMs: 60_000 }]);
      if (wait !== undefined) return reply({ code: 40202, message: "Rate Limit Per Minute Exceeded." });
    }
    try {
      const { result, cost } = call.run(task, new Date(context.clock.now()), world.pages);
      account.balance -= cost;
      // Charged all the same.
      if (flaw === "error") return reply({ code: 40101, message: "Internal SE Server Error.", cost });
      if (flaw === "empty") return reply({ code: 40102, message: "No Search Results.", cost });
      return reply({ code: 20000, message: "Ok.", cost, result });
    } catch (error) {
      if (error instanceof TaskError) return reply({ code: error.code, message: error.message });
      throw error;
    }
  }

  return {
    name: "dataforseo",
    async mount(app) {
      takeText(app);
      app.post("/dataforseo/v3/*", (request, reply) => {
        const path = new URL(request.url, "http://twin").pathname.slice("/dataforseo/v3".length);
        const { authorization } = request.headers;
        return answerCall(context, reply, {
          call: { provider: "dataforseo", method: `POST ${path}`, ...chatOf(jsonOf(request.body)) },
          request: jsonOf(request.body) ?? null,
          work: async (flaw) => work(path, authorization, request.body, flaw),
          // A number of DataForSEO's own stands inside the envelope, with status 200.
          refusal: (fault) =>
            fault.code === undefined
              ? scripted(fault, ({ status, description }) => failed(status * 100, description ?? "Scripted."))
              : {
                  status: 200,
                  body: envelope(path, null, { code: fault.code, message: fault.description ?? "Scripted." }),
                },
        });
      });
      app.get("/dataforseo/v3/dataforseo_labs/locations_and_languages", (_request, reply) =>
        answerCall(context, reply, {
          call: { provider: "dataforseo", method: "GET /dataforseo_labs/locations_and_languages" },
          request: null,
          work: async () => ({
            status: 200,
            body: envelope("/dataforseo_labs/locations_and_languages", null, {
              code: 20000,
              message: "Ok.",
              result: locations.map((each) => ({
                ...each,
                available_languages: languages.map((language_code) => ({ language_code })),
              })),
            }),
          }),
          refusal: (fault) => scripted(fault, ({ status }) => failed(status * 100, "Scripted.")),
        }),
      );
      app.get("/_control/dataforseo/account", async () => world.account);
      app.patch("/_control/dataforseo/account", async (request) => {
        Object.assign(world.account, definedOnly(readInput(accountBody, jsonOf(request.body))));
        changed();
        return world.account;
      });
      /** Puts a page at a place among the results for a phrase, or takes it out. */
      app.put("/_control/dataforseo/pages", async (request) => {
        const { keyword, url, position } = readInput(pageBody, jsonOf(request.body));
        const others = world.pages.filter((each) => each.keyword !== keyword || each.url !== url);
        world.pages = position === null ? others : [...others, { keyword, url, position }];
        changed();
        return world.pages;
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

interface Ended extends Partial<Done> {
  readonly code: number;
  readonly message: string;
}

function head(code: number, message: string, cost = 0) {
  return { version: "0.1.20261001", status_code: code, status_message: message, time: "0.2 sec.", cost };
}

function failed(code: number, message: string) {
  return { ...head(code, message), tasks_count: 0, tasks_error: 0, tasks: null };
}

/** The phrase of the task, by which scripts and queries name calls. */
function chatOf(tasks: unknown): { chat?: string } {
  const task = Array.isArray(tasks) ? tasks[0] : undefined;
  const keyword = typeof task === "object" && task !== null ? Reflect.get(task, "keyword") : undefined;
  return typeof keyword === "string" ? { chat: keyword } : {};
}
