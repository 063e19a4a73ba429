import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../shared/index.ts";
import type { Deps } from "./deps.ts";

/** For people and tests: the provider's keys. */
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
}

const keyBody = z.strictObject({
  key: z.string(),
  label: z.string().optional(),
  /** Dollars that the key may spend. */
  credits: z.number().optional(),
  /** Requests a minute. */
  rpm: z.int().min(1).optional(),
});
