/** What is known of a project's site and of its competitors. */
import { cut } from "../../../kernel/words/index.ts";
import { auditHistory } from "../../audits/audit-history.ts";
import { readAudit } from "../../audits/audits.ts";
import { competitorResult } from "../../competitors/competitor-run.ts";
import { readProject } from "../../projects/projects.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { auditText } from "./audit-text.ts";
import { competitorText } from "./competitor-text.ts";

export const analysis = screen("project:{id}:analysis", {
  to: [
    ...["project:{id}:audit", "project:{id}:competitor:new", "project:{id}:competitor", "project:{id}:card"],
    ...["project:{id}:ranks", "project:{id}:refresh"],
  ],
  async show({ id }, visit) {
    const project = await projectOf(visit, id);
    if (!project) return undefined;
    const { analysis: say, common } = texts[visit.language];
    const last = await lastCompetitor(visit, id);
    const site = project.website_url;
    const hasArticles = await wroteArticles(visit, id);
    return {
      text: say.title(project.name, site ?? say.noSite),
      buttons: [
        [{ label: say.auditLabel, to: `project:${id}:audit` }],
        [{ label: say.competitorLabel, to: `project:${id}:competitor:new` }],
        last ? [{ label: say.lastLabel(cut(hostOf(last.url), 30)), to: `project:${id}:competitor` }] : [],
        ...(hasArticles
          ? [
              [{ label: say.ranks.label, to: `project:${id}:ranks` }],
              [{ label: say.refresh.label, to: `project:${id}:refresh` }],
            ]
          : []),
        [{ label: common.toProject, to: `project:${id}:card` }],
      ],
    };
  },
});

export const audit = screen("project:{id}:audit", {
  to: [
    ...["project:{id}:audit:run", "project:{id}:edit", "pipeline:article:start", "project:{id}:analysis"],
    "project:{id}:audit:trend",
  ],
  async show({ id }, visit) {
    const project = await projectOf(visit, id);
    if (!project) return undefined;
    const { analysis: say } = texts[visit.language];
    const parent = [{ label: say.toAnalysis, to: `project:${id}:analysis` }];
    const done = await readAudit(inStep(visit).sql, whoseOf(visit), id);
    const known = done ? auditText(done, visit.language) : undefined;
    const audits = await auditHistory(inStep(visit).sql, whoseOf(visit), id);
    const lacking = project.website_url === null ? say.audit.noSite : undefined;
    const off = visit.services.sources.isOn("pagespeed") ? undefined : say.audit.off;
    const text = [say.audit.title, known, lacking ?? off ?? (known ? say.audit.offer : say.audit.never)];
    return {
      text: text.filter((part) => part !== undefined).join("\n\n"),
      buttons: [
        known ? [{ label: say.audit.article, to: "pipeline:article:start", style: "primary" }] : [],
        lacking === undefined
          ? off === undefined
            ? [{ label: known ? say.audit.again : say.audit.run, to: `project:${id}:audit:run` }]
            : []
          : [{ label: say.audit.addSite, to: `project:${id}:edit` }],
        audits.length > 1 ? [{ label: say.trend.label, to: `project:${id}:audit:trend` }] : [],
        parent,
      ],
    };
  },
});

export const beginAudit = action("project:{id}:audit:run", {
  to: ["flow:AuditRun"],
  act: async ({ id }, visit) => (await projectOf(visit, id)) && { data: { projectId: id } },
});

export const beginCompetitor = action("project:{id}:competitor:new", {
  to: ["flow:CompetitorAnalysis"],
  act: async ({ id }, visit) => (await projectOf(visit, id)) && { data: { projectId: id } },
});

export const competitor = screen("project:{id}:competitor", {
  to: ["project:{id}:competitor:new", "pipeline:article:start", "project:{id}:analysis"],
  async show({ id }, visit) {
    const project = await projectOf(visit, id);
    if (!project) return undefined;
    const say = texts[visit.language].analysis;
    const last = await lastCompetitor(visit, id);
    return {
      text: last
        ? `${competitorText(last, visit.language)}\n\n${say.competitor.offer}`
        : say.competitor.never,
      buttons: [
        [{ label: say.audit.article, to: "pipeline:article:start", style: "primary" }],
        [{ label: say.competitor.another, to: `project:${id}:competitor:new` }],
        [{ label: say.toAnalysis, to: `project:${id}:analysis` }],
      ],
    };
  },
});

const projectOf = (visit: BotVisit, id: number) =>
  ifFound(() => readProject(inStep(visit).sql, whoseOf(visit), id));

/** Before the first article there is nothing to look for in the results of search engines. */
async function wroteArticles(visit: BotVisit, projectId: number): Promise<boolean> {
  const { workspaceId, userId } = whoseOf(visit);
  const rows = await visit.sql`
    select from seo.runs r
    where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.project_id = ${projectId}
      and r.kind = 'article' and r.status = 'done' and r.result ? 'post_url'
    limit 1`;
  return rows.length > 0;
}

/** The last analysis for this project. */
async function lastCompetitor(visit: BotVisit, projectId: number) {
  const { workspaceId, userId } = whoseOf(visit);
  const [run] = await visit.sql<{ result: unknown }[]>`
    select result from seo.runs
    where workspace_id = ${workspaceId} and user_id = ${userId} and project_id = ${projectId}
      and kind = 'competitor_analysis' and status = 'done'
    order by created_at desc limit 1`;
  const read = competitorResult.safeParse(run?.result);
  return read.success ? read.data : undefined;
}

const hostOf = (url: string) => URL.parse(url)?.host ?? url;
