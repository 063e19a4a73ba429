import type { AuthorisedCall, Deps, Reply } from "../call.ts";

/** The key is nobody's afterwards, and nobody's for good. */
export function logOut({ session }: AuthorisedCall, { store }: Deps): Reply {
  delete session.userId;
  session.dead = "AUTH_KEY_UNREGISTERED";
  store.changed();
  return { body: {} };
}
