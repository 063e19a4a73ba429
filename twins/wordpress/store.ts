import type { TwinContext } from "../shared/index.ts";
import type { Site, SiteOptions, World } from "./model.ts";

/** The twin's memory. */
export interface Store {
  readonly world: World;
  site(name: string): Site | undefined;
  addSite(name: string, options: SiteOptions): Site;
  changed(): void;
  reset(): void;
}

const name = "wordpress";

export function createStore({ state }: Pick<TwinContext, "state">): Store {
  const world = state.load<World>(name) ?? { sites: [] };
  const changed = () => state.changed(name, () => world);
  return {
    world,
    changed,
    site: (wanted) => world.sites.find((site) => site.name === wanted),
    addSite(siteName, options) {
      const site: Site = {
        name: siteName,
        options,
        users: [],
        posts: [],
        media: [],
        // Every WordPress starts with one category.
        terms: [firstCategory(options)],
        lastId: 3,
        lastTermId: 1,
      };
      world.sites.push(site);
      changed();
      return site;
    },
    reset() {
      world.sites = [];
      changed();
    },
  };
}

function firstCategory({ locale }: SiteOptions) {
  const name = locale === "ru_RU" ? "Без рубрики" : "Uncategorized";
  const slug = locale === "ru_RU" ? "bez-rubriki" : "uncategorized";
  return { id: 1, taxonomy: "category", name, slug, description: "", parent: 0 } as const;
}
