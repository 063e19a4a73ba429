import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey, randomToken } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import {
  addMember,
  addOperator,
  createApiToken,
  createHttpServer,
  createSignInLink,
  ensureAdmin,
  type HttpServer,
  type HttpSettings,
  type Role,
  type Scope,
} from "../index.ts";
import type { HttpDeps } from "../server.ts";

type Given = Partial<Omit<HttpDeps, "settings" | "sql">> & { sql: Sql; settings?: Partial<HttpSettings> };

export interface TestHttpServer extends HttpServer {
  /** `fetch` against the server; a body is sent as JSON unless it is text or bytes already. */
  call(path: string, init?: CallInit): Promise<Response>;
  /** A token with these scopes, as a header. */
  bearer(scopes: readonly Scope[], workspaceId?: string): Promise<{ authorization: string }>;
  /** The admin signed in by link: the headers a browser would send from the console. */
  signedIn(): Promise<{ cookie: string; origin: string }>;
  /** A new operator with these roles by workspace, signed in the same way. */
  signedInAs(roles: Readonly<Record<string, Role>>): Promise<SignedIn>;
}

export interface SignedIn {
  readonly id: string;
  readonly login: string;
  /** What their browser sends. */
  readonly headers: { cookie: string; origin: string };
}

export interface CallInit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A server with defaults for everything that a test does not set. */
export function createTestHttpServer(given: Given): Promise<HttpServer> {
  return createHttpServer({
    log: silentLog,
    metrics: createMetrics(),
    modules: [],
    ready: {},
    listWorkspaces: async () => [],
    clock: systemClock,
    vault: createVault([generateKey()]),
    ...given,
    settings: {
      host: "127.0.0.1",
      port: 0,
      publicUrl: "http://127.0.0.1:8080",
      trustProxy: 0,
      webFolder: join(tmpdir(), "molva-no-console"),
      version: "0.0.0",
      ...given.settings,
    },
  });
}

/** The same, started on a free port. */
export async function startTestHttpServer(given: Given): Promise<TestHttpServer> {
  const { sql, clock = systemClock } = given;
  const server = await createTestHttpServer(given);
  await server.start();

  const call: TestHttpServer["call"] = (path, { method, headers = {}, body } = {}) => {
    const raw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    return fetch(server.url() + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      redirect: "manual",
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
  };

  const byLink = async (login: string) => {
    const link = await createSignInLink(sql, login, { clock });
    const answer = await call("/api/v1/session", { body: { link } });
    return { cookie: cookieOf(answer), origin: server.url() };
  };

  return {
    ...server,
    call,
    async bearer(scopes, workspaceId) {
      const { token } = await createApiToken(sql, {
        name: scopes.join(" "),
        scopes,
        workspaceId: workspaceId ?? null,
        createdBy: null,
        expiresAt: null,
        clock,
      });
      return { authorization: `Bearer ${token}` };
    },
    async signedIn() {
      const { login } = await ensureAdmin(sql, { clock });
      return byLink(login);
    },
    async signedInAs(roles) {
      // The first operator is an administrator; this one must not be taken for it.
      await ensureAdmin(sql, { clock });
      const login = `person-${randomToken().slice(0, 12).toLowerCase()}`;
      const made = await addOperator(sql, { login, name: `Name of ${login}`, clock });
      if (made.kind === "refused") throw new Error(made.reason);
      for (const [workspaceId, role] of Object.entries(roles))
        await addMember(sql, { workspaceId, operatorId: made.id, role, now: clock.now() });
      return { id: made.id, login, headers: await byLink(login) };
    },
  };
}

/** The session cookie of an answer, as a browser sends it back. */
export function cookieOf(answer: Response): string {
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("molva_session="));
  if (!cookie) throw new Error(`no session cookie in an answer with status ${answer.status}`);
  return cookie.split(";")[0] ?? "";
}
