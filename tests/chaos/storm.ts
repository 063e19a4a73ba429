import { rage } from "./adversary.ts";
import { type Balance, balance } from "./books.ts";
import { balanceCorrections, type CorrectionBalance } from "./correction-books.ts";
import { correctAll } from "./corrector.ts";
import { startDatabase, type Takeover } from "./database.ts";
import { drained, watchChannels } from "./drain.ts";
import { startFleet } from "./fleet.ts";
import { prepareHarness } from "./harness.ts";
import { torment, troublesOf } from "./kinds.ts";
import { pictureAt, startMessengers } from "./messengers.ts";
import { postAll, postToNetworks } from "./poster.ts";
import { publishAll } from "./publisher.ts";
import { seededRandom } from "./random.ts";
import type { StormSettings } from "./settings.ts";

/** The figures of a storm. It has passed if `violations` is empty. */
export interface Report extends Balance {
  readonly seed: number;
  readonly kind: string;
  /** Which one it was, and whose. */
  readonly postgres: string;
  readonly kills: number;
  readonly kills_at: Readonly<Record<string, number>>;
  readonly restarts: number;
  readonly cuts: number;
  readonly strikes: number;
  /** How often the trouble was seen to happen. */
  readonly troubles: number;
  /** Seconds from the primary's death to the first post that was accepted, and to the first that arrived, after the promotion. */
  readonly accepted_after_s?: number | undefined;
  readonly arrived_after_s?: number | undefined;
  /** From the first post until nothing was on its way. */
  readonly seconds: number;
  readonly faults: number;
  readonly too_fast: number;
  readonly corrections: Omit<CorrectionBalance, "violations">;
}

/**
 * Several processes send posts while an adversary attacks them, the database and the messengers. Then the test waits
 * until nothing is in progress, and checks the tables.
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
    const database = await startDatabase({
      onSmallDisk: settings.kind === "disk",
      withStandby: settings.kind === "standby",
      withMovableTime: settings.kind === "clocks",
    });
    opened.push(() => database.stop());
    say(database.program);
    const messengers = await startMessengers(settings, random.fork("messengers"));
    opened.push(() => messengers.stop());
    const harness = await prepareHarness(database.url, messengers, settings.chatsPerPost);
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
      kind: settings.kind,
    });
    opened.push(() => fleet.stop());
    await fleet.allReady();
    say(`${roles.length} processes are ready, the storm begins`);
    const began = performance.now();
    const operator = watchChannels(harness);
    const authors = {
      harness,
      apis: fleet.members.filter(({ role }) => role === "api"),
      picture: pictureAt(messengers.url),
      random: random.fork("posts"),
    };
    const posting = Promise.all([postAll(settings, authors), postToNetworks(settings, authors)]);
    const publishing = publishAll(settings, harness, random.fork("product"));
    const correcting = correctAll(settings, harness, random.fork("editor"), messengers.url);
    const adversary = { fleet, database, messengers, random, say };
    const havoc =
      settings.kind === "all" ? await rage(settings, adversary) : await torment(settings, adversary);
    const accepted = (await posting).flat();
    const published = await publishing;
    await correcting;
    await operator.stop();
    messengers.calm();
    say(
      `${havoc.kills} kills, ${havoc.restarts} restarts, ${accepted.length} posts accepted; waiting for the rest`,
    );
    const calmed = await drained(harness, settings, say);
    // Everything is sent by now: corrections from here on change published posts.
    const lastWords = { ...settings, seconds: 2, deliveries: 80 };
    await correctAll(lastWords, harness, random.fork("last words"), messengers.url);
    const ended = calmed && (await drained(harness, settings, say));
    messengers.read();

    const books = await balance({ harness, accepted, published, arrivals: messengers.arrivals });
    const { violations: miscorrected, ...corrections } = await balanceCorrections(
      harness,
      await messengers.shown(),
    );
    const { tooFast } = messengers;
    const violations = [
      ...(ended ? [] : ["something was still on its way when the time was up"]),
      ...books.violations,
      ...miscorrected,
      ...fleet.fallen,
      ...tooFast.map(({ provider, chat, method }) => `too fast: ${provider} ${chat} ${method}`),
    ];
    return {
      seed: settings.seed,
      kind: settings.kind,
      postgres: database.program,
      kills: havoc.kills,
      kills_at: Object.fromEntries([...havoc.at].sort()),
      restarts: havoc.restarts,
      cuts: havoc.cuts,
      strikes: havoc.strikes,
      troubles: troublesOf(settings.kind, havoc, adversary),
      ...(database.takeover && {
        accepted_after_s: firstAfter(
          database.takeover,
          accepted.map(({ answeredAt }) => answeredAt),
        ),
        arrived_after_s: firstAfter(
          database.takeover,
          messengers.arrivals.map(({ at }) => at),
        ),
      }),
      seconds: Math.round((performance.now() - began) / 1_000),
      faults: messengers.faults,
      too_fast: tooFast.length,
      ...books,
      corrections,
      violations,
    };
  } finally {
    await close();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, leave);
  }
}

function firstAfter({ killedAt, promotedAt }: Takeover, times: readonly number[]): number | undefined {
  const after = times.filter((at) => at >= promotedAt);
  return after.length > 0 ? (Math.min(...after) - killedAt) / 1_000 : undefined;
}
