import { loadLanguage } from "../../src/seo/language/index.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";
import { readBriefs } from "./briefs.ts";
import { figuresOf, plantedFigures, textOf } from "./measures.ts";
import { rowsOf, sameBriefs, summed } from "./metrics.ts";
import { judgePairs, type Pair } from "./pair-judge.ts";
import { lastRun, resultsFolder, type StoredResult, storeRun } from "./results.ts";
import { type Attempt, type EvalWorld, openWorld } from "./world.ts";

const labels: Readonly<Record<StoredResult["kind"], string>> = {
  twin: "Plumbing, not quality: the twins wrote and judged these texts. The figures show that every part is connected, and nothing else.",
  real: "Written and judged by real models.",
};

/** At the same time; a real model takes minutes for an article. */
const atOnce = 2;

/**
 * Writes an article for each of the fixed briefs and prints what it is worth, with the difference from the last stored run: a prompt or
 * a model is changed by evidence. With `OPENROUTER_API_KEY` real models write, for money; without it the twins do.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      briefs: { type: "string" },
      store: { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  const say = reporter(values.json);
  const briefs = readBriefs(numberOf("briefs", values.briefs, 30));
  const folder = values.out ?? resultsFolder();
  const server = await startServer();
  try {
    const world = await openWorld(server);
    try {
      say(`${labels[world.kind]}\n`);
      const attempts = await writeAll(world, briefs, say);
      const language = await loadLanguage();
      const articles = await Promise.all(attempts.map((attempt) => figuresOf(attempt, attempts, language)));
      const before = lastRun(folder, world.kind);
      const names = briefs.map(({ name }) => name);
      const pairs = before ? pairsOf(attempts, before.texts) : [];
      if (pairs.length > 0) say(`${pairs.length} pairs are judged in both orders …`);
      const judged = pairs.length > 0 ? await judgePairs(world, pairs) : undefined;
      const figures = summed(articles, await plantedFigures(), judged);
      say(
        `\n${table([
          ["", "now", "reference", before ? before.name : "no stored run", "difference"],
          ...rowsOf(figures, before && sameBriefs(before, names)),
        ])}`,
      );
      if (judged)
        say(
          `\nPairs: ${judged.wins} won, ${judged.losses} lost, ${judged.undecided} undecided, ${judged.unjudged} not judged.`,
        );
      for (const { brief, failure } of articles) if (failure) say(`${brief} was not written: ${failure}`);
      say(`\n${labels[world.kind]}`);
      const result: StoredResult = {
        ...{
          kind: world.kind,
          label: labels[world.kind],
          at: new Date().toISOString(),
          briefs: briefs.length,
        },
        models: [
          ...new Set(attempts.flatMap(({ article }) => (article ? [article.result.model] : []))),
        ].sort(),
        figures: rounded(figures),
        articles: articles.map((article) => ({ ...article, ...rounded(article) })),
      };
      // A folder that was named is there to be written to.
      if (values.store || values.out !== undefined)
        say(`Stored as ${storeRun(folder, result, textsOf(attempts))}`);
      if (values.json) console.log(JSON.stringify(result));
    } finally {
      await world.close();
    }
  } finally {
    await server.stop();
  }
}

async function writeAll(
  world: EvalWorld,
  briefs: ReturnType<typeof readBriefs>,
  say: (text: string) => void,
): Promise<Attempt[]> {
  const attempts = new Map<string, Attempt>();
  const queue = briefs.values();
  const worker = async () => {
    for (const brief of queue) {
      const attempt = await world.write(brief);
      attempts.set(brief.name, attempt);
      const { article, failure } = attempt;
      say(
        `  ${brief.name}: ${article ? `${article.result.words} words, ${article.result.score.total} points` : failure}`,
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return briefs.flatMap(({ name }) => attempts.get(name) ?? []);
}

const textsOf = (attempts: readonly Attempt[]): ReadonlyMap<string, string> =>
  new Map(
    attempts.flatMap(({ brief, article }) => (article ? [[brief.name, textOf(article)] as const] : [])),
  );

function pairsOf(attempts: readonly Attempt[], texts: ReadonlyMap<string, string>): Pair[] {
  return attempts.flatMap(({ brief, article }) => {
    const before = texts.get(brief.name);
    return article && before !== undefined ? [{ brief, now: textOf(article), before }] : [];
  });
}

/** Figures of four digits after the point, so that a stored file shows what changed. */
function rounded(figures: object): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) =>
      typeof value === "number" || value === null
        ? [[name, value === null ? null : Number(value.toFixed(4))]]
        : [],
    ),
  );
}
