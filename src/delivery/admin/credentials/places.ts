import { z } from "zod";
import { type App, problem } from "../../../http/index.ts";
import { type CredentialKey, workspaceRoutes } from "../../../workspaces/index.ts";
import { credentialOf, type MessengerDeps } from "../channels/find-chat.ts";
import { key, platform } from "../fields.ts";

/** A place where the account may post: its `target_id` and its name. */
export const placeSchema = z
  .object({
    target_id: z.string(),
    title: z.string(),
    members: z.int().nullable().describe("How many people read it, where that is known"),
  })
  .meta({ id: "Place" });
export type ListedPlace = z.infer<typeof placeSchema>;

/** Lists where the account of a credential may post, such as communities or boards. */
export async function listPlaces(
  deps: MessengerDeps,
  workspaceId: string,
  credentialKey: CredentialKey,
): Promise<ListedPlace[]> {
  const { platforms, providers: http, clock } = deps;
  const { platform: name, auth_ref } = credentialKey;
  const { places } = platforms.platformOf(name);
  if (!places) throw problem("unprocessable", { detail: `${name} does not say where an account may post.` });
  const read = await credentialOf(deps, workspaceId, credentialKey);
  if (read.kind === "absent")
    throw problem("not_found", { detail: `There is no ${name} credential ${auth_ref}.` });
  if (read.kind === "failed") throw problem("unprocessable", { detail: read.error.message });
  const listed = await places(read.credential, { http, clock });
  if (listed.kind === "unavailable") throw problem("unprocessable", { detail: listed.error.message });
  return listed.places.map(({ targetId, title, members }) => ({
    target_id: targetId,
    title,
    members: members ?? null,
  }));
}

export function placesRoute(app: App, deps: MessengerDeps): void {
  const routes = workspaceRoutes(app, deps.sql, { under: "/api/v1/credentials", tag: "credentials" });
  routes.get(
    "/:platform/:auth_ref/places",
    {
      scope: "admin",
      summary: "Where the account may post, for people to choose from; asks the platform",
      params: z.object({ platform, auth_ref: key }),
      answer: z.object({ items: z.array(placeSchema) }),
    },
    async ({ workspaceId, params }) => ({ items: await listPlaces(deps, workspaceId, params) }),
  );
}
