import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerCall, type StatusFault } from "../shared/index.ts";
import {
  boardPins,
  createBoard,
  createSection,
  deleteBoard,
  getBoard,
  listBoards,
  listSections,
  patchBoard,
} from "./boards.ts";
import { ApiError, refuse, usual } from "./errors.ts";
import { rates } from "./limits.ts";
import type { App, Token } from "./model.ts";
import { createPin, deletePin, getPin, listPins, patchPin } from "./pins.ts";
import type { Call, Pinterest, Reply } from "./twin.ts";

interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly scope: string;
  handle(pinterest: Pinterest, call: Call): Reply | Promise<Reply>;
}

const routes: readonly Route[] = [
  { method: "GET", path: "/user_account", scope: "user_accounts:read", handle: userAccount },
  { method: "GET", path: "/boards", scope: "boards:read", handle: listBoards },
  { method: "POST", path: "/boards", scope: "boards:write", handle: createBoard },
  { method: "GET", path: "/boards/:board_id", scope: "boards:read", handle: getBoard },
  { method: "PATCH", path: "/boards/:board_id", scope: "boards:write", handle: patchBoard },
  { method: "DELETE", path: "/boards/:board_id", scope: "boards:write", handle: deleteBoard },
  { method: "GET", path: "/boards/:board_id/pins", scope: "pins:read", handle: boardPins },
  { method: "GET", path: "/boards/:board_id/sections", scope: "boards:read", handle: listSections },
  { method: "POST", path: "/boards/:board_id/sections", scope: "boards:write", handle: createSection },
  { method: "GET", path: "/pins", scope: "pins:read", handle: listPins },
  { method: "POST", path: "/pins", scope: "pins:write", handle: createPin },
  { method: "GET", path: "/pins/:pin_id", scope: "pins:read", handle: getPin },
  { method: "PATCH", path: "/pins/:pin_id", scope: "pins:write", handle: patchPin },
  { method: "DELETE", path: "/pins/:pin_id", scope: "pins:write", handle: deletePin },
];

/** The largest picture as base64, with room for texts. */
const bodyLimit = 28 * 1024 * 1024;

/** The API at `/pinterest/v5`; `/pinterest/sandbox/v5` is the sandbox, where trial apps may create Pins. */
export async function apiRoutes(app: FastifyInstance, pinterest: Pinterest): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit }, (_request, body, done) => done(null, body));
  for (const sandbox of [false, true]) {
    for (const route of routes) {
      app.route({
        method: route.method,
        url: `/pinterest${sandbox ? "/sandbox" : ""}/v5${route.path}`,
        handler: (request, reply) => serve(pinterest, route, sandbox, request, reply),
      });
    }
  }
}

function serve(
  pinterest: Pinterest,
  route: Route,
  sandbox: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { store, context } = pinterest;
  const secret = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const token = store.world.tokens.find((each) => each.token === secret);
  const account = store.account(token?.accountId);
  const body = parsed(request.body);
  const params = strings(request.params);
  const board = params.board_id ?? strings(body).board_id ?? store.pin(params.pin_id ?? "")?.boardId;
  return answerCall(context, reply, {
    call: {
      provider: "pinterest",
      method: `${route.method} ${route.path.replace(/:(\w+)/g, "{$1}")}`,
      ...(account && { bot: account.username, botId: account.id }),
      ...(board !== undefined && { chat: board }),
    },
    request: { query: request.query, ...(body !== undefined && { body: withoutFiles(body) }) },
    work: async () => {
      const headers: Record<string, string> = {};
      try {
        const app = store.app(token?.clientId);
        if (!token || !account || !app) throw refuse.authentication();
        if (token.revoked || token.expiresAt <= context.clock.now()) throw refuse.authentication();
        checkPace(pinterest, route, app, token, headers);
        if (!token.scopes.includes(route.scope)) throw refuse.scopes();
        if (account.state === "disapproved")
          throw new ApiError(403, 2625, "Your account has been disapproved.");
        if (account.state === "under_review") throw new ApiError(403, 2626, "Your account is under review.");
        if (body === malformed) throw refuse.invalid("malformed JSON");
        const query = strings(request.query);
        const answer = await route.handle(pinterest, { account, app, sandbox, params, query, body });
        return { status: 200, ...answer, headers };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status, body: { code: error.code, message: error.message }, headers };
      }
    },
    refusal: scripted,
  });
}

function checkPace(
  { context, rates: counted }: Pinterest,
  route: Route,
  app: App,
  token: Token,
  headers: Record<string, string>,
): void {
  const kind = route.method === "GET" ? "read" : "write";
  headers["x-ratelimit-limit"] = String(rates[kind].count);
  headers["x-ratelimit-reset"] = String(rates[kind].perMs / 1000);
  if (!context.options.rateLimits) return;
  const day = { key: `app ${app.client_id}`, ...rates.trialPerDay };
  const minute = { key: `${kind} ${app.client_id} ${token.accountId}`, ...rates[kind] };
  const wait = counted.take(app.access === "trial" ? [day, minute] : [minute]);
  if (wait === undefined) return;
  Object.assign(headers, {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.ceil(wait / 1000)),
  });
  throw refuse.rate();
}

function userAccount({ store }: Pinterest, { account }: Call): Reply {
  const { id, username, account_type, business_name, about } = account;
  return {
    body: {
      id,
      username,
      account_type,
      profile_image: "",
      website_url: "",
      board_count: store.world.boards.filter(({ accountId }) => accountId === id).length,
      pin_count: store.world.pins.filter(({ accountId }) => accountId === id).length,
      follower_count: 0,
      following_count: 0,
      monthly_views: 0,
      about,
      business_name,
    },
  };
}

function scripted({ status, code, description, retryAfter }: StatusFault): Answer {
  const [number, message] = usual[status] ?? [11, "Something went wrong on our end. Sorry about that."];
  const headers = retryAfter === undefined ? {} : { "x-ratelimit-reset": String(retryAfter) };
  return { status, body: { code: code ?? number, message: description ?? message }, headers };
}

const malformed = Symbol("malformed");

function parsed(body: unknown): unknown {
  if (typeof body !== "string" || body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return malformed;
  }
}

function strings(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (typeof each === "string" ? [[key, each]] : [])),
  );
}

/** Pictures are shown by their size. */
function withoutFiles(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "symbol" ? "malformed" : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      key === "data" && typeof each === "string"
        ? [key, `${each.length} characters`]
        : [key, withoutFiles(each)],
    ),
  );
}
