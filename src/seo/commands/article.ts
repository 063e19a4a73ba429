import {
  type Common,
  facts,
  inWorkspace,
  print,
  printing,
  type Terminal,
  wholeId,
  withCore,
} from "../../terminal/index.ts";
import { orderArticle } from "../articles/order-article.ts";
import { articleResult } from "../articles/shape.ts";
import { seoParts, workshopOf } from "../parts.ts";
import type { Whose } from "../people/whose.ts";
import {
  articleOf,
  cancelArticle,
  type DecideDeps,
  publishArticle,
  regenerateArticle,
  takeArticle,
} from "../publish/decide-article.ts";
import { type ArticleDiff, articleDiff } from "../refresh/article-diff.ts";
import { type RunDetail, runColumn } from "../runs/read-runs.ts";
import { followRun, orderedText, type Waiting, waiting } from "./follow-run.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import { addPlan } from "./plan.ts";
import { readableAddress } from "./readable-address.ts";
import type { AddSeoCommand } from "./seo.ts";

interface OnSite {
  readonly connection?: number;
}

interface Chosen {
  readonly plan?: string;
  readonly phrase?: string;
  readonly update?: string;
  readonly anyway?: boolean;
}

/** `molva seo article plan|write|show|sources|diff|publish|regenerate|cancel|html`. */
export const addArticles: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("article").description("articles: write, look at, publish");
  const named = (name: string, about: string) =>
    forPerson(inWorkspace(printing(command.command(name).description(about))));
  const ofRun = (name: string, about: string) =>
    named(name, about).argument("<run>", "its id, or the beginning of it");

  addPlan(command, terminal);
  waiting(named("write", "write an article about the category's next phrase, for tokens"))
    .argument("<category>", "its number", idIn)
    .option("--connection <id>", "the site it is for", idIn)
    .option("--plan <run>", "the plan to write it from: its id, or the beginning of it")
    .option("--phrase <phrase>", "a main phrase of the category, instead of the next one in turn")
    .option("--update <url>", "the page of the site that it takes the place of")
    .option("--anyway", "also if a page of the site serves the phrase already")
    .action(async (id: number, options: ForPerson & Waiting & OnSite & Chosen) => {
      const [ordered, run] = await withCore(terminal, options, async (core, workspaceId) => {
        const { kinds, runs, sources } = workshopOf(core);
        const whose = { workspaceId, userId: options.user };
        const deps = { ...seoParts(core), runs, sources };
        const { connection: connectionId, phrase, update, anyway } = options;
        const plan = options.plan && (await wholeId(core.sql, workspaceId, runColumn, options.plan));
        const wanted = { connectionId, phrase, update, anyway, plan };
        const made = await orderArticle(deps, kinds.article, whose, id, wanted);
        return [
          made,
          options.wait ? await followRun(terminal, core.sql, workspaceId, made) : undefined,
        ] as const;
      });
      if (!run) return print(terminal, options, ordered, () => orderedText(ordered));
      print(terminal, options, run, () => articleText(run));
    });
  ofRun("show", "an article: title, score, warnings, preview").action(
    async (typed: string, options: ForPerson) => {
      const run = await deciding(terminal, options, typed, ({ sql }, whose, id) => articleOf(sql, whose, id));
      print(terminal, options, run, () => articleText(run));
    },
  );
  ofRun("sources", "what its sentences rest on: each claim with its quote").action(
    async (typed: string, options: ForPerson) => {
      const run = await deciding(terminal, options, typed, ({ sql }, whose, id) => articleOf(sql, whose, id));
      const { claims, sources } = writtenIn(run) ?? { claims: [], sources: [] };
      print(terminal, options, { claims, sources }, () => claimsText(run));
    },
  );
  ofRun("diff", "what an update changes on its page, paragraph by paragraph").action(
    async (typed: string, options: ForPerson) => {
      const diff = await deciding(terminal, options, typed, ({ sql }, whose, id) =>
        articleDiff(sql, whose, id),
      );
      print(terminal, options, diff, () => diffText(diff));
    },
  );
  ofRun("publish", "publish it on a site of its project")
    .option("--connection <id>", "the site; the one it was ordered for unless given", idIn)
    .action(async (typed: string, options: ForPerson & OnSite) => {
      const [run_id, connection_id] = await deciding(terminal, options, typed, async (deps, whose, id) => [
        id,
        await publishArticle(deps, whose, id, options.connection),
      ]);
      print(
        terminal,
        options,
        { run_id, connection_id },
        () => `It is being published: molva seo article show ${run_id.slice(0, 13)} --user ${options.user}`,
      );
    });
  ofRun("regenerate", "write it anew: twice for nothing, then for its price").action(
    async (typed: string, options: ForPerson) => {
      const [run_id, tokens] = await deciding(terminal, options, typed, async (deps, whose, id) => [
        id,
        await regenerateArticle(deps, whose, id),
      ]);
      print(terminal, options, { run_id, tokens }, () => `It is written anew for ${tokens} tokens.`);
    },
  );
  ofRun("cancel", "cancel it and return its tokens").action(async (typed: string, options: ForPerson) => {
    const [run_id, ended] = await deciding(terminal, options, typed, async (deps, whose, id) => [
      id,
      await cancelArticle(deps, whose, id),
    ]);
    print(terminal, options, { run_id, ended }, () =>
      ended === "cancelled"
        ? "It is cancelled; its tokens were returned."
        : "It stops before its next step; then its tokens are returned.",
    );
  });
  ofRun("html", "take its HTML instead of publishing it; its tokens are spent").action(
    async (typed: string, options: ForPerson) => {
      const [run_id, html] = await deciding(terminal, options, typed, async (deps, whose, id) => [
        id,
        await takeArticle(deps, whose, id),
      ]);
      print(terminal, options, { run_id, html }, () => html);
    },
  );
};

function deciding<T>(
  terminal: Terminal,
  options: ForPerson & Common,
  typed: string,
  work: (deps: DecideDeps, whose: Whose, runId: string) => Promise<T>,
): Promise<T> {
  return withCore(terminal, options, async (core, workspaceId) => {
    const { runs, articles, cleanUp } = workshopOf(core);
    const runId = await wholeId(core.sql, workspaceId, runColumn, typed);
    return work({ ...articles, runs, cleanUp }, { workspaceId, userId: options.user }, runId);
  });
}

function writtenIn({ result }: RunDetail) {
  const written = articleResult.safeParse(result);
  return written.success ? written.data : undefined;
}

function articleText(run: RunDetail): string {
  const written = writtenIn(run);
  return facts([
    ["run", run.run_id],
    ["status", run.status],
    ["doing", run.stage?.en],
    ["error", run.error?.message.en],
    ["title", written?.article.title],
    ["phrase", written?.article.phrase],
    ["words", written && String(written.words)],
    ["pictures", written && String(written.pictures.length)],
    ["score", written && `${written.score.total} of 100`],
    [
      "claims",
      written && `${written.claims.filter(({ outcome }) => outcome === "supported").length} supported`,
    ],
    ["tokens", String(run.tokens)],
    ["preview", written?.preview?.url],
    ["page", written?.post_url],
    ...(written?.warnings ?? []).map(({ message }) => ["warning", message.en] as const),
  ]);
}

const marks = { same: " ", added: "+", removed: "-" } as const;

function diffText({ url, is_known, words, added, removed, parts }: ArticleDiff): string {
  const head = facts([
    ["page", url],
    ["words", words.before === null ? String(words.after) : `${words.before} -> ${words.after}`],
    ["paragraphs", `${added} come, ${removed} go`],
    ["now", is_known ? undefined : "not written by SEO Master, so its text is not known"],
  ]);
  const lines = parts.flatMap(({ kind, text }) => text.split("\n").map((line) => `${marks[kind]} ${line}`));
  return `${head}\n\n${lines.join("\n")}`;
}

function claimsText(run: RunDetail): string {
  const written = writtenIn(run);
  if (!written || written.claims.length === 0) return "It states nothing that needs a source.";
  const urls = new Map(written.sources.map(({ id, url }) => [id, url]));
  return written.claims
    .map(({ sentence, outcome, reason, source_ids, quotes }) =>
      [
        `${outcome === "supported" ? "+" : `- (${reason ?? "cut"})`} ${sentence}`,
        ...source_ids.map(
          (id, index) => `    ${readableAddress(urls.get(id) ?? id)}: ${quotes[index] ?? ""}`,
        ),
      ].join("\n"),
    )
    .join("\n");
}
