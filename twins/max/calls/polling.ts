import { z } from "zod";
import { refuse } from "../errors.ts";
import { limits } from "../limits.ts";
import { type Bot, type QueuedUpdate, updateTypes } from "../model.ts";
import { int, read } from "../read.ts";
import type { Max } from "../twin.ts";
import type { ApiCall, Reply } from "./routes.ts";

/** `GET /updates`: answers as soon as there is an update, at the latest after the timeout. */
export async function getUpdates(max: Max, { bot, query, closed }: ApiCall): Promise<Reply> {
  const request = read(pollQuery, query);
  const timeout = AbortSignal.timeout(request.timeout * 1000);
  const ended = AbortSignal.any([timeout, closed, max.context.stopping]);
  for (;;) {
    if (bot.subscriptions.length > 0) {
      throw refuse.method("Long polling is off while the bot has a webhook subscription");
    }
    const found = page(bot, request);
    if (found.updates.length > 0 || ended.aborted || request.timeout === 0) {
      max.store.changed();
      return { body: { updates: found.updates.map(({ update }) => update), marker: found.marker } };
    }
    await max.updates.nextChange(bot, ended);
  }
}

const pollQuery = z.object({
  limit: int.pipe(z.number().min(1).max(limits.page.updates)).default(100),
  timeout: int.pipe(z.number().min(0).max(limits.pollTimeoutSeconds)).default(30),
  marker: int.optional(),
  types: z
    .string()
    .transform((types) => types.split(",").filter((type) => type !== ""))
    .pipe(z.array(z.enum(updateTypes)))
    .optional(),
});

/** A marker confirms everything before it. Without one only the latest update is returned. */
function page(bot: Bot, { limit, marker, types }: z.infer<typeof pollQuery>) {
  const wanted = ({ update }: QueuedUpdate) => !types?.length || types.includes(update.update_type);
  if (marker === undefined) return { updates: bot.updates.filter(wanted).slice(-1), marker: bot.nextMarker };
  bot.updates = bot.updates.filter((queued) => queued.marker >= marker);
  const waiting = bot.updates.filter(wanted);
  const updates = waiting.slice(0, limit);
  const last = updates.at(-1);
  return { updates, marker: last && waiting.length > limit ? last.marker + 1 : bot.nextMarker };
}
