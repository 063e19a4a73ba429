import { Problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { readBranding } from "../audits/audits.ts";
import { readCategory } from "../categories/categories.ts";
import { readPrices } from "../categories/lists.ts";
import { readConnection } from "../connections/connections.ts";
import type { SeoConnection } from "../connections/shape.ts";
import { siteMetadataOf, usualInternalLinks } from "../connections/site-metadata.ts";
import { siteUrlOf } from "../connections/site-url.ts";
import { detectNiche } from "../niches/index.ts";
import { readProject } from "../projects/projects.ts";
import type { Project } from "../projects/shape.ts";
import { reservePhrase } from "../publications/rotation.ts";
import { RunFailure } from "../runs/run-failure.ts";
import type { RunScope } from "../runs/run-kind.ts";
import { readSettings } from "../settings/settings.ts";
import { readStyle } from "../styleguide/styles.ts";
import type { ArticleOrder, Brief } from "./shape.ts";
import { failures } from "./warnings.ts";

/** Everything that is known when the writing begins. Later changes of the project do not reach the article. */
export async function readBrief(sql: Sql, run: RunScope, order: ArticleOrder, now: Date): Promise<Brief> {
  try {
    return await briefOf(sql, run, order, now);
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found")
      throw new RunFailure("deleted", failures.deleted);
    throw error;
  }
}

async function briefOf(sql: Sql, run: RunScope, order: ArticleOrder, now: Date): Promise<Brief> {
  const { project_id: projectId, category_id: categoryId, connection_id: connectionId } = order;
  const [project, category, settings, branding, prices, style] = await Promise.all([
    readProject(sql, run, projectId),
    readCategory(sql, run, categoryId),
    readSettings(sql, run, categoryId, "wordpress"),
    readBranding(sql, run, projectId),
    readPrices(sql, run, categoryId),
    readStyle(sql, run, projectId),
  ]);
  const reserved = await reservePhrase(sql, run, { categoryId, contentType: "article", run: run.runId }, now);
  if (reserved.outcome !== "reserved") throw new RunFailure(reserved.outcome, reserved.said);
  const connection = connectionId === null ? undefined : await readConnection(sql, run, connectionId);
  const colours = branding?.colors ?? {};
  const known = (colour: string | null | undefined) => colour ?? undefined;
  return {
    company: {
      ...{ name: project.company_name, specialization: project.specialization },
      ...{ city: project.company_city ?? "", advantages: project.advantages ?? "" },
      facts: [...factsOf(project), ...(category.description ? [category.description] : [])],
    },
    site: connection?.platform_type === "wordpress" ? siteUrlOf(connection.identifier) : project.website_url,
    cluster: reserved.cluster,
    image: settings.image,
    text: settings.text,
    brand: {
      ...{ text: known(colours.text), accent: known(colours.accent) },
      ...{ background: known(colours.background), primary: known(colours.primary) },
    },
    prices: prices.map(({ name, price }) => ({ name, price })),
    links: linksOf(connection),
    niche: detectNiche(project.specialization),
    style: style ? { features: style.features, description: style.description } : null,
    advice: [...reserved.advice],
    today: now.toISOString().slice(0, 10),
  };
}

function linksOf(connection: SeoConnection | undefined): Brief["links"] {
  const { internal_links = usualInternalLinks, external_links = [] } = connection
    ? siteMetadataOf(connection)
    : {};
  return { internal: internal_links, external: external_links };
}

export function factsOf(project: Project): string[] {
  const fields: readonly (readonly [string, string | null])[] = [
    ["Город", project.company_city],
    ["Адрес", project.company_address],
    ["Телефон", project.company_phone],
    ["Почта", project.company_email],
    ["Опыт", project.experience],
    ["Преимущества", project.advantages],
    ["О компании", project.description],
  ];
  return fields.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
}

/** The business's own facts as lines: what its texts may state without a source. */
export const companyLines = ({ company, prices }: Brief): string[] => [
  `${company.name}: ${company.specialization}`,
  ...company.facts,
  ...prices.map(({ name, price }) => `${name} — ${price}`),
];
