import { inOneLine, readSourceConfig, type SourceConfig } from "./config.ts";
import { listFeed } from "./feed/list-feed.ts";
import type { ListDeps } from "./fetch-document.ts";
import { ExpressionError } from "./mapped/expression.ts";
import { listApi } from "./mapped/list-api.ts";
import { listRows } from "./mapped/list-rows.ts";
import { expressionFailure, failed, type Listing, type Source } from "./source.ts";

export type Listed = { readonly config: SourceConfig } & Extract<Listing, { kind: "listed" }>;

/** Lists the items of a source of any kind. An error of the source is returned, not thrown. */
export async function listSource(
  source: Source,
  deps: ListDeps,
): Promise<Listed | Exclude<Listing, { kind: "listed" }>> {
  const read = readSourceConfig(source.kind, source.config);
  if (!read.ok) return failed("source_config_invalid", inOneLine(read.errors));
  if (source.secretRef !== null && !deps.secret)
    return failed(
      "source_secret_missing",
      source.secretRef.startsWith("env:")
        ? `${source.secretRef.slice("env:".length)} is not set, or not bound to the workspace (MOLVA_WORKSPACE_VARIABLES)`
        : `there is nothing under ${source.secretRef}`,
    );
  const listing = await listOf(source, read.config, deps).catch((error: unknown) => {
    if (error instanceof ExpressionError)
      return { kind: "failed" as const, failure: expressionFailure(error) };
    throw error;
  });
  return listing.kind === "listed" ? { ...listing, config: read.config } : listing;
}

function listOf(source: Source, config: SourceConfig, deps: ListDeps): Promise<Listing> {
  if (config.kind === "rss") return listFeed(source, config, deps);
  if (config.kind === "api") return listApi(source, config, deps);
  return listRows(source, config, deps);
}
