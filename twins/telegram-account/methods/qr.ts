import { randomBytes } from "node:crypto";
import type { Call, Deps, Reply } from "../call.ts";
import { login } from "../limits.ts";
import type { Session } from "../model.ts";
import { demandAlive } from "../session.ts";
import { askPassword, enter } from "./login.ts";

/** A link for a signed-in phone to scan; once scanned, the key is signed in. */
export function exportLoginToken({ session }: Call, deps: Deps): Reply {
  const accepted = session.loginToken?.acceptedBy;
  const account = accepted === undefined ? undefined : deps.store.account(accepted);
  if (account) {
    demandAlive(account);
    if (account.password !== undefined) return askPassword(session, account, deps);
    return enter(session, account, deps);
  }
  const { token, expiresAt } = freshToken(session, deps);
  return { body: { step: "qr", url: `tg://login?token=${token}`, expiresAt } };
}

function freshToken(session: Session, { store, context }: Deps): NonNullable<Session["loginToken"]> {
  const now = context.clock.now();
  const known = session.loginToken;
  if (known && known.expiresAt > now) return known;
  session.loginToken = {
    token: randomBytes(24).toString("base64url"),
    expiresAt: now + login.tokenLifeMs,
  };
  store.changed();
  return session.loginToken;
}
