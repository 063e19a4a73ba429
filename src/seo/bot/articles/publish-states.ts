/** An article on its way to the site, and what can be done if it does not arrive. */
import { connectionPage } from "../../connections/connections.ts";
import { articleOf, publishArticle, reopenArticle } from "../../publish/decide-article.ts";
import { topUpButton } from "../pipeline/top-up.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import type { ArticleData } from "./article-data.ts";
import type { ArticleName, ArticleState, ArticleTurn, ArticleWay } from "./article-states.ts";
import { returnedBy, runOf } from "./review.ts";
import { decideDeps } from "./review-states.ts";

/** Connections of one project; nobody has more sites. */
const mostSites = 50;

export function publishStates<Extra extends string>(way: ArticleWay<Extra>) {
  type Named = ArticleState<Extra>;

  const publishing_begins: Named = {
    ask: both((t) => t.articles.publishing.begins),
    to: ["publishing", "preview", "publishing_failed", "screen:dashboard"],
    again: both((t) => t.articles.publishing.again),
    async work(work) {
      const { data, services, language } = work;
      const { runId, connectionId } = data;
      const whose = whoseOf(work);
      const deps = decideDeps(services);
      const run = await ifFound(() => articleOf(services.sql, whose, runId));
      if (!run) return { to: "screen:dashboard", notice: texts[language].articles.gone };
      if (run.status === "failed") {
        const reopened = await attempted(() => reopenArticle(deps, whose, runId));
        if (!reopened.ok)
          return {
            to: "publishing_failed",
            notice: saidOf(reopened.problem, language),
            data: { needed: reopened.problem.code === "too_few_tokens" ? 1 : 0 },
          };
      }
      // Also after a crash: what was begun goes on.
      if (run.status === "publishing" || run.status === "done") return { to: "publishing" };
      const begun = await ifFound(() =>
        attempted(() => publishArticle(deps, whose, runId, connectionId ?? undefined)),
      );
      if (begun?.ok) return { to: "publishing" };
      const say = texts[language].articles;
      const said = begun ? saidOf(begun.problem, language) : say.gone;
      // The screen of an expired preview says so itself.
      return { to: "preview", ...(said !== say.expired.text && { notice: said }) };
    },
    failed: { to: "preview", text: both((t) => t.articles.publishing.failed) },
  };

  const publishing: Named = {
    ...waitForRun<ArticleData, ArticleName>({
      ask: way.headers.publishing,
      runId: ({ runId }) => runId,
      cancellable: false,
      outcomes: {
        done: {
          to: ["screen:article:{id}:published", "screen:dashboard"],
          async take(turn) {
            const id = await previewOf(turn);
            return { to: id === undefined ? "screen:dashboard" : `screen:article:${id}:published` };
          },
        },
        failed: { to: "publishing_failed" },
      },
    }),
    again: both((t) => t.articles.publishing.again),
  };

  const publishing_failed: Named = {
    ask: ({ trouble }, language) => {
      const say = texts[language].articles.publishing;
      if (!trouble) return say.failed;
      return [say.ended(trouble.site, trouble.returned), say.reason(trouble.said[language]), say.next].join(
        "\n\n",
      );
    },
    prepare: {
      to: ["preview", "expired"],
      async take(turn) {
        const run = await runOf(turn);
        if (run?.status !== "failed" || !run.error) return { to: run ? "preview" : "expired" };
        const { review } = turn.data;
        const trouble = {
          said: run.error.message,
          returned: returnedBy(run),
          site: review?.site ?? "WordPress",
        };
        return { data: { trouble } };
      },
    },
    buttons: {
      again: { label: both((t) => t.common.again), to: "publishing_begins", style: "success" },
      top_up: {
        ...topUpButton(({ needed }: ArticleData) => needed > 0),
        press: () => ({ data: { needed: 0 }, keep: true }),
      },
      other: { label: both((t) => t.articles.preview.otherSite), to: "select_site" },
      check: {
        label: both((t) => t.articles.publishing.check),
        to: "screen:connection:{id}:card",
        when: ({ connectionId }) => connectionId !== null,
        press: ({ data, language }) => ({
          to: `screen:connection:${data.connectionId ?? 0}:card`,
          keep: true,
          notice: texts[language].articles.publishing.checkFirst,
        }),
      },
      draft: {
        label: both((t) => t.articles.publishing.draft),
        to: "screen:dashboard",
        press: ({ language }) => ({ keep: true, notice: texts[language].articles.publishing.drafted }),
      },
    },
    ...{ noBack: true, noCancel: true },
  };

  const select_site: Named = {
    ask: ({ sites }, language) => {
      const say = texts[language].articles.preview;
      return sites.length > 0 ? say.which : say.noOther;
    },
    prepare: {
      async take(turn) {
        const others = (await sitesOf(turn, turn.data.projectId)).filter(
          ({ id }) => id !== turn.data.connectionId,
        );
        return { data: { sites: others } };
      },
    },
    buttons: {
      site: {
        label: both(() => ""),
        each: ({ sites }) => sites.map(({ id, name }) => ({ arg: String(id), label: name.slice(0, 60) })),
        to: "publishing_begins",
        press: ({ data }, arg) => ({
          data: { connectionId: data.sites.find(({ id }) => String(id) === arg)?.id ?? data.connectionId },
        }),
      },
      connections: {
        label: both((t) => t.common.toConnections),
        to: "screen:project:{id}:connections",
        press: ({ data }) => ({ to: `screen:project:${data.projectId}:connections`, keep: true }),
      },
    },
  };

  return { publishing_begins, publishing, publishing_failed, select_site };
}

/** WordPress sites of the project that take posts; the newest first. */
export async function sitesOf(
  turn: Parameters<typeof inStep>[0] & Parameters<typeof whoseOf>[0],
  projectId: number,
) {
  const page = await ifFound(() =>
    connectionPage(inStep(turn).sql, whoseOf(turn), projectId, { limit: mostSites }),
  );
  return (page?.items ?? [])
    .filter(({ platform_type, channel_id }) => platform_type === "wordpress" && channel_id !== null)
    .map(({ id, identifier }) => ({ id, name: identifier }));
}

async function previewOf(turn: ArticleTurn): Promise<number | undefined> {
  const { workspaceId, userId } = whoseOf(turn);
  const [row] = await turn.sql<{ id: number }[]>`
    select v.id from seo.article_previews v
    where v.workspace_id = ${workspaceId} and v.user_id = ${userId} and v.run = ${turn.data.runId}
    order by v.id desc limit 1`;
  return row?.id;
}
