import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App, Scope } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { By } from "../change/deps.ts";
import { flag, reason } from "./fields.ts";
import { type Page, type PageQuery, pageQuery, pageSchema } from "./paging.ts";
import { byOf, inWorkspace, workspaceOf } from "./request.ts";

type Shape = z.ZodRawShape;
type Read<S extends Shape> = z.output<z.ZodObject<S>>;
type WithoutReason<T> = T extends unknown ? Omit<T, "reason"> : never;

interface Common<Params extends z.ZodObject, Query extends Shape> {
  readonly scope: Scope;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Called so often by machines that its log line is written at `debug`. */
  readonly quiet?: boolean;
}

/** What a route of one workspace is asked, after the workspace and the caller's scope were checked. */
export interface Asked<Params extends z.ZodObject, Query extends Shape> {
  readonly workspaceId: string;
  readonly params: z.output<Params>;
  readonly query: Read<Query>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Deed {
  /** Who asks for the change, and the `reason` they give. */
  readonly by: By;
}

type Answer<Schema extends z.ZodType> = z.input<Schema> | Promise<z.input<Schema>>;

/**
 * Routes that belong to one workspace: which it is, who may call, what is written into the audit trail and how lists look is
 * stated here once.
 *
 * @example
 * const routes = workspaceRoutes(app, sql, { under: "/api/v1/templates", tag: "templates" });
 * routes.list("", { scope: "read", summary: "Templates", item: templateSchema },
 *   ({ workspaceId, page }) => templatePage(sql, workspaceId, page));
 */
export function workspaceRoutes(app: App, sql: Sql, { under, tag }: { under: string; tag: string }) {
  function add(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    { scope, summary, description, params, query = {}, quiet = false }: Common<z.ZodObject, Shape>,
    body: z.ZodType | undefined,
    [status, answer]: readonly [number, z.ZodType],
    handle: (asked: Asked<z.ZodObject, Shape>, request: FastifyRequest) => unknown,
  ): void {
    app.route({
      method,
      url: `${under}${path}`,
      config: { scope, quiet },
      schema: {
        tags: [tag],
        summary,
        ...(description && { description }),
        ...(params && { params }),
        querystring: z.object({ ...inWorkspace, ...query }),
        ...(body && { body }),
        response: { [status]: answer },
      },
      async handler(request, reply) {
        const { workspace_id, ...given } = z.looseObject(inWorkspace).parse(request.query);
        const workspaceId = await workspaceOf(sql, request, { workspace_id });
        const asked = { workspaceId, params: asObject(request.params), query: given, request, reply };
        const result = await handle(asked, request);
        return reply.sent ? reply : reply.code(status).send(result);
      },
    });
  }

  /** A route that changes something and answers with what is there afterwards. */
  function change(method: "POST" | "PUT" | "PATCH") {
    return <P extends z.ZodObject, Q extends Shape, B extends z.ZodType, R extends z.ZodType>(
      path: string,
      spec: Common<P, Q> & { readonly body?: B; readonly answer: R; readonly status?: 200 | 201 | 202 },
      handle: (asked: Asked<P, Q> & Deed & { readonly body: WithoutReason<z.output<B>> }) => Answer<R>,
    ): void =>
      add(method, path, spec, spec.body, [spec.status ?? 200, spec.answer], (asked, request) => {
        const { reason: why, ...body } = asObject(request.body);
        return handle(
          typed({ ...asked, body, by: byOf(request, typeof why === "string" ? why : undefined) }),
        );
      });
  }

  return {
    get<P extends z.ZodObject, Q extends Shape, R extends z.ZodType>(
      path: string,
      spec: Common<P, Q> & { readonly answer: R },
      handle: (asked: Asked<P, Q>) => Answer<R>,
    ): void {
      add("GET", path, spec, undefined, [200, spec.answer], (asked) => handle(typed(asked)));
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
      add("GET", path, { ...spec, query }, undefined, [200, pageSchema(spec.item)], (asked) => {
        const { limit, after, ...rest } = asObject(asked.query);
        return handle(typed({ ...asked, query: rest, page: { limit, after } }));
      });
    },

    post: change("POST"),
    put: change("PUT"),
    patch: change("PATCH"),

    /** A deletion: `reason` and `dry_run` in the query, 204 when it is done. */
    delete<P extends z.ZodObject, Q extends Shape>(
      path: string,
      spec: Common<P, Q>,
      handle: (asked: Asked<P, Q> & Deed & { readonly dryRun: boolean }) => Promise<void>,
    ): void {
      const query = {
        ...spec.query,
        reason: reason.optional(),
        dry_run: flag.optional().describe("true: say whether it could be deleted, and delete nothing"),
      };
      add("DELETE", path, { ...spec, query }, undefined, [204, z.undefined()], async (asked, request) => {
        const { reason: why, dry_run: dryRun = false, ...rest } = asObject(asked.query);
        const by = byOf(request, typeof why === "string" ? why : undefined);
        await handle(typed({ ...asked, query: rest, by, dryRun }));
      });
    },
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Fastify has read the request by the route's own schemas, so it is what they say; the compiler cannot follow that. */
function typed<T>(value: unknown): T {
  return value as T;
}
