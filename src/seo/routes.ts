import type { RouteModule } from "../http/index.ts";
import { type OfficeDeps, officeRoutes } from "./admin/routes.ts";
import { articleRoutes } from "./articles/routes.ts";
import { mediaRoutes } from "./categories/media-routes.ts";
import { categoryRoutes } from "./categories/routes.ts";
import { connectionRoutes } from "./connections/routes.ts";
import { keywordRoutes } from "./keywords/routes.ts";
import type { SeoDeps, Workshop } from "./parts.ts";
import { peopleRoutes } from "./people/routes.ts";
import { imageRoutes } from "./pictures/image-routes.ts";
import { postRoutes } from "./posts/routes.ts";
import { seoProblems } from "./problems.ts";
import { projectRoutes } from "./projects/routes.ts";
import { publicationRoutes } from "./publications/routes.ts";
import { refreshRoutes } from "./refresh/routes.ts";
import { runRoutes } from "./runs/run-routes.ts";
import { scheduleRoutes } from "./schedules/routes.ts";
import { scoreRoutes } from "./score/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { smallerRoutes } from "./smaller-works.ts";
import { styleRoutes } from "./styleguide/index.ts";

/** `/api/v1/seo/users/{user_id}/…`: what SEO Master holds for a person; `/api/v1/seo/runs`: what it works on;
 * `/api/v1/seo/admin/…`: figures, notices and broadcasts. */
export function seoRoutes(deps: SeoDeps & Workshop & Pick<OfficeDeps, "office">): RouteModule {
  return {
    name: "seo",
    problems: seoProblems,
    routes(app) {
      const { storage } = deps.articles;
      peopleRoutes(app, deps);
      projectRoutes(app, deps);
      categoryRoutes(app, deps);
      mediaRoutes(app, { ...deps, storage });
      imageRoutes(app, { ...deps, storage });
      connectionRoutes(app, deps);
      settingsRoutes(app, deps);
      scheduleRoutes(app, deps);
      publicationRoutes(app, deps);
      keywordRoutes(app, deps);
      articleRoutes(app, deps);
      refreshRoutes(app, deps);
      postRoutes(app, deps);
      smallerRoutes(app, deps);
      styleRoutes(app, deps);
      runRoutes(app, deps);
      scoreRoutes(app, deps);
      officeRoutes(app, deps);
    },
  };
}
