import type { z } from "zod";
import { type Cluster, withPhrases } from "./clusters.ts";
import type { givenKeywords } from "./shape.ts";

type Given = NonNullable<z.infer<typeof givenKeywords>["clusters"]>;

/** Completes clusters that somebody wrote: the main phrase is the most searched one unless it is given. */
export function givenClusters(clusters: Given): Cluster[] {
  return clusters.map(({ main_phrase = "", ...cluster }) =>
    withPhrases({ ...cluster, main_phrase, total_volume: null, avg_difficulty: null }, cluster.phrases),
  );
}
