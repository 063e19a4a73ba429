import { RestError } from "./errors.ts";
import type { Site, User } from "./model.ts";
import type { WordPress } from "./twin.ts";

/** One REST request, after WordPress has read its parameters. */
export interface RestRequest {
  readonly method: string;
  /** `/wp/v2/posts/12` */
  readonly route: string;
  /** Query, then form or JSON, then the path; later ones take precedence. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly file?: UploadedFile | "failed";
}

export interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A request with the site and the person it is about. */
export interface Call extends RestRequest {
  readonly wordpress: WordPress;
  readonly site: Site;
  readonly user: User | undefined;
}

export interface Reply {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly created?: readonly string[];
}

interface Parts {
  readonly method: string;
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/**
 * Parses query and body as PHP and WordPress do together. Bodies beyond PHP's limit are not parsed at all, form and
 * files included.
 */
export async function readRequest(parts: Parts, site: Site): Promise<RestRequest> {
  const { query, headers, body } = parts;
  const override = query.get("_method") ?? headers["x-http-method-override"];
  const method = (override ?? parts.method).toUpperCase();
  const type = headers["content-type"] ?? "";
  const base = { method, route: parts.route, query, headers, body };
  const fromQuery = phpParams(query);

  if (/^multipart\/form-data/i.test(type)) {
    if (body.length > site.options.postMaxBytes) return { ...base, params: fromQuery };
    const { fields, file } = await readForm(type, body);
    return { ...base, body: Buffer.alloc(0), params: { ...fromQuery, ...fields }, ...(file && { file }) };
  }
  if (/^application\/(?:[\w.+-]+\+)?json/i.test(type)) {
    return { ...base, params: { ...fromQuery, ...readJson(body) } };
  }
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    return { ...base, params: { ...fromQuery, ...phpParams(new URLSearchParams(body.toString("utf8"))) } };
  }
  return { ...base, params: fromQuery };
}

function readJson(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    throw new RestError(400, "rest_invalid_json", "Invalid JSON body passed.", {
      data: { json_error_code: 4, json_error_message: "Syntax error" },
    });
  }
}

/** `a=1&b[]=2&b[]=3&meta[key]=v`, as PHP parses it into arrays. */
function phpParams(search: URLSearchParams): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [key, value] of search) {
    const [, name = key, inner] = /^([^[]+)\[([^\]]*)\]$/.exec(key) ?? [];
    if (inner === undefined) params[name] = value;
    else if (inner === "" || /^\d+$/.test(inner)) {
      const list = Array.isArray(params[name]) ? params[name] : [];
      params[name] = [...list, value];
    } else {
      const held = params[name];
      params[name] = { ...(typeof held === "object" ? held : {}), [inner]: value };
    }
  }
  return params;
}

async function readForm(
  type: string,
  body: Buffer,
): Promise<{ fields: Record<string, unknown>; file?: UploadedFile | "failed" }> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
    .formData()
    .catch(() => new FormData());
  const fields = new URLSearchParams();
  let file: UploadedFile | "failed" | undefined;
  for (const [name, value] of form) {
    if (typeof value === "string") fields.append(name, value);
    else if (name !== "file") file ??= "failed";
    else {
      file = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) };
    }
  }
  return { fields: phpParams(fields), ...(file && { file }) };
}

export const uploadError = (message: string) => new RestError(500, "rest_upload_unknown_error", message);
