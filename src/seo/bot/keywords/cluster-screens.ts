/** Clusters one by one: their phrases, and deleting some of them. */
import { type Page, pageOf, pager, type ScreenKey } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { type Cluster, countPhrases, placesOf } from "../../categories/clusters.ts";
import { removeKeywords } from "../../categories/keywords.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { clusterNumber, clusterNumbered, phraseNumber, phraseNumbered } from "./cluster-key.ts";
import { bestClusters, clusterLine, phraseLine, placesLine } from "./cluster-lines.ts";
import { categoryClusters } from "./keyword-screens.ts";

/** Lines of a text that stays below 4096 characters. */
const phrasesPerPage = 20;
/** Labels are cut by Telegram at about this length. */
const labelLength = 40;

export const clusters = screen("category:{id}:clusters:{page}", {
  to: ["category:{id}:clusters:{page}", "category:{id}:cluster:{cluster}:{page}", "category:{id}:keywords"],
  async show({ id, page: wanted }, visit) {
    const found = await categoryClusters(visit, id);
    if (!found) return undefined;
    const { keywords } = texts[visit.language];
    const page = pageOf(bestClusters(found.clusters), wanted);
    const counts = keywords.counts(found.clusters.length, countPhrases(found.clusters));
    return {
      text: keywords.screens.list(found.category.name, counts),
      buttons: [
        ...clusterKeys(page, (cluster) => `category:${id}:cluster:${clusterNumber(cluster)}:1`),
        pager(page, (each) => `category:${id}:clusters:${each}`),
        toKeywords(visit, id),
      ],
    };
  },
});

export const clusterCard = screen("category:{id}:cluster:{cluster}:{page}", {
  to: [
    ...["category:{id}:cluster:{cluster}:{page}", "category:{id}:cluster:{cluster}:drop:{page}"],
    ...["category:{id}:cluster:{cluster}:delete", "category:{id}:clusters:{page}"],
  ],
  async show({ id, cluster: number, page: wanted }, visit) {
    const found = await categoryClusters(visit, id);
    const cluster = found && clusterNumbered(found.clusters, number);
    if (!cluster) return undefined;
    const { keywords } = texts[visit.language];
    const say = keywords.screens;
    const page = pageOf(cluster.phrases, wanted, phrasesPerPage);
    const places = placesLine(placesOf(cluster.phrases), visit.language);
    return {
      text: [
        clusterLine(cluster, visit.language),
        say.types[cluster.cluster_type],
        "",
        ...page.items.map((phrase) => phraseLine(phrase, visit.language)),
        ...(places === undefined ? [] : ["", places]),
      ].join("\n"),
      buttons: [
        pager(page, (each) => `category:${id}:cluster:${number}:${each}`),
        [{ label: say.dropPhrases, to: `category:${id}:cluster:${number}:drop:1` }],
        [{ label: say.deleteCluster, to: `category:${id}:cluster:${number}:delete`, style: "danger" }],
        [{ label: say.toClusters, to: `category:${id}:clusters:1` }],
      ],
    };
  },
});

export const dropPhrases = screen("category:{id}:cluster:{cluster}:drop:{page}", {
  to: [
    ...["category:{id}:cluster:{cluster}:drop:{page}", "category:{id}:phrase:{phrase}:drop:{page}"],
    "category:{id}:cluster:{cluster}:{page}",
  ],
  async show({ id, cluster: number, page: wanted }, visit) {
    const found = await categoryClusters(visit, id);
    const cluster = found && clusterNumbered(found.clusters, number);
    if (!cluster) return undefined;
    const say = texts[visit.language].keywords.screens;
    const page = pageOf(cluster.phrases, wanted);
    return {
      text: say.drop(cut(cluster.cluster_name, 80)),
      buttons: [
        ...page.items.map(({ phrase }) => [
          {
            label: `❌ ${cut(phrase, labelLength)}`,
            to: `category:${id}:phrase:${phraseNumber(phrase)}:drop:${page.page}`,
          },
        ]),
        pager(page, (each) => `category:${id}:cluster:${number}:drop:${each}`),
        [{ label: say.toCluster, to: `category:${id}:cluster:${number}:1` }],
      ],
    };
  },
});

/** Without a question: a phrase is soon found again. */
export const dropPhrase = action("category:{id}:phrase:{phrase}:drop:{page}", {
  to: [
    "category:{id}:cluster:{cluster}:drop:{page}",
    "category:{id}:clusters:{page}",
    "category:{id}:keywords",
  ],
  async act({ id, phrase: number, page }, visit) {
    const found = await categoryClusters(visit, id);
    if (!found) return undefined;
    const say = texts[visit.language].keywords.screens;
    const doomed = phraseNumbered(found.clusters, number);
    if (!doomed) return { to: `category:${id}:keywords`, toast: say.phraseGone };
    const { phrase } = doomed.phrase;
    await removeKeywords(inStep(visit), whoseOf(visit), id, { phrases: [phrase] });
    const rest = doomed.cluster.phrases.find((each) => each.phrase !== phrase);
    const left = await categoryClusters(visit, id);
    if (!left) return undefined;
    const toast = say.dropped(cut(phrase, 100));
    // Without its main phrase a cluster has another number, without any phrase it is gone.
    const cluster = rest && phraseNumbered(left.clusters, phraseNumber(rest.phrase))?.cluster;
    if (cluster) return { to: `category:${id}:cluster:${clusterNumber(cluster)}:drop:${page}`, toast };
    const to = left.clusters.length === 0 ? `category:${id}:keywords` : `category:${id}:clusters:1`;
    return { to, toast };
  },
});

export const doomedClusters = screen("category:{id}:clusters:delete:{page}", {
  to: [
    ...["category:{id}:clusters:delete:{page}", "category:{id}:cluster:{cluster}:delete"],
    "category:{id}:keywords",
  ],
  async show({ id, page: wanted }, visit) {
    const found = await categoryClusters(visit, id);
    if (!found) return undefined;
    const page = pageOf(bestClusters(found.clusters), wanted);
    return {
      text: texts[visit.language].keywords.screens.whichCluster,
      buttons: [
        ...clusterKeys(page, (cluster) => `category:${id}:cluster:${clusterNumber(cluster)}:delete`),
        pager(page, (each) => `category:${id}:clusters:delete:${each}`),
        toKeywords(visit, id),
      ],
    };
  },
});

export const deleteCluster = screen("category:{id}:cluster:{cluster}:delete", {
  to: ["category:{id}:cluster:{cluster}:delete:yes", "category:{id}:cluster:{cluster}:{page}"],
  async show({ id, cluster: number }, visit) {
    const found = await categoryClusters(visit, id);
    const cluster = found && clusterNumbered(found.clusters, number);
    if (!cluster) return undefined;
    const { keywords, common, removal } = texts[visit.language];
    return {
      text: keywords.screens.deleteClusterAsked(
        cut(cluster.cluster_name, 80),
        keywords.phrases(cluster.phrases.length),
      ),
      buttons: [
        [{ label: removal.yes, to: `category:${id}:cluster:${number}:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `category:${id}:cluster:${number}:1` }],
      ],
    };
  },
});

export const deleteClusterYes = action("category:{id}:cluster:{cluster}:delete:yes", {
  to: ["category:{id}:keywords"],
  async act({ id, cluster: number }, visit) {
    const found = await categoryClusters(visit, id);
    if (!found) return undefined;
    const cluster = clusterNumbered(found.clusters, number);
    const to = `category:${id}:keywords`;
    if (!cluster) return { to };
    await removeKeywords(inStep(visit), whoseOf(visit), id, { clusters: [cluster.main_phrase] });
    return { to, notice: texts[visit.language].removal.done };
  },
});

function clusterKeys(page: Page<Cluster>, to: (cluster: Cluster) => string): ScreenKey[][] {
  return page.items.map((cluster) => [
    { label: `${cut(cluster.cluster_name, labelLength)} (${cluster.phrases.length})`, to: to(cluster) },
  ]);
}

const toKeywords = ({ language }: Pick<BotVisit, "language">, id: number) => [
  { label: texts[language].keywords.result.list, to: `category:${id}:keywords` },
];
