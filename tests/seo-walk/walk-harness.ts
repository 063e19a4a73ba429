/** One business, its works, and people who walk through the bot: shared by the walks. */
import { aPerson, type Person } from "../../src/dialogs/testing/harness.ts";
import { traced } from "../../src/dialogs/testing/walk.ts";
import { createWatch } from "../../src/dialogs/testing/watch.ts";
import { botFlows, botScreens } from "../../src/seo/bot/bot.ts";
import { keyboard } from "../../src/seo/bot/keyboard.ts";
import { meet } from "../../src/seo/bot/meet.ts";
import type { BotServices } from "../../src/seo/bot/services.ts";
import { both } from "../../src/seo/bot/texts/index.ts";
import { startSeoBot } from "../support/seo-bot.ts";
import { sameInAllLanguages } from "./walk-names.ts";
import { walkRuns, works } from "./walk-runs.ts";
import { walkEnvironment, walkWorld } from "./walk-world.ts";

export type Walking = Awaited<ReturnType<typeof startWalking>>;

/** The bot's steps are taken by the people of the walk, its works by whoever wants them done. */
export async function startWalking(environment: Readonly<Record<string, string>> = {}) {
  const harness = await startSeoBot({
    ...{ bots: false, jobs: false, business: false },
    environment: { ...walkEnvironment, ...environment },
  });
  const world = await walkWorld(harness, (await harness.person()).id);
  const runs = walkRuns(world);
  const trace = traced<BotServices>(botFlows);
  const { sql, services, workspaceId } = harness;
  return {
    ...{ harness, world, runs, trace },
    walker: (userId: number, language: "ru" | "en" = "ru"): Promise<Person> =>
      aPerson<BotServices>({
        ...{ sql, services, workspaceId, flows: trace.flows, screens: botScreens, keyboard, meet, language },
        ...{ home: "screen:dashboard", userId: String(userId), begins: new Date() },
        ...{ house: { texts: both((t) => t.engine) }, longestText: 99_999 },
      }),
    /** Looks at screens; what was written until now is data, which nobody translates. */
    async watching() {
      for (const work of works) await runs.template(work);
      const written = await world.written();
      const isData = (words: string) => written.includes(words);
      return createWatch({ flows: botFlows, screens: botScreens, names: sameInAllLanguages, isData });
    },
    close: () => harness.close(),
  };
}
