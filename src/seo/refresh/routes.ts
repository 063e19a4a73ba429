import { z } from "zod";
import type { App } from "../../http/index.ts";
import { type AdminDeps, idOf } from "../../workspaces/index.ts";
import { person, personRoutes, readFor } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { runColumn } from "../runs/read-runs.ts";
import { articleDiff, articleDiffSchema } from "./article-diff.ts";
import { type RefreshDeps, readRefresh } from "./read-refresh.ts";
import { refreshSchema } from "./shape.ts";

export function refreshRoutes(app: App, deps: AdminDeps & Pick<RefreshDeps, "sources">): void {
  const { sql } = deps;
  const routes = personRoutes(app, deps);
  routes.get(
    "/projects/:project_id/search-pages",
    {
      scope: "people",
      summary:
        "Pages of the project's sites with their clicks from search, those that lost most first; each reading is recorded",
      params: z.object({ ...person, project_id: idText }),
      answer: refreshSchema,
    },
    async (asked) => readRefresh(deps, await readFor(deps, asked, "search_pages"), asked.params.project_id),
  );
  routes.get(
    "/articles/:run_id/diff",
    {
      scope: "read",
      summary: "What an article that updates a page changes on it, paragraph by paragraph",
      params: z.object({ ...person, run_id: idOf(runColumn) }),
      answer: articleDiffSchema,
    },
    async (asked) => articleDiff(sql, await readFor(deps, asked, "article"), asked.params.run_id),
  );
}
