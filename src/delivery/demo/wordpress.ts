import { credentialText, definitionOf } from "../../platforms/index.ts";
import { setCredential } from "../admin/credentials/credentials.ts";
import { demo } from "./names.ts";
import type { SeedDeps } from "./seed.ts";
import { callTwins } from "./twin-api.ts";

const platform = "wordpress";
const { authRef, channelId, site, title, tagline, login, author, appPassword, spare } = demo.wordpress;
/** The demo's posts that a site about weekends shows, besides its article. */
const routes = { include_any: ["путешествия", "рецепты"] };
const fields = { url: `https://${site}.wordpress.test`, login, app_password: appPassword };
const settings = { site_categories: ["Выходные"] };

/** Creates a site at the twin with an editor's application password, and the channel that publishes there. Idempotent. */
export async function introduceWordPress(deps: SeedDeps, twinsUrl: string): Promise<void> {
  const control = (body: object) => callTwins(twinsUrl, "POST", "/_control/wordpress/sites", body);
  const editor = { login, name: author, role: "editor", passwords: [appPassword] };
  await control({ name: site, title, tagline, locale: "ru_RU", plugins: ["rankmath"], users: [editor] });
  const own = { login: spare.login, role: "administrator", passwords: [spare.appPassword] };
  await control({ name: spare.site, title: spare.title, locale: "ru_RU", users: [own] });

  const { sql } = deps;
  const bound = await sql`
    select from workspaces.credential_bindings
    where workspace_id = ${demo.workspaceId} and auth_ref = ${authRef} and platform = ${platform}`;
  if (bound.length === 0)
    await setCredential(
      deps,
      demo.workspaceId,
      { platform, auth_ref: authRef },
      { token: credentialText(definitionOf(platform).credential, fields) },
      { operator: "molva seed" },
    );
  await sql`
    insert into delivery.channels (
      workspace_id, channel_id, platform, target_id, title, rate_rps, tags, route_filter, settings, auth_ref, rate_group)
    values (
      ${demo.workspaceId}, ${channelId}, ${platform}, ${`${site}.wordpress.test`}, ${title}, 1, ${["выходные"]},
      ${sql.json(routes)}, ${sql.json(settings)}, ${authRef}, ${authRef})
    on conflict do nothing`;
}
