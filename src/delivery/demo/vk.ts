import { setCredential } from "../admin/credentials/credentials.ts";
import { demo } from "./names.ts";
import type { SeedDeps } from "./seed.ts";
import { callTwins } from "./twin-api.ts";

const platform = "vk";
const { authRef, channelId, editor, group, token, spare } = demo.vk;
/** The demo's posts that a wall about weekends shows. */
const routes = { include_any: ["путешествия", "рецепты", "скидки"] };

/** Creates a community at the twin with the key of one of its editors, and the channel that posts there. Idempotent. */
export async function introduceVk(deps: SeedDeps, twinsUrl: string): Promise<void> {
  const control = (path: string, body: object) => callTwins(twinsUrl, "POST", `/_control/vk/${path}`, body);
  await control("users", editor);
  await control("groups", { ...group, managers: [{ user_id: editor.id, role: "administrator" }] });
  await control("tokens", { token, kind: "user", user_id: editor.id });
  await control("users", spare.editor);
  const managers = [{ user_id: spare.editor.id, role: "administrator" }];
  await control("groups", { ...spare.group, managers });
  await control("tokens", { token: spare.editorToken, kind: "user", user_id: spare.editor.id });
  await control("tokens", { token: spare.token, kind: "community", group_id: spare.group.id });

  const { sql } = deps;
  const bound = await sql`
    select from workspaces.credential_bindings
    where workspace_id = ${demo.workspaceId} and auth_ref = ${authRef} and platform = ${platform}`;
  if (bound.length === 0)
    await setCredential(
      deps,
      demo.workspaceId,
      { platform, auth_ref: authRef },
      { token },
      { operator: "molva seed" },
    );
  await sql`
    insert into delivery.channels (
      workspace_id, channel_id, platform, target_id, title, rate_rps, tags, route_filter, auth_ref, rate_group)
    values (
      ${demo.workspaceId}, ${channelId}, ${platform}, ${String(group.id)}, ${group.name}, 1, ${["выходные"]},
      ${sql.json(routes)}, ${authRef}, ${authRef})
    on conflict do nothing`;
}
