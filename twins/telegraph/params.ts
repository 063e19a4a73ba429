import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { limits } from "./limits.ts";
import { rawMember } from "./raw-member.ts";

/** The fields of a call, in whatever form they came. */
export interface Params {
  /** All given fields, for the journal. */
  readonly all: Readonly<Record<string, unknown>>;
  /** A field as text; absent and blank are different. */
  text(name: string): string | undefined;
  whole(name: string): number | undefined;
  yes(name: string): boolean;
  /** A JSON field: a string in forms and queries, itself or a string in JSON bodies. */
  json(name: string): { readonly value: unknown; readonly bytes: number } | undefined;
}

/** Accepts forms and JSON as text, without parsing them yet. */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: limits.bodyBytes }, (_request, body, done) =>
    done(null, body),
  );
}

export function readParams(request: FastifyRequest): Params {
  const body = typeof request.body === "string" ? request.body : "";
  const isJson = (request.headers["content-type"] ?? "").startsWith("application/json");
  const given = {
    ...asRecord(request.query),
    ...(isJson ? parsedObject(body) : Object.fromEntries(new URLSearchParams(body))),
  };
  const text = (name: string): string | undefined => {
    const value = given[name];
    if (value === undefined || value === null) return undefined;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };
  return {
    all: given,
    text,
    whole(name) {
      const value = text(name)?.trim();
      return value !== undefined && /^-?\d{1,9}$/.test(value) ? Number(value) : undefined;
    },
    yes: (name) => ["true", "1"].includes(text(name)?.toLowerCase() ?? ""),
    json(name) {
      const value = given[name];
      if (value === undefined || value === null || value === "") return undefined;
      if (typeof value !== "string")
        return { value, bytes: Buffer.byteLength(rawMember(body, name) ?? JSON.stringify(value)) };
      return { value: parsed(value), bytes: Buffer.byteLength(value) };
    },
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A body that is not a JSON object counts as empty: its fields are missing. */
function parsedObject(body: string): Record<string, unknown> {
  const value = parsed(body);
  return Array.isArray(value) ? {} : asRecord(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Given, and not blank. */
export function required(value: string | undefined, code: string): string {
  if (value === undefined || value.trim() === "") throw new ApiError(code);
  return value;
}
