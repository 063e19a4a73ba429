import { readSettings } from "../../kernel/config/index.ts";
import type { PlatformDefinition } from "../definition.ts";
import { reachedAt, targetSite } from "./address.ts";
import { channelSettings } from "./channel-settings.ts";
import { check } from "./check.ts";
import type { WordPressSettings } from "./client.ts";
import { compile } from "./compile.ts";
import { corrections, edit, remove } from "./correct.ts";
import { credential } from "./credential.ts";
import { find } from "./find.ts";
import { limits } from "./limits.ts";
import { pages } from "./pages.ts";
import { places } from "./places.ts";
import { preview } from "./preview.ts";
import { type Desk, send } from "./send.ts";
import { settings as environmentSettings } from "./settings.ts";
import { createSites } from "./site.ts";
import { target } from "./target.ts";
import { words } from "./words.ts";

/**
 * Self-hosted WordPress sites. A repeat is detected by the delivery's marker in the page, among pages with its slug.
 */
export const wordpress: PlatformDefinition = {
  name: "wordpress",
  limits,
  settings: environmentSettings,
  twin: { WORDPRESS_TWIN_ROOT: "/wordpress" },
  credential,
  target,
  channelSettings,
  pages,
  words,
  create(environment, { requestTimeoutMs, uploadTimeoutMs, guarded }) {
    const { WORDPRESS_TWIN_ROOT: twinRoot } = readSettings(environmentSettings, environment);
    const settings: WordPressSettings = {
      ...(twinRoot !== undefined && { twinRoot }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
      ...(guarded && { guarded }),
    };
    const desk: Desk = { settings, sites: createSites(settings) };
    return {
      name: "wordpress",
      limits,
      compile,
      preview,
      send: (compiled, context) => send(compiled, context, desk),
      find: (compiled, context) => find(compiled, context, desk),
      check: (context) => check(context, settings),
      siteOf(targetId) {
        const name = targetSite(targetId);
        return name && reachedAt(`https://${name}`, twinRoot);
      },
      places: (account, context) => places(account, context, desk),
      corrections,
      edit: (next, posted, context) => edit(next, posted, context, desk),
      remove: (posted, context) => remove(posted, context, desk),
    };
  },
};
