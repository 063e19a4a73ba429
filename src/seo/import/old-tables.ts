/** The tables of the former SEO Master, parents first: what of a row is a reference, and what stands for a null. */

export type OldRow = Readonly<Record<string, unknown>> & { readonly id: number };

export interface OldTable {
  readonly name: OldTableName;
  /** Where its rows go, if they go there one to one. */
  readonly into?: string;
  /** References without which a row does not come. */
  readonly parents?: Readonly<Record<string, OldTableName>>;
  /** References that are emptied if what they name did not come. */
  readonly loose?: Readonly<Record<string, OldTableName>>;
  /** Where the old schema allowed a null and ours does not. */
  readonly fallbacks?: Readonly<Record<string, unknown>>;
  readonly json?: readonly string[];
}

export const oldTableNames = [
  "users",
  "projects",
  "platform_connections",
  "categories",
  "platform_content_overrides",
  "project_platform_settings",
  "platform_schedules",
  "publication_logs",
  "site_audits",
  "site_brandings",
  "article_previews",
  "payments",
  "token_expenses",
  "prompt_versions",
] as const;
export type OldTableName = (typeof oldTableNames)[number];

export const oldTables: Readonly<Record<OldTableName, OldTable>> = {
  users: {
    name: "users",
    into: "seo.users",
    fallbacks: {
      ...{ language: "ru", role: "user", notify_publications: true, notify_balance: true, notify_news: true },
    },
  },
  projects: {
    name: "projects",
    into: "seo.projects",
    parents: { user_id: "users" },
    fallbacks: { timezone: "Europe/Moscow" },
  },
  platform_connections: {
    name: "platform_connections",
    into: "seo.platform_connections",
    parents: { project_id: "projects" },
    json: ["metadata"],
    fallbacks: { metadata: {} },
  },
  categories: {
    name: "categories",
    into: "seo.categories",
    parents: { project_id: "projects" },
    json: ["keywords", "media", "reviews", "image_settings", "text_settings"],
    fallbacks: { keywords: [], media: [], reviews: [], image_settings: {}, text_settings: {} },
  },
  platform_content_overrides: {
    name: "platform_content_overrides",
    into: "seo.platform_content_overrides",
    parents: { category_id: "categories" },
    json: ["image_settings", "text_settings"],
  },
  project_platform_settings: {
    name: "project_platform_settings",
    parents: { project_id: "projects" },
    json: ["image_settings", "text_settings"],
  },
  platform_schedules: {
    name: "platform_schedules",
    into: "seo.platform_schedules",
    parents: { category_id: "categories", connection_id: "platform_connections" },
    fallbacks: {
      ...{ schedule_days: [], schedule_times: [], posts_per_day: 1, status: "active" },
      ...{ qstash_schedule_ids: [], cross_post_connection_ids: [] },
    },
  },
  publication_logs: {
    name: "publication_logs",
    into: "seo.publication_logs",
    parents: { user_id: "users", project_id: "projects" },
    loose: { category_id: "categories", connection_id: "platform_connections" },
    fallbacks: {
      ...{ content_type: "article", images_count: 0, word_count: 0, tokens_spent: 0, status: "success" },
    },
  },
  site_audits: {
    name: "site_audits",
    into: "seo.site_audits",
    parents: { project_id: "projects" },
    json: ["full_report", "recommendations"],
    fallbacks: { recommendations: [] },
  },
  site_brandings: {
    name: "site_brandings",
    into: "seo.site_brandings",
    parents: { project_id: "projects" },
    json: ["colors", "fonts"],
    fallbacks: { colors: {}, fonts: {} },
  },
  article_previews: {
    name: "article_previews",
    into: "seo.article_previews",
    parents: { user_id: "users", project_id: "projects", category_id: "categories" },
    loose: { connection_id: "platform_connections" },
    json: ["images"],
    fallbacks: { regeneration_count: 0, status: "draft", images: [] },
  },
  payments: { name: "payments", parents: { user_id: "users" } },
  token_expenses: { name: "token_expenses", parents: { user_id: "users" } },
  prompt_versions: { name: "prompt_versions" },
};

/** Columns of times that ours demands; a null becomes the time of the import. */
export const timeColumns = [
  "created_at",
  "last_activity",
  "audited_at",
  "extracted_at",
  "expires_at",
] as const;
