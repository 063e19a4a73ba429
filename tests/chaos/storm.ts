import { rage } from "./adversary.ts";
import { type Balance, balance } from "./books.ts";
import { startDatabase } from "./database.ts";
import { drained, watchChannels } from "./drain.ts";
import { startFleet } from "./fleet.ts";
import { prepareHarness } from "./harness.ts";
import { startMessengers } from "./messengers.ts";
import { postAll } from "./poster.ts";
import { seededRandom } from "./random.ts";
import type { StormSettings } from "./settings.ts";

/** The figures of a storm. Everything is well when `violations` is empty. */
export interface Report extends Balance {
  readonly seed: number;
  readonly kills: number;
  readonly kills_at: Readonly<Record<string, number>>;
  readonly restarts: number;
  readonly cuts: number;
  readonly faults: number;
  readonly too_fast: number;
}

/**
 * Several processes carry posts while an adversary does to them, to the database and to the messengers what the world may
 * do. Then everybody is left in peace until nothing is on its way any more, and the books are balanced.
 */
export async function storm(settings: StormSettings, say: (text: string) => void): Promise<Report> {
  const random = seededRandom(settings.seed);
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let last = opened.pop(); last; last = opened.pop()) await last();
  };
  // The processes and the database would outlive us.
  const leave = () => void close().finally(() => process.exit(1));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, leave);
  try {
    const database = await startDatabase();
    opened.push(() => database.stop());
    const messengers = await startMessengers(settings, random.fork("messengers"));
    opened.push(() => messengers.stop());
    const harness = await prepareHarness(database.url, messengers.chats, settings.chatsPerPost);
    opened.push(() => harness.sql.end({ timeout: 5 }));
    const roles = (["api", "dispatcher", "monitor"] as const).flatMap((role) =>
      Array.from({ length: settings.processes[role] }, () => role),
    );
    const fleet = await startFleet({
      roles,
      databaseUrl: () => database.url,
      messengersUrl: messengers.url,
      tokens: messengers.tokens,
      random: random.fork("clocks"),
    });
    opened.push(() => fleet.stop());
    await fleet.allReady();
    say(`${roles.length} processes are ready, the storm begins`);
    const operator = watchChannels(harness);
    const posting = postAll(settings, {
      harness,
      apis: fleet.members.filter(({ role }) => role === "api"),
      picture: `${messengers.url}/demo/lake.jpg`,
      random: random.fork("posts"),
    });
    const havoc = await rage(settings, { fleet, database, messengers, random, say });
    const accepted = await posting;
    await operator.stop();
    messengers.calm();
    say(
      `${havoc.kills} kills, ${havoc.restarts} restarts, ${accepted.length} posts accepted; waiting for the rest`,
    );
    const ended = await drained(harness, settings, say);
    messengers.read();

    const books = await balance({ harness, accepted, arrivals: messengers.arrivals });
    const violations = [
      ...(ended ? [] : ["something was still on its way when the time was up"]),
      ...books.violations,
      ...fleet.fallen,
      ...messengers.tooFast.map(({ provider, chat, method }) => `too fast: ${provider} ${chat} ${method}`),
    ];
    return {
      seed: settings.seed,
      kills: havoc.kills,
      kills_at: Object.fromEntries([...havoc.at].sort()),
      restarts: havoc.restarts,
      cuts: havoc.cuts,
      faults: messengers.faults,
      too_fast: messengers.tooFast.length,
      ...books,
      violations,
    };
  } finally {
    await close();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, leave);
  }
}
