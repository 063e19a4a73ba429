import { Problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { readBranding } from "../audits/audits.ts";
import { readCategory } from "../categories/categories.ts";
import { readPrices, readReviews } from "../categories/lists.ts";
import { readAnswers } from "../categories/owner-answers.ts";
import { readConnection } from "../connections/connections.ts";
import type { SeoConnection } from "../connections/shape.ts";
import { siteMetadataOf, usualInternalLinks } from "../connections/site-metadata.ts";
import { detectNiche } from "../niches/index.ts";
import type { Whose } from "../people/whose.ts";
import { readProject } from "../projects/projects.ts";
import type { Project } from "../projects/shape.ts";
import { reservePhrase } from "../publications/rotation.ts";
import { RunFailure } from "../runs/run-failure.ts";
import type { RunScope } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import { readSettings } from "../settings/settings.ts";
import { readStyle } from "../styleguide/styles.ts";
import type { Told } from "./own-facts.ts";
import type { ArticleOrder, Brief } from "./shape.ts";
import { siteAddress } from "./site-address.ts";
import { failures } from "./warnings.ts";

/** Everything that is known when the writing begins. Later changes of the project do not reach the article. */
export async function readBrief(sql: Sql, run: RunScope, order: ArticleOrder, now: Date): Promise<Brief> {
  try {
    const { category_id: categoryId } = order;
    const wanted = { categoryId, contentType: "article", run: run.runId } as const;
    const reserved = await reservePhrase(sql, run, wanted, now);
    if (reserved.outcome !== "reserved") throw new RunFailure(reserved.outcome, reserved.said);
    return await briefOf(sql, run, order, reserved, now);
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found")
      throw new RunFailure("deleted", failures.deleted);
    throw error;
  }
}

/** The same about a given cluster. */
export async function briefOf(
  sql: Sql,
  run: Whose,
  order: Pick<ArticleOrder, "project_id" | "category_id" | "connection_id">,
  { cluster, advice }: Pick<Brief, "cluster"> & { readonly advice: readonly Said[] },
  now: Date,
): Promise<Brief> {
  const { project_id: projectId, category_id: categoryId, connection_id: connectionId } = order;
  const connection = connectionId === null ? undefined : await readConnection(sql, run, connectionId);
  const [project, category, settings, branding, prices, reviews, answers, style] = await Promise.all([
    readProject(sql, run, projectId),
    readCategory(sql, run, categoryId),
    readSettings(sql, run, categoryId, "wordpress"),
    readBranding(sql, run, projectId),
    readPrices(sql, run, categoryId),
    readReviews(sql, run, categoryId),
    readAnswers(sql, run, categoryId),
    readStyle(sql, run, projectId),
  ]);
  const colours = branding?.colors ?? {};
  const known = (colour: string | null | undefined) => colour ?? undefined;
  return {
    company: {
      ...{ name: project.company_name, specialization: project.specialization },
      ...{ city: project.company_city ?? "", advantages: project.advantages ?? "" },
      facts: [
        ...factsOf(project),
        ...(category.description ? [category.description] : []),
        ...answers.map(({ answer }) => `${labels.answer}: ${answer}`),
        // What a model made up proves nothing about the business.
        ...reviews
          .filter(({ sample }) => !sample)
          .slice(0, mostReviews)
          .map(({ text }) => `${labels.review}: ${text}`),
      ],
    },
    site: await siteAddress(sql, run, project, connectionId),
    cluster,
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
    advice: [...advice],
    today: now.toISOString().slice(0, 10),
  };
}

function linksOf(connection: SeoConnection | undefined): Brief["links"] {
  const { internal_links = usualInternalLinks, external_links = [] } = connection
    ? siteMetadataOf(connection)
    : {};
  return { internal: internal_links, external: external_links };
}
const mostReviews = 3;

/** What goes with the brand, and what is told about it. */
const contacts = { city: "Город", address: "Адрес", phone: "Телефон", mail: "Почта" };
const labels = {
  ...{ experience: "Опыт", advantages: "Преимущества", about: "О компании" },
  ...{ answer: "Со слов владельца", review: "Отзыв клиента" },
};

export function factsOf(project: Project): string[] {
  const fields: readonly (readonly [string, string | null])[] = [
    [contacts.city, project.company_city],
    [contacts.address, project.company_address],
    [contacts.phone, project.company_phone],
    [contacts.mail, project.company_email],
    [labels.experience, project.experience],
    [labels.advantages, project.advantages],
    [labels.about, project.description],
  ];
  return fields.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
}

/** What the business tells about itself, for the question which of it only this business can tell. */
export function toldBy({ company, prices, cluster }: Brief): Told {
  const isContact = (fact: string) => Object.values(contacts).some((label) => fact.startsWith(`${label}: `));
  const bare = (fact: string) => {
    const label = Object.values(labels).find((each) => fact.startsWith(`${each}: `));
    return label === undefined ? fact : fact.slice(label.length + 2);
  };
  return {
    texts: company.facts.filter((fact) => !isContact(fact)).map(bare),
    prices: prices.map(({ name, price }) => `${name} — ${price}`),
    names: [company.name, company.city, company.specialization, cluster.main_phrase],
  };
}

/** The business's own facts as lines: what its texts may state without a source. */
export const companyLines = ({ company, prices }: Brief): string[] => [
  `${company.name}: ${company.specialization}`,
  ...company.facts,
  ...prices.map(({ name, price }) => `${name} — ${price}`),
];
