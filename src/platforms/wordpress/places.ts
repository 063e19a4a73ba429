import type { Credential, Places, RefreshContext } from "../contract.ts";
import { siteName } from "./address.ts";
import { accountOf } from "./credential.ts";
import type { Desk } from "./send.ts";

/** The only site of the account. */
export async function places(
  credential: Credential,
  context: RefreshContext,
  { sites }: Desk,
): Promise<Places> {
  const targetId = siteName(accountOf(credential).url);
  sites.forget(credential);
  const opened = await sites.open({ credential, channel: { targetId } }, context);
  if (!opened.ok) return { kind: "unavailable", error: opened.error };
  return { kind: "listed", places: [{ targetId, title: opened.found.name }] };
}
