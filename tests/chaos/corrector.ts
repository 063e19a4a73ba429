import { setTimeout as delay } from "node:timers/promises";
import { type CorrectDeps, correct, withdraw } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createPlatforms, withTwins } from "../../src/platforms/index.ts";
import type { Harness } from "./harness.ts";
import { pictureAt } from "./messengers.ts";
import { credentialOf, networkPost, networks } from "./networks.ts";
import { numberIn } from "./poster.ts";
import type { Random } from "./random.ts";
import type { StormSettings } from "./settings.ts";

const askAgainMs = 200;
/** This share of all deliveries is corrected, some of them again; and this share of those is removed. */
const correctedShare = 0.15;
const removedShare = 0.25;

/** An editor who corrects or removes posts, in whatever state they are; returns the number of requests. */
export async function correctAll(
  settings: StormSettings,
  harness: Harness,
  random: Random,
  twinsUrl: string,
): Promise<number> {
  const deps = depsOf(harness, twinsUrl);
  const orders = Math.round(settings.deliveries * correctedShare);
  const began = performance.now();
  let given = 0;
  for (let order = 0; order < orders; order++) {
    await delay(Math.max(0, began + (order / orders) * settings.seconds * 1_000 - performance.now()));
    const [place, dice] = [random.next(), random.next()];
    // Networks have few of the deliveries: every fourth order is for them.
    const ofNetworks = order % 4 === 3;
    if (await ordered({ order, place, ofNetworks, removes: dice < removedShare }, harness, deps)) given += 1;
  }
  return given;
}

/** Messengers need not be asked about posts younger than two days; VK is asked whose key it is. */
const depsOf = ({ sql }: Harness, twinsUrl: string): CorrectDeps & { readonly picture: string } => ({
  sql,
  clock: systemClock,
  platforms: createPlatforms(withTwins({}, twinsUrl)),
  credentials: {
    ofPlatform: async (_, platform) => ({
      kind: "ready",
      credential: platform === "vk" ? credentialOf({ messenger: "vk" }) : { token: "1:x" },
    }),
  },
  providers: createProviderClient(),
  picture: pictureAt(twinsUrl),
});

interface Order {
  readonly order: number;
  readonly place: number;
  readonly ofNetworks: boolean;
  readonly removes: boolean;
}

/** The newest posts are the most likely to be corrected, while they are still being sent. False if there is none. */
async function ordered(
  { order, place, ofNetworks, removes }: Order,
  { sql, workspaceId }: Harness,
  deps: ReturnType<typeof depsOf>,
): Promise<boolean> {
  const chosen = ofNetworks
    ? sql`d.workspace_id = ${workspaceId} and c.platform = any (${[...networks]})`
    : sql`d.workspace_id = ${workspaceId} and c.platform <> all (${[...networks]})`;
  for (;;) {
    try {
      const [post] = await sql<{ delivery_id: string; text: string }[]>`
        select d.delivery_id, m.payload ->> 'text' as text
        from delivery.deliveries d join delivery.messages m using (workspace_id, message_id)
        join delivery.channels c using (workspace_id, channel_id)
        where ${chosen}
        order by d.delivery_id desc
        offset floor((
          select count(*) from delivery.deliveries d join delivery.channels c using (workspace_id, channel_id) where ${chosen}
        ) * ${place * place}::float8)
        limit 1`;
      const number = post && numberIn(post.text);
      if (!post || number === undefined) return false;
      const act = { operator: "chaos", reason: "ошибка", now: systemClock.now() };
      const scope = { delivery_ids: [post.delivery_id] };
      const text = `№${number}. Исправлено ${order}: мост откроют во вторник.`;
      if (removes) await withdraw(deps, workspaceId, scope, act);
      else {
        const payload = ofNetworks ? networkPost(number, text, deps.picture) : { text };
        await correct(deps, workspaceId, scope, payload, act);
      }
      return true;
    } catch (error) {
      // The database is unavailable; a statement that it refused would be a bug of the test.
      if (error instanceof Error && "code" in error && /^2[23]/.test(String(error.code))) throw error;
      await delay(askAgainMs);
    }
  }
}
