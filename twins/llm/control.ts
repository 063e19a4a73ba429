import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../shared/index.ts";
import type { Deps } from "./deps.ts";
import { taskNames } from "./tasks/index.ts";

/** For people and tests: the provider's keys, and what its models answer next. */
export async function controlRoutes(app: FastifyInstance, { brand, store }: Deps): Promise<void> {
  const base = `/_control/${brand.name}`;
  app.post(`${base}/keys`, async (request) => {
    const { key, label = "test", ...rest } = readInput(keyBody, request.body);
    if (!brand.keyShape.test(key)) throw new InputError(`key: must match ${brand.keyShape}`);
    store.putKey({ key, label, usage: 0, ...definedOnly(rest) });
    return { ok: true };
  });
  app.delete(`${base}/keys/:key`, async (request) => {
    const { key } = readInput(z.object({ key: z.string() }), request.params);
    if (!store.removeKey(key)) throw new InputError("key: there is no such key", 404);
    return { ok: true };
  });
  app.get(`${base}/answers`, async () => ({ tasks: taskNames, answers: store.answers() }));
  app.post(`${base}/answers`, async (request) => {
    const { task, answer, times = 1 } = readInput(answerBody, request.body);
    if (!taskNames.includes(task)) throw new InputError(`task: must be one of ${taskNames.join(", ")}`);
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    store.giveAnswer({ task, text, ...(times !== "always" && { times }) });
    return { ok: true };
  });
  app.delete(`${base}/answers`, async () => {
    store.forgetAnswers();
    return { ok: true };
  });
}

const answerBody = z.strictObject({
  task: z.string(),
  /** As the model sends it: an object is sent as JSON. */
  answer: z.union([z.string(), z.record(z.string(), z.unknown())]),
  times: z.union([z.int().min(1), z.literal("always")]).optional(),
});

const keyBody = z.strictObject({
  key: z.string(),
  label: z.string().optional(),
  /** Dollars that the key may spend. */
  credits: z.number().optional(),
  /** Requests a minute. */
  rpm: z.int().min(1).optional(),
});
