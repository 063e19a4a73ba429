import { z } from "zod";
import type { HttpAnswer } from "../../kernel/outbound/index.ts";
import {
  classify,
  type ErrorRule,
  longestWaitMs,
  retryAfterHeader,
  textOf,
  unreadable,
} from "../classify.ts";
import type { Outcome, SendError } from "../contract.ts";
import { ifReadable } from "../if-readable.ts";
import { maintenanceMs } from "./limits.ts";

const channel = (code: string) => ({ category: "PERMANENT", scope: "channel", code }) as const;
const delivery = (code: string) => ({ category: "PERMANENT", scope: "delivery", code }) as const;

const unauthorized = channel("unauthorized");
const passwordsOff = channel("application_passwords_off");
const restOff = channel("rest_off");
const turnedAway = channel("channel_unavailable");
const mayNotPublish = channel("role_may_not_publish");
const gone = delivery("post_unavailable");
const tooLarge = delivery("media_too_large");
const wrongKind = delivery("media_rejected");

/** Classified by WordPress' codes, since its messages are in the site's language. */
const rules: readonly ErrorRule[] = [
  { providerCode: "application_passwords_disabled", verdict: passwordsOff },
  { providerCode: "application_passwords_disabled_for_user", verdict: passwordsOff },
  { providerCode: "rest_disabled", verdict: restOff },
  // 401 means that the account was not recognised; a recognised account without the right gets 403.
  { status: 401, verdict: unauthorized },
  ...[301, 302, 303, 307, 308].map((status) => ({ status, verdict: channel("site_moved") })),
  { status: 406, verdict: turnedAway },
  { providerCode: "rest_no_route", verdict: restOff },
  { providerCode: "rest_cannot_publish", verdict: mayNotPublish },
  { providerCode: "rest_cannot_create", verdict: mayNotPublish },
  { providerCode: "rest_cannot_edit_others", verdict: mayNotPublish },
  { providerCode: "rest_cannot_edit", verdict: delivery("may_not_edit") },
  { providerCode: "rest_cannot_delete", verdict: delivery("may_not_edit") },
  { providerCode: "rest_post_invalid_id", verdict: gone },
  { providerCode: "rest_already_trashed", verdict: gone },
  { status: 413, verdict: tooLarge },
  { status: 400, verdict: delivery("wordpress_bad_request") },
];

/**
 * Uploads: a missing right gives 400, 401 or 403. A file beyond PHP's limits gives a php.ini name in a message of any
 * language, or a missing file.
 */
const uploadRules: readonly ErrorRule[] = [
  { providerCode: "rest_cannot_create", verdict: channel("role_may_not_upload") },
  {
    providerCode: "rest_upload_unknown_error",
    text: /upload_max_filesize|MAX_FILE_SIZE|post_max_size/i,
    verdict: tooLarge,
  },
  { providerCode: "rest_upload_file_too_big", verdict: tooLarge },
  { providerCode: "rest_upload_limited_space", verdict: tooLarge },
  { providerCode: "rest_upload_no_data", verdict: tooLarge },
  { providerCode: "rest_upload_no_content_disposition", verdict: tooLarge },
  { providerCode: "rest_upload_sideload_error", verdict: wrongKind },
  { providerCode: "rest_upload_unknown_error", verdict: wrongKind },
  { providerCode: "rest_upload_image_type_not_supported", verdict: wrongKind },
];

/** Our own messages where the site's do not help. */
const explained: Readonly<Record<string, string>> = {
  application_passwords_off: "the site lets nobody in by an application password",
  rest_off: "the site's REST API is switched off",
  role_may_not_publish: "the account's role may not publish on the site",
  role_may_not_upload: "the account's role may not upload pictures to the site",
  media_too_large:
    "the picture is larger than the site takes; raise upload_max_filesize and post_max_size in its PHP",
};

const refusalShape = z.object({
  code: z.string(),
  message: ifReadable(z.string()),
  data: ifReadable(z.unknown()),
});
export type Refusal = z.infer<typeof refusalShape>;

export const refusalOf = (body: unknown): Refusal | undefined => refusalShape.safeParse(body).data;

export function classifyRefusal(
  answer: HttpAnswer,
  body: unknown,
  now: Date,
  about: "page" | "upload" = "page",
): SendError {
  const refusal = refusalOf(body);
  const retryAfterMs = longestWaitMs([retryAfterHeader(answer, now)]);
  const { status } = answer;
  const error = classify(
    {
      status,
      ...(refusal && { providerCode: refusal.code }),
      description: refusal ? plain(refusal.message ?? refusal.code) : pageWords(status),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      raw: { status, ...(refusal ? { code: refusal.code, data: refusal.data } : { body: textOf(answer) }) },
    },
    about === "upload" && status !== 401 ? [...uploadRules, ...rules] : rules,
  );
  const own = explained[error.code];
  return own && status !== 413
    ? { ...error, message: `${own} (${error.message})` }
    : own
      ? { ...error, message: own }
      : error;
}

/** WordPress' messages may contain tags. */
const plain = (text: string): string => text.replace(/<[^<>]*>/g, "").trim();

function pageWords(status: number): string {
  if (status >= 300 && status < 400)
    return "the site redirects REST requests: name it by the address that it has now";
  if (status === 401 || status === 403 || status === 406)
    return `a security plugin, a firewall or the web server of the site refuses REST requests (status ${status} with a page)`;
  if (status === 404) return "the site has no REST API at this address (status 404 with a page)";
  if (status === 503) return "the site is being looked after (status 503)";
  return `the site answered with a page and status ${status}`;
}

/** The code in a site's error. */
export function codeIn({ raw }: SendError): string | undefined {
  return z.object({ code: z.string() }).safeParse(raw).data?.code;
}

const underMaintenance =
  "the site shows a page where its REST API should be: it is being looked after, or a plugin covers it";

/** An HTML page with 200: the request may have been carried out before it. */
export function pageInstead(answer: HttpAnswer): Exclude<Outcome, { kind: "sent" }> {
  const unknown = unreadable(answer);
  const isPage = /html/i.test(answer.headers["content-type"] ?? "");
  return isPage ? { ...unknown, error: { ...unknown.error, message: underMaintenance } } : unknown;
}

/** The same for a request that writes nothing. */
export function maintenance(answer: HttpAnswer, now: Date): SendError {
  const retryAfterMs = longestWaitMs([retryAfterHeader(answer, now)]) ?? maintenanceMs;
  const { status } = answer;
  return {
    category: "TRANSIENT",
    scope: "platform",
    code: "site_in_maintenance",
    message: status === 503 ? pageWords(503) : underMaintenance,
    retryAfterMs,
    raw: { status, body: textOf(answer) },
  };
}

/** A firewall before WordPress blocks requests. */
export function blocked(answer: HttpAnswer): SendError {
  const { status } = answer;
  return { ...channel("security_plugin"), message: pageWords(status), raw: { status, body: textOf(answer) } };
}

export const failure = (code: string, message: string, raw?: unknown): SendError => ({
  ...channel(code),
  message,
  ...(raw !== undefined && { raw }),
});
