/** Sources of facts: search volumes, search results, pages, site speed, Yandex. */
export { accountsOf, twinAccounts } from "./accounts.ts";
export type { AddressCheck } from "./address-check.ts";
export type { DataForSeo } from "./dataforseo/client.ts";
export type { Intent, Keyword } from "./dataforseo/shapes.ts";
export type { SourceDeps } from "./deps.ts";
export { sourceSettings } from "./environment.ts";
export type { PageDay, Period, Property, SearchFigures } from "./figures.ts";
export { type Branding, plainBranding } from "./firecrawl/branding.ts";
export type { Extraction, Firecrawl, ReadPage, SiteLink } from "./firecrawl/client.ts";
export type { Heading } from "./firecrawl/page.ts";
export type { PageSpeed } from "./pagespeed/client.ts";
export type { Recommendation, SiteAudit, Vitals } from "./pagespeed/report.ts";
export { sourcesOf } from "./parts.ts";
export {
  type Found,
  type Missing,
  type MissingReason,
  type Payer,
  type Sourced,
  type SourceName,
  sourceNames,
} from "./result.ts";
export type { SearchPage, Serper } from "./serper/client.ts";
export { type Accounts, createSources, type Sources } from "./sources.ts";
export type { Demand, Region, RegionDemand, Yandex } from "./yandex/client.ts";
export type { YandexResult } from "./yandex/search-xml.ts";
