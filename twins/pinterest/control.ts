import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../shared/index.ts";
import type { Account, App, Board } from "./model.ts";
import { knownScopes, tokensFor } from "./oauth.ts";
import type { Pinterest } from "./twin.ts";
import { boardView, pinView, slugOf, tellOfBoard } from "./views.ts";

const appBody = z.strictObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  name: z.string().min(1).default("Molva"),
  redirect_uris: z.array(z.url()).min(1),
  access: z.enum(["trial", "standard"]).default("standard"),
  beta: z.boolean().default(false),
});
const accountBody = z.strictObject({
  username: z.string().regex(/^\w{3,30}$/),
  account_type: z.enum(["BUSINESS", "PINNER"]).default("BUSINESS"),
  business_name: z.string().default(""),
  about: z.string().default(""),
  state: z.enum(["active", "disapproved", "under_review"]).default("active"),
});
const boardBody = z.strictObject({
  id: z.string().regex(/^\d+$/).optional(),
  username: z.string(),
  name: z.string().min(1).max(50),
  description: z.string().nullable().default(null),
  privacy: z.enum(["PUBLIC", "PROTECTED", "SECRET"]).default("PUBLIC"),
});
const tokenBody = z.strictObject({
  client_id: z.string(),
  username: z.string(),
  scopes: z.array(z.string()).default(Object.keys(knownScopes)),
  access_token: z.string().min(8).optional(),
  refresh_token: z.string().min(8).optional(),
});
const revokeBody = z.strictObject({ access_token: z.string() });
const optionsBody = z.strictObject({ flagged_hosts: z.array(z.string()) });
const idPath = z.object({ id: z.string() });

/** Actions of people and tests, below `/_control/pinterest`. A repeated call updates the named object. */
export async function controlRoutes(app: FastifyInstance, pinterest: Pinterest): Promise<void> {
  const { store, context } = pinterest;
  const { world } = store;
  const base = "/_control/pinterest";

  app.post(`${base}/apps`, async (request) => {
    const body: App = readInput(appBody, request.body);
    world.apps = [...world.apps.filter(({ client_id }) => client_id !== body.client_id), body];
    store.changed();
    return body;
  });
  app.post(`${base}/accounts`, async (request) => {
    const body = readInput(accountBody, request.body);
    const known = world.accounts.find(({ username }) => username === body.username);
    const account: Account = known ? Object.assign(known, body) : { id: store.newId(), ...body };
    if (!known) world.accounts.push(account);
    store.changed();
    return account;
  });
  app.get(`${base}/accounts`, async () => ({ accounts: world.accounts }));
  app.post(`${base}/tokens`, async (request) => {
    const { client_id, username, scopes, access_token, refresh_token } = readInput(tokenBody, request.body);
    if (!store.app(client_id)) throw new InputError(`client_id: there is no app ${client_id}`, 404);
    world.tokens = world.tokens.filter(({ token }) => token !== access_token);
    const given = {
      ...(access_token && { token: access_token }),
      ...(refresh_token && { refresh: refresh_token }),
    };
    return tokensFor(pinterest, client_id, accountOf(username).id, scopes, "authorization_code", given);
  });
  app.post(`${base}/revoke`, async (request) => {
    const { access_token } = readInput(revokeBody, request.body);
    const token = world.tokens.find((each) => each.token === access_token);
    if (!token) throw new InputError("access_token: there is no such token", 404);
    token.revoked = true;
    store.changed();
    return { ok: true };
  });
  app.get(`${base}/boards`, async () => ({ boards: world.boards.map(shown) }));
  app.post(`${base}/boards`, async (request) => {
    const { id, username, ...body } = readInput(boardBody, request.body);
    const known = id === undefined ? undefined : store.board(id);
    const fresh = {
      id: id ?? store.newId(),
      accountId: accountOf(username).id,
      createdAt: context.clock.now(),
      sections: [],
    };
    const board: Board = known ? Object.assign(known, definedOnly(body)) : { ...fresh, ...body };
    if (!known) world.boards.push(board);
    store.changed();
    tellOfBoard(pinterest, board);
    return shown(board);
  });
  /** Newest first. */
  app.get(`${base}/boards/:id/pins`, async (request) => {
    const { id } = readInput(idPath, request.params);
    const board = store.board(id);
    if (!board) throw new InputError(`there is no board ${id}`, 404);
    return {
      board: shown(board),
      pins: store.pinsOf(id).map((pin) => ({
        ...pinView(pinterest, pin),
        title: pin.title,
        link: pin.link,
        page: `/pinterest/pin/${pin.id}/`,
      })),
    };
  });
  app.patch(`${base}/options`, async (request) => {
    world.flaggedHosts = readInput(optionsBody, request.body).flagged_hosts;
    store.changed();
    return { flagged_hosts: world.flaggedHosts };
  });

  function accountOf(username: string): Account {
    const account = world.accounts.find((each) => each.username === username);
    if (!account) throw new InputError(`username: there is no account ${username}`, 404);
    return account;
  }

  function shown(board: Board) {
    const username = store.account(board.accountId)?.username ?? "";
    return {
      ...boardView(pinterest, board),
      privacy: board.privacy,
      page: `/pinterest/${username}/${encodeURIComponent(slugOf(board))}/`,
    };
  }
}
