import { randomBytes } from "node:crypto";
import type { Account, Device, Session } from "./model.ts";
import { RpcError, unauthorized } from "./rpc-error.ts";
import type { Store } from "./store.ts";

const keyBytes = 256;
/** How many earlier connections of a key are kept. */
const clientsKept = 50;

export function newSession(store: Store, device: Device): Session {
  const session: Session = { key: randomBytes(keyBytes).toString("base64url"), device, formerClients: [] };
  store.world.sessions.push(session);
  store.changed();
  return session;
}

/**
 * Records which connection uses the key. A crashed connection never returns, so one that does return after another has
 * taken over means that two are alive at once: the key is invalidated for both.
 */
export function seize(store: Store, session: Session, client: string): void {
  if (session.dead) throw deadError(session.dead);
  if (session.client === client) return;
  if (session.formerClients.includes(client)) {
    session.dead = "AUTH_KEY_DUPLICATED";
    store.changed();
    throw deadError(session.dead);
  }
  if (session.client) session.formerClients = [...session.formerClients, session.client].slice(-clientsKept);
  session.client = client;
  store.changed();
}

/** A connection that closes properly does not count as another device. */
export function release(store: Store, session: Session, client: string): void {
  if (session.client === client) delete session.client;
  session.formerClients = session.formerClients.filter((each) => each !== client);
  store.changed();
}

export function accountOf(store: Store, session: Session): Account {
  const account = session.userId === undefined ? undefined : store.account(session.userId);
  if (!account) throw unauthorized("AUTH_KEY_UNREGISTERED");
  demandAlive(account);
  return account;
}

export function demandAlive({ state }: Account): void {
  if (state === "deleted") throw unauthorized("USER_DEACTIVATED");
  if (state === "banned") throw unauthorized("USER_DEACTIVATED_BAN");
}

/** A frozen account can only read. */
export function demandThawed({ state }: Account): void {
  if (state === "frozen") throw new RpcError(420, "FROZEN_METHOD_INVALID");
}

function deadError(dead: NonNullable<Session["dead"]>): RpcError {
  return new RpcError(dead === "AUTH_KEY_DUPLICATED" ? 406 : 401, dead);
}
