import { writeFile } from "node:fs/promises";
import { counted, facts, moment, print, reading, table, UserError } from "../../terminal/index.ts";
import { type AuditScores, auditHistory, scoreNames } from "../audits/audit-history.ts";
import { type AuditResult, auditResult } from "../audits/audit-run.ts";
import { readAudit, readBranding } from "../audits/audits.ts";
import { brandingResult } from "../audits/branding-run.ts";
import { orderAudit, orderBranding } from "../audits/order-site-works.ts";
import { sparkline, trendPicture } from "../audits/trend-picture.ts";
import { linksFound } from "../connections/connections.ts";
import { asPerson, type ForPerson, forPerson, idIn } from "./for-person.ts";
import { type OrderOptions, orderAndPrint, ordering } from "./ordering.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo audit run|show|history|branding`. */
export const addAudits: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("audit").description("speed, scores and colours of a project's site");
  ordering(command, "run", "measure the site, for tokens")
    .argument("<project>", "its number", idIn)
    .action((id: number, options: OrderOptions) =>
      orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderAudit(deps, deps.kinds, whose, id),
        ({ result }) => {
          const audit = auditResult.parse(result);
          return [auditText(audit), ...(audit.warning ? [audit.warning.en] : [])].join("\n\n");
        },
      ),
    );
  forPerson(reading(command, "show", "the last audit, and the site's colours if they were read"))
    .argument("<project>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const [audit, branding, links] = await asPerson(terminal, options, ({ sql }, whose) =>
        Promise.all([readAudit(sql, whose, id), readBranding(sql, whose, id), linksFound(sql, whose, id)]),
      );
      if (!audit && !branding && links === undefined)
        throw new UserError(
          `The site was not measured yet: molva seo audit run ${id} --user ${options.user}`,
        );
      const known = { audit: audit ?? null, branding: branding ?? null, links_found: links ?? null };
      print(terminal, options, known, () =>
        [
          ...(audit ? [`${auditText(audit)}\n\nMeasured ${moment(audit.audited_at)}.`] : []),
          ...(branding ? [brandingText(branding)] : []),
          ...(links === undefined ? [] : [`Articles may link to ${counted(links, "page")} of the site.`]),
        ].join("\n\n"),
      );
    });
  forPerson(reading(command, "history", "the scores of the last audits, and how they went"))
    .argument("<project>", "its number", idIn)
    .option("--picture <file>", "write the picture of the trend as PNG, too")
    .action(async (id: number, options: ForPerson & { readonly picture?: string }) => {
      const items = await asPerson(terminal, options, ({ sql }, whose) => auditHistory(sql, whose, id));
      if (items.length === 0)
        throw new UserError(
          `The site was not measured yet: molva seo audit run ${id} --user ${options.user}`,
        );
      if (options.picture !== undefined) await writeFile(options.picture, await trendPicture(items));
      print(terminal, options, { items }, () => historyText(items));
    });
  ordering(command, "branding", "read colours, fonts and the logo of the site, for nothing")
    .argument("<project>", "its number", idIn)
    .action((id: number, options: OrderOptions) =>
      orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderBranding(deps, deps.kinds, whose, id),
        ({ result }) => {
          const branding = brandingResult.parse(result);
          return [
            brandingText(branding),
            ...(branding.from === "default" ? ["The site told nothing: these are the usual colours."] : []),
          ].join("\n\n");
        },
      ),
    );
};

const auditsText = table<AuditScores>("", {
  time: ({ audited_at }) => moment(audited_at),
  performance: ({ performance }) => scoreText(performance),
  accessibility: ({ accessibility }) => scoreText(accessibility),
  "best practices": ({ best_practices }) => scoreText(best_practices),
  SEO: ({ seo_score }) => scoreText(seo_score),
});

const scoreText = (score: number | null) => (score === null ? "unknown" : String(score));

function historyText(items: readonly AuditScores[]): string {
  const lines = scoreNames.map(
    (name) => [name.replace("_", " "), sparkline(items.map((item) => item[name]))] as const,
  );
  return `${auditsText(items)}\n\n${facts(lines)}`;
}

type Measured = Pick<
  AuditResult,
  | "url"
  | "performance"
  | "accessibility"
  | "best_practices"
  | "seo_score"
  | "lcp_ms"
  | "inp_ms"
  | "cls"
  | "ttfb_ms"
  | "recommendations"
>;

function auditText(audit: Measured): string {
  const score = (value: number | null) => (value === null ? "unknown" : `${value}/100`);
  const ms = (value: number | null) => (value === null ? undefined : `${value} ms`);
  const figures = facts([
    ["site", audit.url],
    ["performance", score(audit.performance)],
    ["accessibility", score(audit.accessibility)],
    ["best practices", score(audit.best_practices)],
    ["SEO", score(audit.seo_score)],
    ["LCP", ms(audit.lcp_ms)],
    ["INP", ms(audit.inp_ms)],
    ["CLS", audit.cls === null ? undefined : String(audit.cls)],
    ["TTFB", ms(audit.ttfb_ms)],
  ]);
  const advice = audit.recommendations.map(({ title, priority }) => `  - ${title} (${priority})`);
  return advice.length > 0 ? [figures, "", "What to do", ...advice].join("\n") : figures;
}

function brandingText({
  colors,
  fonts,
  logo_url,
}: {
  readonly colors: Readonly<Record<string, string | null | undefined>>;
  readonly fonts: { readonly heading?: string | null | undefined; readonly body?: string | null | undefined };
  readonly logo_url: string | null;
}): string {
  return facts([
    ...Object.entries(colors),
    ["font of headings", fonts.heading],
    ["font of text", fonts.body],
    ["logo", logo_url],
  ]);
}
