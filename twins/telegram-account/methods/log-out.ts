import type { AuthorisedCall, Deps, Reply } from "../call.ts";

/** Afterwards the key is signed out for good. */
export function logOut({ session }: AuthorisedCall, { store }: Deps): Reply {
  delete session.userId;
  session.dead = "AUTH_KEY_UNREGISTERED";
  store.changed();
  return { body: {} };
}
