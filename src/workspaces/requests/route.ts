import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App, Scope } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { By } from "../change/deps.ts";
import { completingIds } from "./ids.ts";
import { type Page, type PageQuery, pageQuery, pageSchema } from "./paging.ts";
import { byOf, deletion, inWorkspace, workspaceOf } from "./request.ts";

type Shape = z.ZodRawShape;
type Fields = Readonly<Record<string, unknown>>;
type Read<S extends Shape> = z.output<z.ZodObject<S>>;
type OwnFields<T> = T extends unknown ? Omit<T, "reason" | "dry_run"> : never;

interface Common<Params extends z.ZodObject, Query extends Shape> {
  readonly scope: Scope;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Set for routes that machines call often: they are logged at `debug`. */
  readonly quiet?: boolean;
  /** Set for routes that take files. */
  readonly slowBody?: boolean;
}

/** The request of a workspace route, after the workspace and the caller's scope were checked. */
export interface Asked<Params extends z.ZodObject, Query extends Shape> {
  readonly workspaceId: string;
  readonly params: z.output<Params>;
  readonly query: Read<Query>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Deed<Given> {
  /** Who requests the change, and their `reason`. */
  readonly by: By & (Given extends { reason: string } ? { readonly reason: string } : unknown);
  /** The value of `dry_run`. */
  readonly dryRun: boolean;
}

/** A handler that answers with something other than JSON sends it itself and returns the `reply`. */
type Answer<Value> = Value | FastifyReply | Promise<Value | FastifyReply>;

/**
 * Adds routes of one workspace. It finds the workspace, checks the scope, completes shortened ids, writes the audit trail and
 * pages lists. The workspace is named in the query, or in the path if `under` has it.
 *
 * @example
 * const routes = workspaceRoutes(app, sql, { under: "/api/v1/templates", tag: "templates" });
 * routes.list("", { scope: "read", summary: "Templates", item: templateSchema },
 *   ({ workspaceId, page }) => templatePage(sql, workspaceId, page));
 */
export function workspaceRoutes(app: App, sql: Sql, { under, tag }: { under: string; tag: string }) {
  const inPath = under.includes("/:workspace_id");

  function add(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    spec: Common<z.ZodObject, Shape> & { readonly body?: z.ZodType | undefined },
    [status, answer]: readonly [number, z.ZodType | undefined],
    handle: (asked: Asked<z.ZodObject, Shape> & { readonly body: Fields }) => unknown,
  ): void {
    const { scope, summary, description, query, body, quiet = false, slowBody = false } = spec;
    const params = inPath ? z.object({ workspace_id: z.uuid(), ...spec.params?.shape }) : spec.params;
    const querystring = z.object(inPath ? { ...query } : { ...inWorkspace, ...query });
    const ids = {
      params: params && completingIds(params),
      query: completingIds(querystring),
      body: body && completingIds(body),
    };
    app.route({
      method,
      url: `${under}${path}`,
      config: { scope, about: "workspace", quiet, slowBody },
      schema: {
        tags: [tag],
        summary,
        ...(description && { description }),
        ...(params && { params }),
        querystring,
        ...(body && { body }),
        ...(answer && { response: { [status]: answer } }),
      },
      async handler(request, reply) {
        const named = z.looseObject(inWorkspace).parse(inPath ? request.params : request.query);
        const workspaceId = await workspaceOf(sql, request, named);
        const given = async (part: "params" | "query" | "body") =>
          asObject((await ids[part]?.(request[part], { sql, workspaceId, pointer: "" })) ?? request[part]);
        const [params, query, body] = [await given("params"), await given("query"), await given("body")];
        const result = await handle({ workspaceId, params, query, body, request, reply });
        return result === reply ? reply : reply.code(status).send(result);
      },
    });
  }

  /** A route that changes something and answers with what is there afterwards. */
  function change(method: "POST" | "PUT" | "PATCH") {
    return <P extends z.ZodObject, Q extends Shape, B extends z.ZodType, R extends z.ZodType>(
      path: string,
      spec: Common<P, Q> & { readonly body?: B; readonly answer: R; readonly status?: 200 | 201 | 202 },
      handle: (
        asked: Asked<P, Q> & Deed<z.output<B>> & { readonly body: OwnFields<z.output<B>> },
      ) => Answer<z.input<R>>,
    ): void =>
      add(method, path, spec, [spec.status ?? 200, spec.answer], (asked) => handle(typed(withDeed(asked))));
  }

  return {
    get<P extends z.ZodObject, Q extends Shape, R extends z.ZodType>(
      path: string,
      spec: Common<P, Q> & { readonly answer?: R },
      handle: (asked: Asked<P, Q>) => Answer<z.input<R>>,
    ): void {
      add("GET", path, spec, [200, spec.answer], (asked) => handle(typed(asked)));
    },

    /** A list: `limit` and `after` in the query, `items` and `next` in the answer. */
    list<P extends z.ZodObject, Q extends Shape, Item extends z.ZodType>(
      path: string,
      spec: Common<P, Q> & { readonly item: Item },
      handle: (
        asked: Asked<P, Q> & { readonly page: PageQuery },
      ) => Page<z.input<Item>> | Promise<Page<z.input<Item>>>,
    ): void {
      const query = { ...spec.query, ...pageQuery };
      add("GET", path, { ...spec, query }, [200, pageSchema(spec.item)], (asked) => {
        const { limit, after, ...filter } = asked.query;
        return handle(typed({ ...asked, query: filter, page: { limit, after } }));
      });
    },

    post: change("POST"),
    /** A request that changes something and has nothing to answer with: 204. */
    postSilently<P extends z.ZodObject, Q extends Shape, B extends z.ZodType>(
      path: string,
      spec: Common<P, Q> & { readonly body?: B },
      handle: (
        asked: Asked<P, Q> & Deed<z.output<B>> & { readonly body: OwnFields<z.output<B>> },
      ) => Promise<void>,
    ): void {
      add("POST", path, spec, [204, z.undefined()], (asked) => handle(typed(withDeed(asked))));
    },
    put: change("PUT"),
    patch: change("PATCH"),

    /** A deletion: `reason` and `dry_run` in the query, 204 when it is done. */
    delete<P extends z.ZodObject, Q extends Shape>(
      path: string,
      spec: Common<P, Q>,
      handle: (asked: Asked<P, Q> & Deed<Read<Q>>) => Promise<void>,
    ): void {
      const query = { ...deletion, ...spec.query };
      add("DELETE", path, { ...spec, query }, [204, z.undefined()], (asked) =>
        handle(typed({ ...asked, ...deedOf(asked.request, asked.query) })),
      );
    },

    /** A deletion that answers with what it did; its query is that of the `spec`. */
    deleteAndTell<P extends z.ZodObject, Q extends Shape, R extends z.ZodType>(
      path: string,
      spec: Common<P, Q> & { readonly answer: R },
      handle: (asked: Asked<P, Q> & Deed<Read<Q>>) => Answer<z.input<R>>,
    ): void {
      add("DELETE", path, spec, [200, spec.answer], (asked) =>
        handle(typed({ ...asked, ...deedOf(asked.request, asked.query) })),
      );
    },
  };
}

function deedOf(request: FastifyRequest, { reason: why, dry_run: dryRun = false }: Fields) {
  return { by: byOf(request, typeof why === "string" ? why : undefined), dryRun };
}

/** Takes the `reason` and `dry_run` of a body out of it. */
function withDeed({ body, ...asked }: Asked<z.ZodObject, Shape> & { readonly body: Fields }) {
  const { reason: _reason, dry_run: _dryRun, ...own } = body;
  return { ...asked, ...deedOf(asked.request, body), body: own };
}

function asObject(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Fastify has validated the request with the route's own schemas; the compiler cannot know that. */
function typed<T>(value: unknown): T {
  return value as T;
}
