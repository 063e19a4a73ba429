import { STATUS_CODES } from "node:http";
import swagger, { type SwaggerTransformObject } from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import type { App } from "./app.ts";
import type { RouteScope } from "./auth/scopes.ts";
import { sessionCookie } from "./auth/session-cookie.ts";
import { problemMediaType } from "./problems/index.ts";
import { problemSchema } from "./problems/schema.ts";

problemSchema.register(z.globalRegistry, { id: "Problem" });

const errorAnswer = {
  description: "Any error",
  content: { [problemMediaType]: { schema: { $ref: "#/components/schemas/Problem" } } },
};

/** Describes every route in OpenAPI 3.1: schemas come from zod, security from the route itself or from its scope. */
export async function describeApi(app: App, { version }: { version: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Molva",
        version,
        description: "Carries every post to every channel once, on time, within every limit.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/" }],
      components: {
        securitySchemes: {
          token: { type: "http", scheme: "bearer", description: "An API token, `mlv_…`" },
          session: { type: "apiKey", in: "cookie", name: sessionCookie },
          advisorToken: { type: "http", scheme: "bearer", description: "`BOT_BACKEND_TOKEN`, for `/v1`" },
          endpointSecret: {
            type: "apiKey",
            in: "header",
            name: "X-Molva-Secret",
            description: "The secret of an endpoint; also taken as `Authorization: Bearer`",
          },
          webhookSignature: {
            type: "apiKey",
            in: "header",
            name: "webhook-signature",
            description:
              "A signature of Standard Webhooks with the endpoint's signing secret, beside `webhook-id` and `webhook-timestamp`",
          },
        },
      },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      const scope = input.route.config?.scope;
      if (!schema || schema.hide) return { schema, url };
      const response = withDescriptions(asRecord(schema.response ?? { 200: { type: "null" } }));
      if (!scope) return { url, schema: { ...schema, response } };
      return {
        url,
        schema: {
          ...schema,
          security: schema.security ?? securityOf(scope),
          response: { ...response, default: errorAnswer },
        },
      };
    },
    transformObject: (document) => withoutUnusedSchemas(jsonSchemaTransformObject(document)),
  });
}

function securityOf(scope: RouteScope) {
  return scope === "public" ? [] : [{ token: [scope] }, { session: [] }];
}

/** An answer without a description gets the name of its status. */
function withDescriptions(response: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      { "x-response-description": STATUS_CODES[status], ...asRecord(schema) },
    ]),
  );
}

/** Removes schemas that nothing refers to: each named schema is emitted as input and as output, and few are used as both. */
function withoutUnusedSchemas(document: ReturnType<SwaggerTransformObject>) {
  const schemas = ("components" in document && document.components?.schemas) || {};
  const text = JSON.stringify(document);
  for (const name of Object.keys(schemas)) {
    if (!text.includes(`"#/components/schemas/${name}"`)) delete schemas[name];
  }
  return document;
}

/** Sorts the keys, so that the same code always gives the same text. */
export async function openapi(app: App): Promise<Record<string, unknown>> {
  await app.ready();
  return asRecord(sorted(app.swagger()));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
