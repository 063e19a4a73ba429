/** Texts that are written anew while a provider fails: the text before stays, and the attempt costs nothing. */
import { z } from "zod";
import { decideDeps } from "../../../src/seo/bot/articles/review-states.ts";
import { regeneratePost } from "../../../src/seo/posts/decide-post.ts";
import { regenerateArticle } from "../../../src/seo/publish/decide-article.ts";
import { type RunDetail, readRun } from "../../../src/seo/runs/read-runs.ts";
import { regenerateText } from "../../../src/seo/texts/decide-on-text.ts";
import type { FaultKind } from "../../../twins/index.ts";
import type { Work } from "../walk-runs.ts";
import { keptBy, performed } from "./faulty-runs.ts";
import type { FaultyWorld } from "./faulty-world.ts";
import { objects } from "./provider-faults.ts";

/** What can be written anew. */
const regenerable = [
  "article",
  "post",
  "pin",
  "crossPost",
  "description",
  "reviews",
] as const satisfies readonly Work[];

/** Refused, broken off, never answered, unreadable, useless, without a picture; then nowhere to put the picture. */
export const roundFaults: readonly { readonly provider: string; readonly fault: FaultKind }[] = [
  { provider: "openrouter", fault: { kind: "status", status: 401 } },
  { provider: "openrouter", fault: { kind: "status", status: 500 } },
  { provider: "openrouter", fault: { kind: "status", status: 429 } },
  { provider: "openrouter", fault: { kind: "drop_before" } },
  { provider: "openrouter", fault: { kind: "hang" } },
  { provider: "openrouter", fault: { kind: "malformed" } },
  { provider: "openrouter", fault: { kind: "answer", flaw: "refusal" } },
  { provider: "openrouter", fault: { kind: "answer", flaw: "invalid" } },
  { provider: "openrouter", fault: { kind: "answer", flaw: "no_image" } },
  { provider: objects, fault: { kind: "status", status: 503 } },
];

export interface Round {
  readonly work: (typeof regenerable)[number];
  /** Whether it costs what the first round has cost. */
  readonly isPaid: boolean;
  readonly before: RunDetail;
  readonly run: RunDetail;
}

/** Has every text written anew while the provider fails, for nothing and for tokens. Returns how it ended. */
export async function regeneratedWhile(
  faulty: FaultyWorld,
  { provider, fault }: (typeof roundFaults)[number],
): Promise<Round[]> {
  const { world, runs } = faulty;
  const { sql, whose } = world;
  const read = (runId: string) => readRun(sql, whose.workspaceId, runId, whose.userId);
  const begun: Omit<Round, "run">[] = [];
  for (const work of regenerable)
    for (const isPaid of [false, true]) {
      await world.hourLater();
      const runId = await runs.reviewed(work, isPaid ? freeRounds : 0);
      const before = await read(runId);
      await regenerate(faulty, work, runId);
      begun.push({ work, isPaid, before });
    }
  await faulty.failing([provider], fault, () =>
    Promise.all(begun.map(({ before }) => performed(faulty, before.run_id))),
  );
  return Promise.all(begun.map(async (round) => ({ ...round, run: await read(round.before.run_id) })));
}

/** As rules.ts has it unless somebody sets it. */
const freeRounds = 2;

function regenerate({ world }: FaultyWorld, work: Round["work"], runId: string): Promise<unknown> {
  const { services, whose } = world;
  if (work === "article") return regenerateArticle(decideDeps(services), whose, runId);
  if (work === "description" || work === "reviews") return regenerateText(services, whose, runId);
  const { articles, runs, cleanUp } = services;
  return regeneratePost({ ...articles, runs, cleanUp }, whose, runId);
}

const counted = z.object({ regenerations: z.int() });

/** What is wrong with the end of a round; nothing if the text before stayed for nothing, or another one came. */
export function faultsOfRound({ before, run }: Round): string[] {
  if (run.status !== "review") return [`it ends as ${run.status}`];
  const isNew = counted.parse(run.result).regenerations > counted.parse(before.result).regenerations;
  if (isNew) return [];
  const isKept = textOf(run) === textOf(before);
  return [
    ...(isKept ? [] : ["the text before is lost"]),
    ...(keptBy(run) > keptBy(before) ? [`${keptBy(run) - keptBy(before)} tokens are charged`] : []),
  ];
}

/** The result but for what is said about it. */
function textOf({ result }: RunDetail): string {
  const { warnings: _, warning: __, ...text } = z.looseObject({}).parse(result);
  return JSON.stringify(text);
}

export const isKept = ({ before, run }: Round): boolean =>
  run.status === "review" && textOf(run) === textOf(before);

/** Words of a person whose text was not written anew. */
export const saysKept = /не удалось написать заново.*сохран.*ничего не списано/is;
