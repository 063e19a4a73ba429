import { z } from "zod";
import { keepLinksFound } from "../connections/site-metadata.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun } from "../runs/run-kind.ts";
import { noteSource, payerOf } from "../runs/source-calls.ts";
import type { Said } from "../said.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { type SiteOrder, siteOrder } from "./audit-run.ts";
import { againAt, tryAgain } from "./learn-later.ts";

export const siteMapResult = z.object({
  url: z.string(),
  pages: z.int().nullable().describe("Pages that articles may link to; null if the site could not be read"),
  again_at: z.string().nullable().describe("When it is tried again"),
});
export type SiteMapResult = z.infer<typeof siteMapResult>;

const operation = "site_map";
const noPages: Said = {
  ru: "Страницы сайта не удалось прочитать. Статьи выйдут без внутренних ссылок.",
  en: "The pages of the site could not be read. Articles will have no links to it.",
};

/** Reads which pages a site has, so that articles can link to them. The map itself is kept with the source for two weeks. */
export function siteMapRun(deps: WorkshopDeps) {
  return defineRun<SiteOrder, SiteMapResult>({
    kind: "site_map",
    title: { ru: "карта сайта", en: "map of a site" },
    input: siteOrder,
    async work(run, { url, learning }) {
      const result = await run.step(
        "map",
        { result: siteMapResult, stage: "audit" },
        async (step): Promise<SiteMapResult> => {
          const answer = await deps.sources.firecrawl.map(url, payerOf(run, operation), {
            fresh: learning?.fresh,
          });
          noteSource(step, "firecrawl", answer);
          if (answer.ok && learning)
            await keepLinksFound(deps, run, learning.connection_id, answer.value.length);
          return {
            ...{ url, pages: answer.ok ? answer.value.length : null },
            again_at: againAt(learning, answer, deps.clock.now()),
          };
        },
      );
      if (result.pages === null && result.again_at === null)
        throw new RunFailure("source_unavailable", noPages);
      return { status: "done", result, also: tryAgain("site_map", run, learning, result.again_at) };
    },
  });
}
