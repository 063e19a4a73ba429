/** The keywords of a category: what there is, the best of it, and what can be done. */
import { readCategory } from "../../categories/categories.ts";
import { type Cluster, countPhrases, placesOf } from "../../categories/clusters.ts";
import { keywordsCsv } from "../../categories/keyword-export.ts";
import { readClusters, removeKeywords } from "../../categories/keywords.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { placesLine, topLines } from "./cluster-lines.ts";

/** A category of this person's own with its clusters, or undefined. */
export function categoryClusters(visit: BotVisit, id: number) {
  const { sql } = inStep(visit);
  const whose = whoseOf(visit);
  return ifFound(async () => ({
    category: await readCategory(sql, whose, id),
    clusters: await readClusters(sql, whose, id),
  }));
}

export const summary = screen("category:{id}:keywords", {
  to: [
    ...["category:{id}:keywords:find", "category:{id}:keywords:upload", "category:{id}:clusters:{page}"],
    ...[
      "category:{id}:keywords:csv",
      "category:{id}:clusters:delete:{page}",
      "category:{id}:keywords:delete",
    ],
    "category:{id}:card",
  ],
  async show({ id }, visit) {
    const found = await categoryClusters(visit, id);
    if (!found) return undefined;
    const { keywords, common } = texts[visit.language];
    const say = keywords.screens;
    const { category, clusters } = found;
    const parent = [{ label: common.toCategory, to: `category:${id}:card` }];
    const upload = [{ label: say.upload, to: `category:${id}:keywords:upload` }];
    if (clusters.length === 0)
      return {
        text: say.empty(category.name),
        buttons: [
          [{ label: say.begin, to: `category:${id}:keywords:find`, style: "primary" }],
          upload,
          parent,
        ],
      };
    const places = placesLine(placesOf(phrasesOf(clusters)), visit.language);
    return {
      text: [
        say.title(category.name),
        "",
        say.best(keywords.counts(clusters.length, countPhrases(clusters))),
        ...topLines(clusters, visit.language),
        ...(places === undefined ? [] : ["", places]),
      ].join("\n"),
      buttons: [
        [{ label: say.look, to: `category:${id}:clusters:1` }],
        [{ label: say.csv, to: `category:${id}:keywords:csv` }],
        [{ label: say.more, to: `category:${id}:keywords:find`, style: "primary" }],
        upload,
        [
          { label: say.deleteCluster, to: `category:${id}:clusters:delete:1` },
          { label: say.deleteAll, to: `category:${id}:keywords:delete`, style: "danger" },
        ],
        parent,
      ],
    };
  },
});

export const csv = action("category:{id}:keywords:csv", {
  to: ["category:{id}:keywords"],
  async act({ id }, visit) {
    const found = await categoryClusters(visit, id);
    if (!found) return undefined;
    const to = `category:${id}:keywords`;
    if (found.clusters.length === 0) return { to };
    const bytes = Buffer.from(keywordsCsv(found.clusters));
    const caption = texts[visit.language].keywords.screens.csvCaption(found.category.name);
    return { to, say: [{ document: { bytes }, name: `keywords-${id}.csv`, caption }] };
  },
});

export const deleteAll = screen("category:{id}:keywords:delete", {
  to: ["category:{id}:keywords:delete:yes", "category:{id}:keywords"],
  async show({ id }, visit) {
    const found = await categoryClusters(visit, id);
    if (!found) return undefined;
    const { keywords, common, removal } = texts[visit.language];
    const counts = keywords.counts(found.clusters.length, countPhrases(found.clusters));
    return {
      text: keywords.screens.deleteAllAsked(found.category.name, counts),
      buttons: [
        [{ label: removal.yes, to: `category:${id}:keywords:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `category:${id}:keywords` }],
      ],
    };
  },
});

export const deleteAllYes = action("category:{id}:keywords:delete:yes", {
  to: ["category:{id}:keywords"],
  async act({ id }, visit) {
    const removed = await ifFound(() => removeKeywords(inStep(visit), whoseOf(visit), id, { all: true }));
    const notice = texts[visit.language].removal.done;
    return removed && { to: `category:${id}:keywords`, notice };
  },
});

export const phrasesOf = (clusters: readonly Cluster[]) => clusters.flatMap(({ phrases }) => phrases);
