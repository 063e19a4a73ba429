import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, readInput } from "../../shared/index.ts";
import type { Max } from "../twin.ts";

export function optionControls(app: FastifyInstance, { store, webhooks }: Max): void {
  app.get("/_control/max/options", async () => store.world.options);

  app.patch("/_control/max/options", async (request) => {
    Object.assign(store.world.options, definedOnly(readInput(optionsBody, request.body)));
    store.changed();
    return store.world.options;
  });

  /** Webhook retries take minutes to hours; this sends at once what is due by the clock, or all that waits. */
  app.post("/_control/max/webhooks/run", async (request) => {
    const { force } = readInput(z.strictObject({ force: z.boolean().default(false) }), request.body);
    await webhooks.run(force);
    return { waiting: store.world.notices.length };
  });
}

const optionsBody = z.strictObject({
  not_ready_sends: z.int().min(0).max(1000).optional(),
  duplicate_updates: z.int().min(0).max(1000).optional(),
  chat_list: z.boolean().optional(),
});
