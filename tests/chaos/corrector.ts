import { setTimeout as delay } from "node:timers/promises";
import { type CorrectDeps, correct, withdraw } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createPlatforms } from "../../src/platforms/index.ts";
import type { Harness } from "./harness.ts";
import { numberIn } from "./poster.ts";
import type { Random } from "./random.ts";
import type { StormSettings } from "./settings.ts";

const askAgainMs = 200;
/** This share of all deliveries is corrected, some of them again; and this share of those is removed. */
const correctedShare = 0.15;
const removedShare = 0.25;

/** An editor who corrects or removes posts, in whatever state they are; returns the number of requests. */
export async function correctAll(settings: StormSettings, harness: Harness, random: Random): Promise<number> {
  const deps = depsOf(harness);
  const orders = Math.round(settings.deliveries * correctedShare);
  const began = performance.now();
  let given = 0;
  for (let order = 0; order < orders; order++) {
    await delay(Math.max(0, began + (order / orders) * settings.seconds * 1_000 - performance.now()));
    const [place, dice] = [random.next(), random.next()];
    if (await ordered(order, place, dice < removedShare, harness, deps)) given += 1;
  }
  return given;
}

/** Posts younger than two days need no check at the provider. */
const depsOf = ({ sql }: Harness): CorrectDeps => ({
  sql,
  clock: systemClock,
  platforms: createPlatforms({ TELEGRAM_API_ROOT: "http://127.0.0.1:9", MAX_API_ROOT: "http://127.0.0.1:9" }),
  credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "1:x" } }) },
  providers: { request: () => Promise.reject(new Error("nobody is asked")) },
});

/** The newest posts are the most likely to be corrected, while they are still being sent. False if there is none. */
async function ordered(
  order: number,
  place: number,
  removes: boolean,
  { sql, workspaceId }: Harness,
  deps: CorrectDeps,
): Promise<boolean> {
  for (;;) {
    try {
      const [post] = await sql<{ delivery_id: string; text: string }[]>`
        select d.delivery_id, m.payload ->> 'text' as text
        from delivery.deliveries d join delivery.messages m using (workspace_id, message_id)
        where d.workspace_id = ${workspaceId}
        order by d.delivery_id desc
        offset floor((select count(*) from delivery.deliveries where workspace_id = ${workspaceId}) * ${place * place}::float8)
        limit 1`;
      const number = post && numberIn(post.text);
      if (!post || number === undefined) return false;
      const act = { operator: "chaos", reason: "ошибка", now: systemClock.now() };
      const scope = { delivery_ids: [post.delivery_id] };
      const text = `№${number}. Исправлено ${order}: мост откроют во вторник.`;
      if (removes) await withdraw(deps, workspaceId, scope, act);
      else await correct(deps, workspaceId, scope, { text }, act);
      return true;
    } catch (error) {
      // The database is unavailable; a statement that it refused would be a bug of the test.
      if (error instanceof Error && "code" in error && /^2[23]/.test(String(error.code))) throw error;
      await delay(askAgainMs);
    }
  }
}
