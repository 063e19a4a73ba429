import { writeFile } from "node:fs/promises";
import { InvalidArgumentError, Option } from "commander";
import type { z } from "zod";
import { messageOf } from "../../kernel/errors/index.ts";
import {
  byOf,
  changing,
  counted,
  deleting,
  exitCodes,
  inWords,
  inWorkspace,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  reading,
  table,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { readCategory } from "../categories/categories.ts";
import { type Cluster, placesOf } from "../categories/clusters.ts";
import { keywordsCsv, keywordsTxt } from "../categories/keyword-export.ts";
import { readKeywordFile } from "../categories/keyword-file.ts";
import { addUploaded, readClusters, removeKeywords } from "../categories/keywords.ts";
import {
  type KeywordsOrder,
  type KeywordsResult,
  keywordsResult,
  quantities,
} from "../keywords/keywords-run.ts";
import { orderKeywords, wantedKeywords } from "../keywords/order-keywords.ts";
import { orderUpload } from "../keywords/order-upload.ts";
import { uploadResult } from "../keywords/upload-run.ts";
import { seoParts, workshopOf } from "../parts.ts";
import { bytesOf } from "./bytes-of.ts";
import { followRun, orderedText, type Waiting, waiting } from "./follow-run.ts";
import { asPerson, type ForPerson, forPerson, idIn } from "./for-person.ts";
import { type OrderOptions, orderAndPrint, ordering } from "./ordering.ts";
import type { AddSeoCommand } from "./seo.ts";

interface DeleteOptions extends ForPerson {
  readonly cluster?: string[];
  readonly phrase?: string[];
  readonly all?: boolean;
}

interface ExportOptions extends ForPerson {
  readonly format: "csv" | "txt";
  readonly out?: string;
}

interface FindOptions extends ForPerson, Waiting {
  readonly quantity: KeywordsOrder["quantity"];
  readonly products?: string;
  readonly geography?: string;
}

/** `molva seo keywords list|find|upload|import|delete|export`. */
export const addKeywords: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("keywords").description("phrases of a category, in clusters");
  paging(forPerson(reading(command, "list", "the clusters of a category")))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: ForPerson & Paged) => {
      const clusters = await asPerson(terminal, options, ({ sql }, whose) => readClusters(sql, whose, id));
      printPage(terminal, options, pageOfAll(clusters, options), clusterTable);
    });
  waiting(
    forPerson(
      inWorkspace(
        printing(command.command("find").description("find phrases that people search for, for tokens")),
      ),
    ),
  )
    .argument("<category>", "its number", idIn)
    .option(
      "--products <text>",
      "what is sold: goods and services, with commas; the category's name unless given",
    )
    .option(
      "--geography <text>",
      "where it is sold: a city, a region, Россия; the project's city unless given",
    )
    .addOption(
      new Option("--quantity <count>", `how many phrases: ${quantities.join(", ")}`)
        .argParser(quantityIn)
        .default(100),
    )
    .action(async (id: number, options: FindOptions) => {
      const { quantity, wait = false } = options;
      const wanted = wantedKeywords.safeParse({ ...options, quantity });
      if (!wanted.success) throw new UserError(firstIssue(wanted.error), exitCodes.usage);
      const [ordered, run] = await withCore(terminal, options, async (core, workspaceId) => {
        const whose = { workspaceId, userId: options.user };
        const { kinds, runs } = workshopOf(core);
        const deps = { ...seoParts(core), runs };
        const made = await orderKeywords(deps, kinds.keywords, whose, id, wanted.data);
        return [made, wait ? await followRun(terminal, core.sql, workspaceId, made) : undefined] as const;
      });
      if (!run) return print(terminal, options, ordered, () => orderedText(ordered));
      const found = keywordsResult.parse(run.result);
      print(terminal, options, found, () =>
        [
          clusterTable(found.clusters),
          `${counted(found.phrases, "phrase")} in ${counted(found.clusters.length, "cluster")} for ${run.tokens} tokens${volumesText(found)}.`,
          ...remarksOf(found),
        ].join("\n"),
      );
    });
  ordering(
    command,
    "upload",
    "add the phrases of a text file with volumes and in clusters, for nothing: at most 500",
  )
    .argument("<category>", "its number", idIn)
    .argument("<file>", "a text file in UTF-8, one phrase on each line; - reads standard input")
    .action(async (id: number, path: string, options: OrderOptions) => {
      const phrases = await inWords(async () => readKeywordFile(await bytesOf(path)));
      await orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderUpload(deps, deps.kinds.upload, whose, id, phrases),
        ({ result }) => {
          const uploaded = uploadResult.parse(result);
          const { added, phrases: all, clusters } = uploaded;
          return [
            `Added ${counted(added, "phrase")}; the category has ${all} in ${counted(clusters, "cluster")}${volumesText(uploaded)}.`,
            ...remarksOf(uploaded),
          ].join("\n");
        },
      );
    });
  forPerson(
    changing(command, "import", "add the phrases of a text file as they are, without asking for volumes"),
  )
    .argument("<category>", "its number", idIn)
    .argument("<file>", "a text file in UTF-8; - reads standard input")
    .action(async (id: number, path: string, options: ForPerson) => {
      const bytes = await bytesOf(path);
      const changed = await asPerson(terminal, options, async (deps, whose) => {
        const category = await readCategory(deps.sql, whose, id);
        return addUploaded(deps, whose, category, readKeywordFile(bytes), {}, byOf(options));
      });
      print(terminal, options, { ...changed, warning: changed.warning?.en ?? null }, () =>
        [
          `Added ${counted(changed.added, "phrase")}; the category has ${changed.phrases} in ${counted(changed.clusters, "cluster")}.`,
          ...(changed.warning ? [`${changed.warning.en}.`] : []),
        ].join("\n"),
      );
    });
  forPerson(deleting(command, "delete clusters or phrases; a cluster without phrases vanishes"))
    .argument("<category>", "its number", idIn)
    .option("--cluster <phrases...>", "clusters as a whole, by their main phrases")
    .option("--phrase <phrases...>", "single phrases")
    .option("--all", "everything")
    .action(async (id: number, options: DeleteOptions) => {
      const { cluster: clusters, phrase: phrases, all, dryRun = false } = options;
      if (!clusters && !phrases && !all)
        throw new UserError("Give --cluster, --phrase or --all.", exitCodes.usage);
      const wanted = { ...(clusters && { clusters }), ...(phrases && { phrases }), ...(all && { all }) };
      const changed = await asPerson(terminal, options, (deps, whose) =>
        removeKeywords(deps, whose, id, wanted, byOf(options), { dryRun }),
      );
      const { removed, phrases: left } = changed;
      print(terminal, options, { dry_run: dryRun, ...changed }, () =>
        dryRun
          ? `Would delete ${counted(removed, "phrase")}; nothing was changed.`
          : `Deleted ${counted(removed, "phrase")}; ${left} are left.`,
      );
    });
  forPerson(reading(command, "export", "all phrases as CSV or text"))
    .argument("<category>", "its number", idIn)
    .addOption(new Option("--format <name>", "csv or txt").choices(["csv", "txt"]).default("csv"))
    .option("--out <file>", "write it there; standard output unless given")
    .action(async (id: number, options: ExportOptions) => {
      const clusters = await asPerson(terminal, options, ({ sql }, whose) => readClusters(sql, whose, id));
      const text = options.format === "csv" ? keywordsCsv(clusters) : keywordsTxt(clusters);
      if (options.out === undefined) return terminal.out(text.trimEnd());
      await written(options.out, text);
      print(terminal, options, { file: options.out }, () => `Wrote ${options.out}.`);
    });
};

function quantityIn(typed: string): number {
  if (quantities.some((quantity) => String(quantity) === typed)) return Number(typed);
  throw new InvalidArgumentError(`Give one of ${quantities.join(", ")}.`);
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  return issue ? `--${issue.path.join(".")}: ${issue.message}` : "The order is not complete.";
}

async function written(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${messageOf(error)}`, exitCodes.usage);
  }
}

type Learnt = Pick<KeywordsResult, "country" | "region" | "confirmed" | "warning" | "notes">;

/** Volumes are never shown without their place. */
function volumesText({ country, region }: Learnt): string {
  const places = [...(country ? [`Google, ${country.en}`] : []), ...(region ? [`Yandex, ${region.en}`] : [])];
  return places.length > 0 ? `; volumes of ${places.join(" and ")}` : "";
}

function remarksOf({ confirmed, warning, notes }: Learnt): string[] {
  const { searches = 0, moved = 0, merged = 0 } = confirmed ?? {};
  return [
    ...(confirmed
      ? [
          `Compared with results of Yandex for ${counted(searches, "phrase")}: ${moved} moved, ${counted(merged, "cluster")} joined to others.`,
        ]
      : []),
    ...(warning ? [`${warning.en}.`] : []),
    ...notes.map(({ en }) => en),
  ];
}

const figure = (value: number | null | undefined) =>
  value === null || value === undefined ? "" : String(value);

const clusterTable = table<Cluster>("No phrases yet.", {
  "main phrase": ({ main_phrase }) => main_phrase,
  type: ({ cluster_type }) => cluster_type,
  phrases: ({ phrases }) => String(phrases.length),
  google: ({ total_volume }) => figure(total_volume),
  country: ({ phrases }) => placesOf(phrases).google,
  yandex: ({ total_yandex_volume }) => figure(total_yandex_volume),
  region: ({ phrases }) => placesOf(phrases).yandex,
  difficulty: ({ avg_difficulty }) => figure(avg_difficulty),
});
