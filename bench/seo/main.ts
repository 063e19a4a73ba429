import { loadLanguage } from "../../src/seo/language/index.ts";
import { chooseLinks, indexSite } from "../../src/seo/links/index.ts";
import { scoreArticle } from "../../src/seo/score/index.ts";
import { median, percentile, rounded } from "../shared/figures.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";
import { articleOf, siteMap } from "./samples.ts";
import { openWorkshop, type Usage } from "./workshop.ts";

const parts = ["article", "scorer", "links", "memory"] as const;
type Part = (typeof parts)[number];

interface Figure {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly reached: boolean;
}

const targets = { articleMs: 400, scorerMs: 50, linksMs: 300, growth: 1.1 };
const words = 2_000;
const pages = 5_000;
/** Articles whose memory the end is compared with, out of five hundred; fewer of fewer. */
const beginning = 0.2;
const articlesOfRound = 6;
/** Written before anything is measured: code is compiled, the dictionary loaded, plans are made. */
const warmUp = 10;

/**
 * What SEO Master's own work costs with models and sites that answer at once: an article, its score, its links, and whether
 * memory stays flat. A missed target is reported; only a failure of the measurement ends with an error.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      articles: { type: "string" },
      rounds: { type: "string" },
      profile: { type: "string" },
    },
  });
  const say = reporter(values.json);
  const only = partsOf(values.only);
  const rounds = Math.ceil(numberOf("rounds", values.rounds, 30));
  const wanted = numberOf("articles", values.articles, only.has("memory") ? 500 : 60);
  const figures: Figure[] = [];
  if (only.has("scorer")) figures.push(...(await scorer(rounds, say)));
  if (only.has("links")) figures.push(...links(rounds, say));
  if (only.has("article") || only.has("memory"))
    figures.push(...(await articles(Math.max(10, Math.ceil(wanted)), only, values.profile, say)));
  say(
    `\n${table([
      ["SEO Master", "target", "measured", ""],
      ...figures.map(({ what, target, measured, reached }) => [
        ...[what, target, measured],
        target === "" ? "" : reached ? "reached" : "missed",
      ]),
    ])}`,
  );
  if (values.json) console.log(JSON.stringify({ seo: figures }));
}

function partsOf(given: readonly string[] | undefined): ReadonlySet<Part> {
  const names = given?.flatMap((each) => each.split(",")) ?? parts;
  return new Set(
    names.map((name) => {
      const known = parts.find((part) => part === name);
      if (!known) throw new Error(`--only takes ${parts.join(", ")}, not ${name}`);
      return known;
    }),
  );
}

const ms = (value: number) => `${rounded(value, 1)} ms`;
const below = (what: string, value: number, target: number): Figure => ({
  ...{ what, target: `< ${target} ms`, measured: ms(value), reached: value < target },
});
const aside = (what: string, measured: string): Figure => ({ what, target: "", measured, reached: true });

/** Milliseconds of processor time of this process, which does nothing else. */
function timed(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function scorer(rounds: number, say: (text: string) => void): Promise<Figure[]> {
  say(`scoring ${rounds} texts of ${words} words …`);
  const language = await loadLanguage();
  const times = Array.from({ length: rounds }, (_, round) => {
    const input = {
      ...{
        title: "Как выбрать диван",
        metaDescription: "Как выбрать диван и не пожалеть",
        phrase: "выбрать диван",
      },
      ...{
        body: articleOf(words, round),
        format: "markdown" as const,
        secondary: ["купить диван", "угловой диван"],
      },
    };
    return timed(() => {
      if (scoreArticle(input, language).words < words) throw new Error("the text is too short");
    });
  });
  return [
    below(`score of a text of ${words} words`, median(times), targets.scorerMs),
    aside("  the first one, with code and words that were never seen", ms(times[0] ?? Number.NaN)),
    aside("  95 of 100 are faster than", ms(percentile(times, 0.95))),
  ];
}

function links(rounds: number, say: (text: string) => void): Figure[] {
  say(`choosing links out of ${pages} pages ${rounds} times …`);
  const site = "https://delo.example";
  const map = siteMap(site, pages);
  const times = Array.from({ length: rounds }, (_, round) => {
    const text = articleOf(words, round);
    return timed(() => {
      if (chooseLinks(text, indexSite(map, { site }), { most: 5 }).length === 0)
        throw new Error("there was nothing to link to");
    });
  });
  return [
    below(`links of an article out of ${pages} pages`, median(times), targets.linksMs),
    aside("  the first one, with code that was never used", ms(times[0] ?? Number.NaN)),
    aside("  95 of 100 are faster than", ms(percentile(times, 0.95))),
  ];
}

async function articles(
  wanted: number,
  only: ReadonlySet<Part>,
  profile: string | undefined,
  say: (text: string) => void,
): Promise<Figure[]> {
  const server = await startServer();
  try {
    const workshop = await openWorkshop(server, profile);
    try {
      say("the first articles …");
      await workshop.write(warmUp);
      // Asking for memory collects garbage, after which everything is dearer for a while: rounds are not too short.
      const perRound = Math.max(articlesOfRound, Math.round(wanted / 25));
      const seen: (Usage & { articles: number; each: number })[] = [];
      let before = await workshop.usage();
      for (let done = 0; done < wanted; ) {
        const count = Math.min(perRound, wanted - done);
        await workshop.write(count);
        done += count;
        const now = await workshop.usage();
        const each = (now.cpuMs - before.cpuMs) / count;
        seen.push({ ...now, articles: done, each });
        say(
          `  ${done} articles: ${ms(each)} each, ${Math.round(now.megabytes)} MB (${Math.round(now.live)} in use)`,
        );
        before = now;
      }
      return [
        ...(only.has("article") ? costOf(seen) : []),
        ...(only.has("memory") ? growthOf(seen, wanted) : []),
      ];
    } finally {
      await workshop.stop();
    }
  } finally {
    await server.stop();
  }
}

function costOf(seen: readonly { readonly each: number }[]): Figure[] {
  const times = seen.map(({ each }) => each);
  return [
    below("own work for an article with four pictures", median(times), targets.articleMs),
    aside("  the dearest round", ms(Math.max(...times))),
  ];
}

function growthOf(seen: readonly (Usage & { articles: number })[], wanted: number): Figure[] {
  const first = seen.find(({ articles }) => articles >= wanted * beginning);
  const last = seen.at(-1);
  if (!first || !last) throw new Error("too few articles for a figure of memory");
  const growth = last.megabytes / first.megabytes;
  return [
    {
      what: `memory after ${last.articles} articles beside that after ${first.articles}`,
      target: `<= ${targets.growth} x`,
      measured: `${rounded(growth)} x (${Math.round(first.megabytes)} MB, ${Math.round(last.megabytes)} MB)`,
      reached: growth <= targets.growth,
    },
    aside("  in use", `${Math.round(first.live)} MB, ${Math.round(last.live)} MB`),
  ];
}
