/** The variables of SEO Master's document, and what each is here. The names that stay as they are need no line of `elsewhere`. */
import type { Environment } from "../kernel/config/index.ts";
import type { Said } from "./said.ts";

/** In the document's order: required, optional, defaults. */
export const documentVariables = [
  ...[
    "TELEGRAM_BOT_TOKEN",
    "ADMIN_ID",
    "SUPABASE_URL",
    "SUPABASE_KEY",
    "UPSTASH_REDIS_URL",
    "UPSTASH_REDIS_TOKEN",
  ],
  ...["QSTASH_TOKEN", "QSTASH_CURRENT_SIGNING_KEY", "QSTASH_NEXT_SIGNING_KEY", "OPENROUTER_API_KEY"],
  ...["FIRECRAWL_API_KEY", "ENCRYPTION_KEY", "TELEGRAM_WEBHOOK_SECRET"],
  ...["DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD", "SERPER_API_KEY", "YOOKASSA_SHOP_ID", "YOOKASSA_SECRET_KEY"],
  ...["SENTRY_DSN", "RAILWAY_PUBLIC_URL", "PINTEREST_APP_ID", "PINTEREST_APP_SECRET", "USD_RUB_RATE"],
  ...["HEALTH_CHECK_TOKEN", "SUPABASE_STORAGE_BUCKET", "RAILWAY_GRACEFUL_SHUTDOWN_TIMEOUT"],
  ...[
    "DEFAULT_TIMEZONE",
    "FSM_TTL_SECONDS",
    "FSM_INACTIVITY_TIMEOUT",
    "PREVIEW_TTL_SECONDS",
    "MAX_REGENERATIONS_FREE",
  ],
] as const;
export type DocumentVariable = (typeof documentVariables)[number];

/** Variables that have another name here: Molva reads both. */
export const renamed: Readonly<Record<string, string>> = {
  RAILWAY_PUBLIC_URL: "MOLVA_PUBLIC_URL",
  ENCRYPTION_KEY: "MOLVA_ENCRYPTION_KEYS",
};

const database = {
  ru: "данные хранит PostgreSQL из DATABASE_URL; перенести их из Supabase: `molva seo import`",
  en: "data is kept in the PostgreSQL of DATABASE_URL; `molva seo import` brings it over from Supabase",
};
const redis = {
  ru: "ключи и счётчики хранит PostgreSQL; свой Redis задаётся в REDIS_URL",
  en: "keys and counters are kept in PostgreSQL; a Redis of yours is set as REDIS_URL",
};

/** Variables that nothing here reads, and what there is instead. */
export const notNeeded: Readonly<Record<string, Said>> = {
  SUPABASE_URL: database,
  SUPABASE_KEY: database,
  SUPABASE_STORAGE_BUCKET: {
    ru: "файлы хранятся в MOLVA_HOME или в S3: S3_ENDPOINT, S3_BUCKET",
    en: "files are kept in MOLVA_HOME or in S3: S3_ENDPOINT, S3_BUCKET",
  },
  UPSTASH_REDIS_URL: redis,
  UPSTASH_REDIS_TOKEN: redis,
};

export interface NotNeeded {
  readonly name: string;
  readonly instead: Said;
}

/** Those that are set although nothing reads them. */
export function notNeededIn(environment: Environment): readonly NotNeeded[] {
  return Object.entries(notNeeded)
    .filter(([name]) => environment[name]?.trim())
    .map(([name, instead]) => ({ name, instead }));
}
