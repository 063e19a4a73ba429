import { problem } from "../../../http/index.ts";
import { type Preview, type PullDeps, type PullReport, previewPull, pullNow } from "../../pull/index.ts";
import { notFound } from "./change-sources.ts";

export type SourceRun = PullReport | Exclude<Preview, { outcome: "unknown" }>;

/** Reads a source at once, whether it is due or not; a dry run shows what would be posted and writes nothing. */
export async function runSource(
  deps: PullDeps,
  workspaceId: string,
  sourceId: string,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): Promise<SourceRun> {
  const name = { workspaceId, sourceId };
  if (dryRun) {
    const preview = await previewPull(name, deps);
    if (preview.outcome === "unknown") throw refusals.unknown(sourceId);
    return preview;
  }
  const report = await pullNow(name, deps);
  if ("runId" in report) return report;
  throw refusals[report.outcome](sourceId);
}

const refusals = {
  unknown: notFound,
  busy: () =>
    problem("conflict", {
      detail: "The source is being asked this moment; look at its last run in a while.",
    }),
  disabled: () =>
    problem("conflict", { detail: "The source is disabled: enable it, or rehearse with dry_run." }),
};
