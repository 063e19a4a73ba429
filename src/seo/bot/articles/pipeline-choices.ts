/** Steps 1 to 3 of the pipeline: the project, the site, the theme. What there is one of is chosen, what there is none of is created. */
import type { Button, State } from "../../../dialogs/index.ts";
import { connectWordPress } from "../connections/connect-wordpress.ts";
import { chooseStates, listed, taken } from "../pipeline/choose-states.ts";
import { type BotServices, type BotVisit, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { anotherArticle } from "./article-data.ts";
import type { PipelineData } from "./pipeline-data.ts";
import type { PipelineName } from "./pipeline-names.ts";
import { sitesOf } from "./publish-states.ts";

type Named = State<PipelineData, PipelineName, BotServices>;
type Key = Button<PipelineData, PipelineName, BotServices>;

const repeat: Named = {
  ask: ({ last }, language) => {
    const { articles } = texts[language];
    if (!last) return articles.pipeline.steps.project;
    const place = articles.confirm.place(last.project, last.site);
    return `${articles.pipeline.steps.project}\n\n${articles.pipeline.repeat.text(place, last.category)}`;
  },
  prepare: {
    to: ["select_project"],
    async take(turn) {
      const last = await lastPublished(turn);
      return last ? { data: { last } } : { to: "select_project" };
    },
  },
  buttons: {
    same: {
      label: both((t) => t.articles.pipeline.repeat.same),
      to: "confirm_cost",
      style: "primary",
      press: ({ data: { last } }) => ({
        data: {
          projectId: last?.projectId ?? 0,
          connectionId: last?.connectionId ?? null,
          categoryId: last?.categoryId ?? 0,
          place: last?.project ?? "",
        },
      }),
    },
    theme: {
      label: both((t) => t.articles.pipeline.otherTheme),
      to: "select_category",
      press: ({ data: { last } }) => ({
        data: {
          projectId: last?.projectId ?? 0,
          connectionId: last?.connectionId ?? null,
          place: last?.project ?? "",
          isChoosing: true,
        },
      }),
    },
    project: {
      label: both((t) => t.articles.pipeline.otherProject),
      to: "select_project",
      press: () => ({ data: { isChoosing: true } }),
    },
  },
};

const choosing = chooseStates<"select_wp">({
  words: ({ articles: { pipeline: say } }) => ({
    ...{ project: `${say.steps.project}\n\n${say.which.project}`, newProject: say.newProject },
    ...{ category: `${say.steps.theme}\n\n${say.which.theme}`, newCategory: say.addTheme },
    ...{ nameCategory: `${say.steps.theme}\n\n${say.newTheme}`, otherProject: say.otherProject },
  }),
  createProject: (t) => t.articles.pipeline.createProject,
  ...{ place: "select_wp", afterProject: "select_wp" },
  anew: { project: { connectionId: null }, category: anotherArticle },
});

/** After the site comes the theme unless it is known, or the publication of what is written already. */
const afterSite = (data: Pick<PipelineData, "runId" | "categoryId">) =>
  data.runId === "" ? beforeWriting(data) : ("publishing_begins" as const);
const beforeWriting = ({ categoryId }: Pick<PipelineData, "categoryId">) =>
  categoryId === 0 ? ("select_category" as const) : ("readiness_check" as const);
const afterSites = ["select_category", "readiness_check", "publishing_begins"] as const;

const previewOnly: Key = {
  label: both((t) => t.articles.pipeline.previewOnly),
  to: ["select_category", "readiness_check", "preview"],
  press: ({ data }) => ({
    to: data.runId === "" ? beforeWriting(data) : "preview",
    data: { connectionId: null, isChoosing: false },
  }),
};

const select_wp: Named = {
  ask: ({ choices: sites }, language) => {
    const { steps, which, noSite } = texts[language].articles.pipeline;
    return `${steps.site}\n\n${sites.length === 0 ? noSite : which.site}`;
  },
  prepare: {
    to: afterSites,
    async take(turn) {
      const sites = await sitesOf(turn, turn.data.projectId);
      const site = taken(turn, sites);
      if (!site) return { data: { choices: sites, page: 1 } };
      return { to: afterSite(turn.data), data: { connectionId: site.id } };
    },
  },
  buttons: {
    ...listed<PipelineData, PipelineName>({
      to: afterSites,
      chosen: ({ data }, { id }) => ({ to: afterSite(data), data: { connectionId: id } }),
    }),
    connect: { label: both((t) => t.articles.pipeline.connect), to: "connect_wp_url", style: "primary" },
    preview_only: previewOnly,
  },
};

const connecting = connectWordPress<PipelineData, PipelineName>({
  names: {
    ...{ url: "connect_wp_url", probing: "connect_wp_probing", login: "connect_wp_login" },
    ...{ password: "connect_wp_password", checking: "connect_wp_checking" },
    ...{ elsewhere: "connect_wp_elsewhere", failed: "connect_wp_failed" },
  },
  takesProjectSite: true,
  projectId: ({ projectId }) => projectId,
  to: afterSites,
  connected: ({ data, language }, { id, identifier }) => ({
    to: afterSite(data),
    data: { connectionId: id },
    notice: texts[language].connections.wordpress.connected(identifier),
  }),
  beside: { preview_only: previewOnly },
});

export const choiceStates = {
  ...{ repeat, ...choosing, select_wp },
  connect_wp_url: connecting.url,
  connect_wp_probing: connecting.probing,
  connect_wp_login: connecting.login,
  connect_wp_password: connecting.password,
  connect_wp_checking: connecting.checking,
  connect_wp_elsewhere: connecting.elsewhere,
  connect_wp_failed: connecting.failed,
};

/** The last article on a site, if its theme and its site are still there. */
async function lastPublished(visit: BotVisit): Promise<PipelineData["last"]> {
  const { workspaceId, userId } = whoseOf(visit);
  const [row] = await visit.sql<NonNullable<PipelineData["last"]>[]>`
    select l.project_id as "projectId", l.category_id as "categoryId", l.connection_id as "connectionId",
      p.name as project, c.name as category, n.identifier as site
    from seo.publication_logs l
    join seo.projects p on p.workspace_id = l.workspace_id and p.id = l.project_id
    join seo.categories c on c.workspace_id = l.workspace_id and c.id = l.category_id
    join seo.platform_connections n on n.workspace_id = l.workspace_id and n.id = l.connection_id
    where l.workspace_id = ${workspaceId} and l.user_id = ${userId} and l.content_type = 'article' and l.status = 'success'
      and n.channel_id is not null
    order by l.id desc limit 1`;
  return row ?? null;
}
