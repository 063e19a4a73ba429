import { offsetAt } from "../dates.ts";
import type { Call, Reply } from "../request.ts";
import { homeOf } from "../twin.ts";

/** The site's REST index. */
export async function siteIndex({ site, wordpress }: Call): Promise<Reply> {
  const { options } = site;
  const home = homeOf(wordpress, site);
  const endpoints = { authorization: `${home}/wp-admin/authorize-application.php` };
  return {
    body: {
      name: options.title,
      description: options.tagline,
      url: home,
      home,
      gmt_offset: offsetAt(wordpress.context.clock.now(), options.timezone) / 3_600_000,
      timezone_string: options.timezone,
      namespaces: [
        "oembed/1.0",
        ...(options.plugins.includes("yoast") ? ["yoast/v1"] : []),
        ...(options.plugins.includes("rankmath") ? ["rankmath/v1"] : []),
        "wp/v2",
        "wp-site-health/v1",
        "wp-block-editor/v1",
      ],
      // PHP encodes an empty object as an empty list.
      authentication: options.applicationPasswords === "on" ? { "application-passwords": { endpoints } } : [],
      routes: { "/wp/v2/posts": { namespace: "wp/v2", methods: ["GET", "POST"] } },
      site_logo: 0,
      site_icon: 0,
      site_icon_url: "",
      _links: { help: [{ href: "https://developer.wordpress.org/rest-api/" }] },
    },
  };
}
