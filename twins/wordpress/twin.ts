import type { TwinContext } from "../shared/index.ts";
import type { Site } from "./model.ts";
import type { Store } from "./store.ts";

/** The parts of the twin, passed to its functions. */
export interface WordPress {
  readonly context: TwinContext;
  readonly store: Store;
}

/** The address of a site, without a trailing slash. */
export function homeOf({ context }: WordPress, { name, options }: Site): string {
  return `${context.options.baseUrl}/wordpress/${name}${options.folder && `/${options.folder}`}`;
}

/** The address of a REST route: `/wp/v2/posts/1`. */
export function restUrl(wordpress: WordPress, site: Site, route: string): string {
  const home = homeOf(wordpress, site);
  return site.options.permalinks === "pretty"
    ? `${home}/wp-json${route}`
    : `${home}/index.php?rest_route=${route}`;
}
