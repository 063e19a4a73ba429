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
import { chanceOf } from "../web/chance.ts";
import { questionsFor, relatedSearchesFor, resultsFor } from "../web/results.ts";
import { jsonOf, scripted, takeText } from "../web/wire.ts";

interface World {
  key: string;
  credits: number;
}

const freshWorld = (): World => ({ key: "molva-demo-serper-0000000000000000", credits: 2_500 });

const query = z.object({
  q: z.string().min(1),
  gl: z.string().length(2).default("us"),
  hl: z.string().min(2).max(5).default("en"),
  num: z.int().min(1).max(100).default(10),
  page: z.int().min(1).default(1),
});

const accountBody = z.strictObject({ key: z.string().min(1).optional(), credits: z.int().min(0).optional() });

const perSecond = 50;

/** Serper: results of Google. Blocks that a query does not have are left out. */
export function createSerperTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("serper") ?? freshWorld();
  const changed = () => context.state.changed("serper", () => world);
  const rates = createRates(context.clock);

  function work(key: unknown, body: unknown, flaw?: AnswerFlaw): Answer {
    if (key !== world.key) return refused(403, "Unauthorized.");
    const given = jsonOf(body);
    const read = z.union([query.transform((one) => [one]), z.array(query).min(1)]).safeParse(given);
    if (!read.success) return refused(400, "Missing query parameter");
    const wait = context.options.rateLimits
      ? rates.take([{ key: "serper", count: perSecond, perMs: 1_000 }])
      : undefined;
    if (wait !== undefined) return refused(429, "Too many requests");
    const credits = read.data.reduce((sum, { num }) => sum + (num > 10 ? 2 : 1), 0);
    if (credits > world.credits) return refused(400, "Not enough credits");
    world.credits -= credits;
    changed();
    const found = read.data.map((one) => answerTo(one, flaw === "empty"));
    return { status: 200, body: Array.isArray(given) ? found : found[0] };
  }

  return {
    name: "serper",
    async mount(app) {
      takeText(app);
      app.post("/serper/search", (request, reply) => {
        const body = jsonOf(request.body);
        const asked = query.safeParse(body);
        return answerCall(context, reply, {
          call: { provider: "serper", method: "POST /search", ...(asked.success && { chat: asked.data.q }) },
          request: body ?? null,
          work: async (flaw) => work(request.headers["x-api-key"], request.body, flaw),
          refusal: (fault) =>
            scripted(fault, ({ status, description }) => ({
              message: description ?? "Scripted",
              statusCode: status,
            })),
        });
      });
      app.get("/_control/serper/account", async () => world);
      app.patch("/_control/serper/account", async (request) => {
        Object.assign(world, definedOnly(readInput(accountBody, jsonOf(request.body))));
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

function answerTo({ q, gl, hl, num, page }: z.output<typeof query>, empty: boolean) {
  const found = empty || page > 1 ? [] : resultsFor(q, "google");
  const questions = empty ? [] : questionsFor(q);
  const related = empty ? [] : relatedSearchesFor(q);
  const chance = chanceOf("serper", q);
  return {
    searchParameters: { q, gl, hl, type: "search", num, engine: "google" },
    organic: found.slice(0, num).map(({ title, url, snippet }, at) => ({
      title,
      link: url,
      ...(chance.below(12) > 0 && { snippet }),
      position: at + 1,
      ...(chance.below(3) === 0 && { date: "12 окт. 2026 г." }),
    })),
    ...(questions.length > 0 && {
      peopleAlsoAsk: questions.map(({ question, snippet, title, url }) => ({
        question,
        snippet,
        title,
        link: url,
      })),
    }),
    ...(related.length > 0 && { relatedSearches: related.map((each) => ({ query: each })) }),
    credits: num > 10 ? 2 : 1,
  };
}

function refused(status: number, message: string): Answer {
  return { status, body: { message, statusCode: status } };
}
