import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { AdminDeps, By, Rehearsal } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import type { Said } from "../said.ts";
import { inCategory, noteCategory } from "./categories.ts";
import {
  type Cluster,
  clusterSchema,
  countPhrases,
  mergeClusters,
  phraseLimit,
  removeFrom,
} from "./clusters.ts";
import { arrange, type Learnt } from "./keyword-file.ts";

export interface KeywordsChanged {
  readonly clusters: number;
  readonly phrases: number;
  readonly added: number;
  readonly removed: number;
  readonly warning: Said | null;
}

/** All clusters of a category, whichever format they are kept in. */
export async function readClusters(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  categoryId: number,
): Promise<Cluster[]> {
  const [row] = await sql<{ clusters: unknown }[]>`
    select seo.clusters_of(c.keywords) as clusters
    from seo.categories c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.workspace_id = ${workspaceId} and c.id = ${categoryId} and p.user_id = ${userId}`;
  if (!row) throw notFound("category", categoryId);
  return z.array(clusterSchema).parse(row.clusters);
}

/** Adds clusters; phrases that are known are not added again. */
export function addClusters(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  clusters: readonly Cluster[],
  by?: By,
): Promise<KeywordsChanged> {
  return changeKeywords(
    deps,
    whose,
    categoryId,
    (known) => ({ clusters: mergeClusters(known, clusters) }),
    by,
  );
}

/** Puts clusters in the place of all that are there. */
export function replaceClusters(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  clusters: readonly Cluster[],
  by?: By,
): Promise<KeywordsChanged> {
  return changeKeywords(deps, whose, categoryId, () => ({ clusters: mergeClusters([], clusters) }), by);
}

/** Adds the phrases of a file, with what was learnt about them. */
export function addUploaded(
  deps: AdminDeps,
  whose: Whose,
  category: { readonly id: number; readonly name: string },
  phrases: readonly string[],
  learnt: Learnt = {},
  by?: By,
): Promise<KeywordsChanged> {
  const { clusters, isFlat, warning } = arrange(phrases, category.name, learnt);
  const change = (known: readonly Cluster[]) => ({
    clusters: mergeClusters(known, clusters),
    // A list without figures is kept in the format that has none, unless there are clusters already.
    isFlat: isFlat && known.length === 0,
    warning,
  });
  return changeKeywords(deps, whose, category.id, change, by);
}

export function removeKeywords(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  { clusters = [], phrases = [], all = false }: Removed,
  by?: By,
  rehearsal: Rehearsal = {},
): Promise<KeywordsChanged> {
  const change = (known: readonly Cluster[]) => ({
    clusters: all ? [] : removeFrom(known, { mainPhrases: clusters, phrases }),
  });
  return changeKeywords(deps, whose, categoryId, change, by, rehearsal);
}

interface Removed {
  /** Whole clusters, by their main phrases. */
  readonly clusters?: readonly string[];
  readonly phrases?: readonly string[];
  readonly all?: boolean;
}

interface Change {
  readonly clusters: readonly Cluster[];
  readonly isFlat?: boolean | undefined;
  readonly warning?: Said | undefined;
}

function changeKeywords(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  change: (known: readonly Cluster[]) => Change,
  by: By | undefined,
  rehearsal: Rehearsal = {},
): Promise<KeywordsChanged> {
  const work = async (tx: Transaction) => {
    const known = await readClusters(tx, whose, categoryId);
    const { clusters, isFlat = false, warning = null } = change(known);
    const [before, after] = [countPhrases(known), countPhrases(clusters)];
    if (after > phraseLimit && after > before) throw new SeoProblem("value_refused", tooMany);
    const kept = isFlat
      ? clusters.flatMap(({ phrases }) => phrases.map(({ phrase }) => ({ phrase })))
      : clusters;
    await tx`
      update seo.categories set keywords = ${JSON.stringify(kept)}::text::jsonb
      where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
    await noteCategory(tx, deps, whose, categoryId, { phrases: { from: before, to: after } }, by);
    const [added, removed] = [Math.max(0, after - before), Math.max(0, before - after)];
    return { clusters: clusters.length, phrases: after, added, removed, warning };
  };
  return inCategory(deps, whose, categoryId, work, rehearsal);
}

const tooMany: Said = {
  ru: `В категории может быть не больше ${phraseLimit} фраз. Удалите лишние.`,
  en: `A category holds at most ${phraseLimit} phrases: delete some first.`,
};
