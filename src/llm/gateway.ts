import { setTimeout as delay } from "node:timers/promises";
import type { ModelMessage } from "ai";
import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Log } from "../kernel/log/index.ts";
import type { Metrics } from "../kernel/metrics/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";
import { createAnswerShapes } from "./answer-shapes.ts";
import type {
  Answered,
  Ask,
  AskImages,
  AskObject,
  CallMeta,
  ImagesAnswer,
  ObjectAnswer,
  Part,
  PictureAsk,
  TextAnswer,
  WordStream,
} from "./ask.ts";
import { type Reserved, reserve } from "./calls/books.ts";
import type { CallDeps } from "./calls/call-deps.ts";
import { createCallSettler } from "./calls/call-settler.ts";
import { judgeObject, judgeText } from "./calls/judge-answer.ts";
import { judgePicture } from "./calls/open-picture.ts";
import type { Question } from "./calls/question.ts";
import { reservationFor } from "./calls/reserve-price.ts";
import { runCall, runPictures } from "./calls/run-call.ts";
import { createTextStream } from "./calls/text-stream.ts";
import { estimateOf } from "./estimate.ts";
import type { LlmErrorCode } from "./failures.ts";
import { createCallMetrics } from "./metrics.ts";
import { createBriefings } from "./policies/briefings.ts";
import { createPromptReader } from "./prompts/prompt-reader.ts";
import { renderPrompt, VariableMissing } from "./prompts/render-prompt.ts";
import { type CircuitState, createCircuits } from "./providers/circuits.ts";
import type { JsonSchema } from "./providers/model-call.ts";
import { type ProviderName, type Providers, providerNames } from "./providers/settings.ts";
import { createSeeds, readSeedFiles, type SeedFiles } from "./seed.ts";

/** The only access to language models. Failures that callers handle are values; an exception means a bug in the caller. */
export interface Gateway {
  text(ask: Ask): Promise<Answered<TextAnswer>>;
  /** An answer that fits a schema: repaired once by the same model, then by the fallbacks. */
  object<T>(ask: AskObject<T>): Promise<Answered<ObjectAnswer<T>>>;
  /** Up to ten pictures at the same time; a failure only if none was drawn. */
  images(ask: AskImages): Promise<Answered<ImagesAnswer>>;
  /** Text as it comes. Another model is asked only while no text has come. */
  stream(ask: Ask): WordStream;
  /** Adds the release's policies, prices and prompts to a workspace; calls do it by themselves. */
  ensure(workspaceId: string): Promise<void>;
  providers(): readonly ProviderView[];
  /** Removes a person from the records of calls; the spending stays with the workspace. */
  forgetUser(workspaceId: string, userId: string): Promise<void>;
  /** Resolves when every answered call is settled. */
  settled(): Promise<void>;
}

export interface ProviderView {
  readonly provider: ProviderName;
  readonly configured: boolean;
  readonly host: string | null;
  readonly circuit: CircuitState["state"];
  readonly failures: number;
  readonly until: Date | null;
}

export interface GatewayDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  /** The client for addresses from the configuration. */
  readonly http: HttpClient;
  readonly providers: Providers;
  readonly appUrl: string;
  readonly metrics?: Metrics | undefined;
  readonly files?: () => Promise<SeedFiles>;
  readonly random?: () => number;
  readonly pause?: CallDeps["pause"];
}

export function createGateway(given: GatewayDeps): Gateway {
  const circuits = createCircuits(given.clock);
  const promptIn = createPromptReader();
  const shapeIn = createAnswerShapes();
  const briefings = createBriefings(given.sql);
  const pause = given.pause ?? quietPause;
  const settler = createCallSettler({ ...given, pause });
  const seeds = createSeeds(given, given.files ?? (() => readSeedFiles()));
  const deps: CallDeps = {
    ...given,
    circuits,
    settler,
    pause,
    metrics: given.metrics && createCallMetrics(given.metrics),
    random: given.random ?? Math.random,
  };

  /** Prepares the question, or one for each picture, and reserves the price; again if the policy has changed meanwhile. */
  async function prepared(
    ask: Ask,
    kind: Question<unknown>["kind"],
    { schema, pictures }: { schema?: JsonSchema; pictures?: readonly PictureAsk[] } = {},
  ): Promise<Prepared> {
    await seeds.ensure(ask.workspaceId);
    for (;;) {
      const { stamp, policy, prompt, prices } = await briefings.of(ask);
      if (!policy) return refused(ask, "policy_missing", `there is no policy ${ask.policy}`);
      if (!policy.enabled) return refused(ask, "policy_disabled", `policy ${ask.policy} is switched off`);
      if (!prompt) return refused(ask, "prompt_missing", `there is no active prompt ${ask.prompt.name}`);
      const facts = { kind, policy, prices, stamp, promptVersion: prompt.version };
      const words = promptIn(prompt.body, ask.prompt.name);
      const basisOf = (each: Ask, picture?: PictureAsk): Basis => {
        const { system, user } = renderPrompt(words, each.prompt);
        const messages = messagesOf(each, user);
        const shapeText = schema ? JSON.stringify(schema) : "";
        const estimate = estimateOf(system, messages, shapeText, policy.max_tokens, picture ? 1 : 0);
        return { ...facts, ask: each, system, messages, estimate, ...(picture && { picture }) };
      };
      let lanes: readonly Basis[];
      try {
        lanes = pictures
          ? pictures.map((picture) => basisOf(forPicture(ask, picture), picture))
          : [basisOf(ask)];
      } catch (error) {
        if (error instanceof VariableMissing) return refused(ask, "variable_missing", error.message);
        throw error;
      }
      const reserved = await reserve(deps, reservationFor(lanes));
      const [basis] = lanes;
      if (reserved.refused !== "stale" && basis) return { ok: true, basis, lanes, reserved };
      briefings.forget(ask);
    }
  }

  async function repairWith(ask: Ask, errors: string) {
    const { prompt } = await briefings.fresh({ ...ask, prompt: { name: repairPrompt } });
    if (!prompt) throw new Error(`there is no active prompt ${repairPrompt}`);
    const { system, user = "" } = renderPrompt(promptIn(prompt.body, repairPrompt), {
      name: repairPrompt,
      data: { errors },
    });
    return { system, user };
  }

  return {
    async text(ask) {
      const ready = await prepared(ask, "text");
      return ready.ok ? runCall({ ...ready.basis, judge: judgeText }, ready.reserved, deps) : ready.answered;
    },

    async object(ask) {
      const schema = await shapeIn(ask.schema, ask.schemaName);
      const ready = await prepared(ask, "object", { schema });
      if (!ready.ok) return ready.answered;
      return runCall(
        {
          ...ready.basis,
          shape: { name: ask.schemaName, schema },
          judge: (said) => judgeObject(said, ask.schema),
          repair: (errors) => repairWith(ask, errors),
        },
        ready.reserved,
        deps,
      );
    },

    async images({ pictures, ...ask }) {
      if (pictures.length < 1 || pictures.length > mostPictures)
        throw new Error(`${pictures.length} pictures are asked for; a call draws one to ${mostPictures}`);
      const ready = await prepared(ask, "images", { pictures });
      if (!ready.ok) return ready.answered;
      const lanes = ready.lanes.map((basis) => ({ ...basis, judge: judgePicture }));
      return runPictures(lanes, ready.reserved, deps);
    },

    stream(ask) {
      const { words, signal, say, end } = createTextStream(ask.signal);
      const answered = (async () => {
        try {
          const asked = { ...ask, signal };
          const ready = await prepared(asked, "stream");
          if (!ready.ok) return ready.answered;
          return await runCall({ ...ready.basis, judge: judgeText, onWords: say }, ready.reserved, deps);
        } finally {
          end();
        }
      })();
      // A caller that reads only the text must not crash the process with an unhandled rejection.
      answered.catch(() => {});
      return { words, answered };
    },

    ensure: (workspaceId) => seeds.ensure(workspaceId),

    providers: () =>
      providerNames.map((provider) => {
        const settings = deps.providers[provider];
        const { state, failures, until = null } = circuits.state(provider);
        return {
          ...{ provider, configured: settings !== undefined, failures, until, circuit: state },
          host: settings ? new URL(settings.baseUrl).host : null,
        };
      }),

    settled: () => settler.done(),

    async forgetUser(workspaceId, userId) {
      await deps.sql`select llm.forget_user(${workspaceId}, ${userId})`;
    },
  };
}

/** The prompt that asks a model to repair an answer of the wrong shape. */
const repairPrompt = "structured-repair";

/** As many as OpenRouter's API for pictures draws at once. */
const mostPictures = 10;

type Basis = Omit<Question<never>, "judge" | "repair" | "onWords" | "shape">;

type Prepared =
  | {
      readonly ok: true;
      readonly basis: Basis;
      /** Several only for pictures. */
      readonly lanes: readonly Basis[];
      readonly reserved: Reserved;
    }
  | {
      readonly ok: false;
      readonly answered: {
        readonly ok: false;
        readonly error: { code: LlmErrorCode; message: string };
        readonly meta: CallMeta;
      };
    };

function refused(ask: Ask, code: LlmErrorCode, message: string): Prepared {
  const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, costUsd: 0 };
  const meta = { policy: ask.policy, requests: 0, fallbackUsed: false, repaired: false, usage, latencyMs: 0 };
  return { ok: false, answered: { ok: false, error: { code, message }, meta } };
}

function forPicture({ prompt, ...ask }: Ask, { data, references }: PictureAsk): Ask {
  return {
    ...ask,
    prompt: { ...prompt, data: { ...prompt.data, ...data } },
    ...(references && { parts: references }),
  };
}

/** Untrusted text goes into user messages only, never into the system part. */
function messagesOf({ turns = [], parts = [], prompt }: Ask, user: string | undefined): ModelMessage[] {
  const asked = [...(user ? [{ type: "text" as const, text: user }] : []), ...parts.map(partOf)];
  if (asked.length === 0) throw new Error(`prompt ${prompt.name}: nothing is asked`);
  return [
    ...turns.map(({ role, text }): ModelMessage => ({ role, content: text })),
    { role: "user", content: asked },
  ];
}

function partOf(part: Part) {
  if (part.type === "text") return { type: "text" as const, text: part.text };
  return { type: "file" as const, data: part.bytes, mediaType: part.mediaType };
}

async function quietPause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
}
