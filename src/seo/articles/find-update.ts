import type { Sql } from "../../kernel/db/index.ts";
import { pageKey, siteReader } from "../links/index.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { lastPublished } from "../publish/publish-run.ts";
import type { PageToUpdate } from "./shape.ts";
import type { KnownSite } from "./site-known.ts";

export interface FoundPage {
  readonly page: PageToUpdate;
  /** Where SEO Master published it. */
  readonly connectionId: number | null;
  /** The phrase it was written for. */
  readonly phrase: string | undefined;
}

/** The page that a person wants to have written anew, with the delivery that made it if it is ours. */
export async function findUpdate(sql: Sql, whose: Whose, known: KnownSite, url: string): Promise<FoundPage> {
  const { address, posts, titleOf } = known;
  const post = posts.find((each) => each.url !== undefined && pageKey(each.url) === pageKey(url));
  const place = post?.url ?? siteReader(address ?? "")(url)?.url;
  if (!place) throw new SeoProblem("value_refused", otherSite(address, url), { pointers: ["/update"] });
  // The history forgets after 90 days, the run does not.
  const made = await madeBy(sql, whose, place);
  return {
    page: {
      url: place,
      title: post?.title ?? titleOf(place) ?? place,
      delivery_id: made?.deliveryId ?? null,
    },
    connectionId: made?.connectionId ?? null,
    phrase: post?.phrase ?? made?.phrase,
  };
}

/** Undefined if the delivery is not kept any more, or its connection is gone. */
async function madeBy(sql: Sql, whose: Whose, url: string) {
  const { workspaceId, userId } = whose;
  const [run] = await sql<{ id: string; connection_id: number | null; phrase: string | null }[]>`
    select r.id, n.id as connection_id, r.result -> 'article' ->> 'phrase' as phrase from seo.runs r
    left join seo.platform_connections n on n.workspace_id = r.workspace_id and n.id = r.connection_id
    where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.kind = 'article' and r.status = 'done'
      and r.result ->> 'post_url' = ${url} and not r.input ? 'update'
    order by r.created_at desc
    limit 1`;
  if (!run || run.connection_id === null) return undefined;
  const { delivery } = await lastPublished(sql, whose, run.id);
  if (delivery?.status !== "sent") return undefined;
  return {
    ...{ deliveryId: delivery.delivery_id, connectionId: run.connection_id },
    phrase: run.phrase ?? undefined,
  };
}

const otherSite = (site: string | null, url: string) =>
  site === null
    ? {
        ru: "У проекта нет сайта: обновлять нечего. Укажите сайт проекта или подключение.",
        en: "The project has no site, so there is no page to update: give it a site, or name a connection.",
      }
    : {
        ru: `${url} не страница сайта ${site}. Скопируйте адрес страницы из браузера.`,
        en: `${url} is no page of ${site}: copy the page's address from the browser.`,
      };
