import type { Answer, StatusFault } from "../shared/index.ts";
import { userOf } from "./auth.ts";
import { localized, RestError } from "./errors.ts";
import type { Site } from "./model.ts";
import { readRequest } from "./request.ts";
import { findRoute } from "./routes.ts";
import { errorPage } from "./theme/error-page.ts";
import { restUrl, type WordPress } from "./twin.ts";

export interface RestParts {
  readonly method: string;
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** Handles one REST request: authentication, routing, permissions, answer. */
export async function answerRest(wordpress: WordPress, site: Site, parts: RestParts): Promise<Answer> {
  const headers = {
    "content-type": "application/json; charset=UTF-8",
    "x-robots-tag": "noindex",
    "x-content-type-options": "nosniff",
    link: `<${restUrl(wordpress, site, "/")}>; rel="https://api.w.org/"`,
  };
  try {
    const closed = closedAnswer(site);
    if (closed) return closed;
    const user = userOf(site, parts.headers.authorization);
    if (site.options.rest === "members" && !user)
      throw new RestError(401, "rest_not_logged_in", "You are not currently logged in.");
    const request = await readRequest(parts, site);
    const found = findRoute(site, request.route);
    const asked = request.method === "HEAD" ? "GET" : request.method;
    const handle = found && Object.entries(found.route.methods).find(([method]) => method === asked)?.[1];
    if (!found || !handle)
      throw new RestError(404, "rest_no_route", "No route was found matching the URL and request method.");
    const params = { ...request.params, ...found.params };
    const reply = await handle({ ...request, params, wordpress, site, user });
    return {
      status: reply.status ?? 200,
      body: chosenFields(reply.body, params._fields),
      headers: { ...headers, ...reply.headers },
      ...(reply.created && { created: reply.created }),
    };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { status: error.status, body: bodyOf(error, site), headers };
  }
}

/** A scripted status as sites return it: broken PHP and proxies with pages, WordPress itself with JSON. */
export function scriptedAnswer(
  site: Site | undefined,
  { status, description, retryAfter }: StatusFault,
): Answer {
  const retry = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  if (status === 500) {
    const message = "There has been a critical error on this website.";
    const words = description ?? localized(message, site?.options.locale ?? "en_US", []);
    return {
      status,
      body: { code: "internal_server_error", message: words, data: { status } },
      headers: retry,
    };
  }
  return {
    status,
    body: errorPage(status, description),
    headers: { ...retry, "content-type": "text/html; charset=UTF-8" },
  };
}

function closedAnswer(site: Site): Answer | undefined {
  const html = (status: number): Answer => ({
    status,
    body: errorPage(status),
    headers: { "content-type": "text/html; charset=UTF-8" },
  });
  switch (site.options.rest) {
    case "forbidden":
      throw new RestError(403, "rest_disabled", "The REST API on this site has been disabled.");
    case "forbidden_html":
      return html(403);
    case "not_acceptable_html":
      return html(406);
    case "absent":
      return html(404);
    case "on":
    case "members":
      return undefined;
  }
}

function bodyOf(error: RestError, { options }: Site): unknown {
  return {
    code: error.code,
    message: localized(error.message, options.locale, error.values),
    data: { status: error.status, ...error.data },
    ...error.more,
  };
}

/** `_fields=id,title.rendered` keeps only these. */
function chosenFields(body: unknown, fields: unknown): unknown {
  const names =
    typeof fields === "string" ? fields.split(",").map((each) => each.trim().split(".")[0] ?? "") : [];
  if (names.length === 0) return body;
  const pick = (item: unknown) =>
    typeof item === "object" && item !== null
      ? Object.fromEntries(Object.entries(item).filter(([key]) => names.includes(key)))
      : item;
  return Array.isArray(body) ? body.map(pick) : pick(body);
}
