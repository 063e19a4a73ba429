import { problem } from "../../../http/index.ts";
import { type Preview, type PullDeps, previewSource, readSource, showSource } from "../../pull/index.ts";
import { readsElsewhere } from "./authority.ts";
import { notFound, requireGoodConfig } from "./change-sources.ts";
import type { TriedSource } from "./source-shape.ts";

/** What a source would post with this configuration. Nothing is stored, the secret neither. */
export async function trySource(
  deps: PullDeps,
  workspaceId: string,
  { source_id: sourceId, kind, config, secret }: TriedSource,
): Promise<Exclude<Preview, { outcome: "unknown" }>> {
  requireGoodConfig(kind, config);
  const known =
    sourceId === undefined ? nothingKnown(workspaceId) : await stored(deps, workspaceId, sourceId);
  const source = { ...known.source, kind, config };
  const isAnotherList = readsElsewhere(known.config, config);
  if (isAnotherList && known.source.secretRef !== null && secret === undefined) {
    const detail = "Another address or query is tried with its own secret only: give the secret too.";
    throw problem("unprocessable", { detail, errors: [{ pointer: "/secret", detail }] });
  }
  return previewSource(
    {
      ...source,
      ...(isAnotherList && { cursor: {} }),
      ...(secret !== undefined && { secretRef: "given" }),
    },
    secret === undefined ? deps : { ...deps, credentials: { token: async () => secret } },
  );
}

async function stored({ sql }: PullDeps, workspaceId: string, sourceId: string) {
  const [source, view] = await Promise.all([
    readSource(sql, workspaceId, sourceId),
    showSource(sql, { workspaceId, sourceId }),
  ]);
  if (!source || !view) throw notFound(sourceId);
  return { source, config: view.config };
}

function nothingKnown(workspaceId: string) {
  const source = {
    workspaceId,
    sourceId: "",
    secretRef: null,
    endpointId: null,
    cursor: {},
    forgottenUpTo: null,
  };
  return { source, config: {} };
}
