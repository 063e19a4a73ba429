import { pinterestTwinApp } from "../../platforms/index.ts";
import { setCredential } from "../admin/credentials/credentials.ts";
import { secretOf } from "../admin/credentials/given-secret.ts";
import { demo } from "./names.ts";
import type { SeedDeps } from "./seed.ts";
import { callTwins } from "./twin-api.ts";

const platform = "pinterest";
const { authRef, channelId, account, board, tokens, spare } = demo.pinterest;
/** Posts of the demo whose picture is worth pinning. */
const routes = { include_any: ["путешествия", "рецепты", "кино", "авто"] };

/** Creates an account with a board at the twin, and the channel that pins there. Idempotent. */
export async function introducePinterest(deps: SeedDeps, twinsUrl: string): Promise<void> {
  const control = (path: string, body: object) =>
    callTwins(twinsUrl, "POST", `/_control/pinterest/${path}`, body);
  const { id: client_id, secret: client_secret } = pinterestTwinApp;
  const callback = `${deps.publicUrl ?? "http://127.0.0.1:8080"}/api/auth/pinterest/callback`;
  await control("apps", { client_id, client_secret, name: "Молва", redirect_uris: [callback] });
  for (const { account: owner, board: place } of [demo.pinterest, spare]) {
    await control("accounts", owner);
    await control("boards", { ...place, username: owner.username });
  }
  await control("tokens", { client_id, username: account.username, ...tokens });

  const { sql, platforms } = deps;
  const bound = await sql`
    select from workspaces.credential_bindings
    where workspace_id = ${demo.workspaceId} and auth_ref = ${authRef} and platform = ${platform}`;
  if (bound.length === 0) {
    // The twin issues these tokens again at every start, so they need no renewal.
    const fields = { ...tokens, expires_at: "2100-01-01T00:00:00Z" };
    const token = secretOf(platforms.definitionOf(platform), { fields });
    const by = { operator: "molva seed" };
    await setCredential(deps, demo.workspaceId, { platform, auth_ref: authRef }, { token }, by);
  }
  await sql`
    insert into delivery.channels (
      workspace_id, channel_id, platform, target_id, title, rate_rps, tags, route_filter, auth_ref, rate_group)
    values (
      ${demo.workspaceId}, ${channelId}, ${platform}, ${board.id}, ${board.name}, 1, ${["выходные"]},
      ${sql.json(routes)}, ${authRef}, ${authRef})
    on conflict do nothing`;
}
