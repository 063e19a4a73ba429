import type { Transaction } from "../../kernel/db/index.ts";
import { pageKey, type ServingPage } from "../links/index.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { type Reserved, releasePhrases, reservePhrase } from "../publications/rotation.ts";
import type { Said } from "../said.ts";
import type { KnownSite } from "./site-known.ts";

export interface ClusterWish {
  readonly categoryId: number;
  /** For which the phrase is reserved. */
  readonly run: string;
  readonly origin: "person" | "schedule";
  /** The main phrase that the person chose; the next one in turn if absent. */
  readonly phrase?: string | undefined;
  /** The person wants it whatever page serves it. */
  readonly isCertain: boolean;
}

export type ReservedCluster = Extract<Reserved, { outcome: "reserved" }>;

/** A page of the site serves the phrase already: the person decides. */
export class PageServes extends SeoProblem {
  readonly phrase: string;
  readonly page: ServingPage;
  /** Phrases of the category that no page serves. */
  readonly others: readonly string[];

  constructor(phrase: string, page: ServingPage, others: readonly string[]) {
    super("page_serves", servesWords(phrase, page, others));
    this.phrase = phrase;
    this.page = page;
    this.others = others;
  }
}

/** How many of the next phrases are looked at, and how many of them are offered instead. */
const looksAt = 20;
const offered = 3;

/**
 * Reserves the phrase of an article, unless a page of the site serves it. A person is then asked; a schedule takes the next phrase in
 * turn. When own posts serve all that is left, it uses the longest unused one again, as the document has it (E22).
 */
export async function chooseCluster(
  tx: Transaction,
  whose: Whose,
  { guard, posts }: KnownSite,
  { categoryId, run, origin, phrase, isCertain }: ClusterWish,
  now: Date,
): Promise<ReservedCluster> {
  const reserve = (except: readonly string[]) =>
    reservePhrase(tx, whose, { categoryId, contentType: "article", run, except }, now);
  const unwanted = phrase === undefined ? [] : await allBut(tx, whose, categoryId, phrase, now);
  const served: { readonly phrase: string; readonly page: ServingPage }[] = [];
  for (;;) {
    const reserved = await reserve([...unwanted, ...served.map((each) => each.phrase)]);
    if (reserved.outcome === "all_excluded" && served.length > 0) {
      const own = new Set(posts.flatMap(({ url }) => (url === undefined ? [] : [pageKey(url)])));
      const isOurs = ({ isOwnPost, url }: ServingPage) => isOwnPost || own.has(pageKey(url ?? ""));
      const again = await reserve(served.filter(({ page }) => !isOurs(page)).map((each) => each.phrase));
      if (again.outcome === "reserved") return again;
    }
    if (reserved.outcome !== "reserved") throw new SeoProblem("no_phrase", reserved.said);
    const { main_phrase } = reserved.cluster;
    const page = isCertain ? undefined : guard(main_phrase);
    if (!page) return reserved;
    if (origin === "person") {
      const next = (await inTurn(tx, whose, categoryId, now)).slice(0, looksAt);
      throw new PageServes(main_phrase, page, next.filter((other) => !guard(other)).slice(0, offered));
    }
    served.push({ phrase: main_phrase, page });
    await releasePhrases(tx, whose.workspaceId, run);
  }
}

/** Main phrases for articles, in their turn. */
export async function inTurn(
  sql: Transaction,
  { workspaceId }: Whose,
  categoryId: number,
  now: Date,
): Promise<string[]> {
  const rows = await sql<{ main_phrase: string }[]>`
    select t.main_phrase from seo.rotation_of(${workspaceId}, ${categoryId}, 'article', ${now}) t order by t.turn`;
  return rows.map(({ main_phrase }) => main_phrase);
}

/** Throws if the category has no such phrase for articles. */
async function allBut(
  tx: Transaction,
  whose: Whose,
  categoryId: number,
  phrase: string,
  now: Date,
): Promise<string[]> {
  const rows = await tx<{ main_phrase: string; wanted: boolean }[]>`
    select t.main_phrase, seo.phrase_key(t.main_phrase) = seo.phrase_key(${phrase}) as wanted
    from seo.rotation_of(${whose.workspaceId}, ${categoryId}, 'article', ${now}) t order by t.turn`;
  if (!rows.some(({ wanted }) => wanted)) {
    const some = rows.slice(0, 3).map(({ main_phrase }) => `«${main_phrase}»`);
    throw new SeoProblem(
      "value_refused",
      {
        ru: `В категории нет главной фразы «${phrase}» для статьи.${some.length > 0 ? ` Есть, например: ${some.join(", ")}.` : ""}`,
        en: `The category has no main phrase “${phrase}” for an article.${some.length > 0 ? ` It has, for example: ${some.join(", ")}.` : ""}`,
      },
      { pointers: ["/phrase"] },
    );
  }
  return rows.filter(({ wanted }) => !wanted).map(({ main_phrase }) => main_phrase);
}

function servesWords(phrase: string, { title, url }: ServingPage, others: readonly string[]): Said {
  const where = url === undefined ? "" : ` (${url})`;
  const free = others.map((other) => `«${other}»`).join(", ");
  return {
    ru:
      `На сайте уже есть страница по фразе «${phrase}»: «${title}»${where}. Две страницы об одном мешают друг другу. Ничего не списано. ` +
      `Обновите старую, выберите другую тему${free === "" ? "" : ` (свободны: ${free})`} или напишите всё равно.`,
    en:
      `A page of the site serves the phrase “${phrase}” already: “${title}”${where}. Nothing was charged. ` +
      `Update that page (update), choose another phrase (phrase${free === "" ? "" : `; free: ${free}`}), or write it anyway (anyway).`,
  };
}

/** The same for a run that finds it out on its way. */
export const servedFailure = ({ phrase, page, others }: PageServes): Said => {
  const { ru, en } = servesWords(phrase, page, others);
  return {
    ru: ru.replace("Ничего не списано.", "Токены возвращены."),
    en: en.replace("Nothing was charged.", "The tokens were returned."),
  };
};
