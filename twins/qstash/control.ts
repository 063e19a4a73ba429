import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, readInput } from "../shared/index.ts";
import { signatureFlaws } from "./model.ts";
import type { QStash } from "./twin.ts";
import { wireDeadLetter, wireMessage, wireSchedule } from "./wire.ts";

const optionsBody = z.strictObject({
  token: z.string().min(1).optional(),
  schedule_quota: z.int().min(0).optional(),
  duplicates: z.int().min(0).max(10).optional(),
  held: z.boolean().optional(),
  flaw: z.enum(signatureFlaws).nullable().optional(),
});
const runBody = z.strictObject({ all: z.boolean().default(false) });

/** Actions of people and tests, below `/_control/qstash`. Time is moved by `POST /_control/clock`. */
export async function controlRoutes(app: FastifyInstance, { store, deliveries }: QStash): Promise<void> {
  const { world } = store;
  const base = "/_control/qstash";
  app.get(`${base}/keys`, async () => world.keys);
  app.post(`${base}/keys/rotate`, async () => store.rotateKeys());
  app.get(`${base}/schedules`, async () => ({ schedules: world.schedules.map(wireSchedule) }));
  app.get(`${base}/messages`, async () => ({
    waiting: world.messages.map((message) => ({ ...wireMessage(message), retried: message.retried })),
    dead: world.dlq.map(wireDeadLetter),
  }));
  app.post(`${base}/run`, async (request) => ({
    sent: await deliveries.run(readInput(runBody, request.body)),
  }));
  app.patch(`${base}/options`, async (request) => {
    const { schedule_quota, ...change } = readInput(optionsBody, request.body);
    Object.assign(world, definedOnly({ ...change, scheduleQuota: schedule_quota }));
    store.changed();
    deliveries.wake();
    const { scheduleQuota, duplicates, held, flaw } = world;
    return { schedule_quota: scheduleQuota, duplicates, held, flaw };
  });
}
