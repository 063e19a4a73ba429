import type { GuardedClient, GuardedSockets, HttpAnswer } from "../../kernel/outbound/index.ts";
import type { ListingLimits } from "./pull-limits.ts";
import { type FailedListing, failed } from "./source.ts";

/** The dependencies of listing a source. */
export interface ListDeps {
  /** The guarded client, because the address comes from a user. */
  readonly http: GuardedClient;
  /** The same for connections other than HTTP. */
  readonly sockets: GuardedSockets;
  /** The decrypted secret: the Authorization header, or the database's address. */
  readonly secret: string | undefined;
  readonly now: Date;
  readonly limits: ListingLimits;
  readonly signal: AbortSignal;
}

export type Fetched =
  | { readonly kind: "document"; readonly answer: HttpAnswer }
  | { readonly kind: "unchanged" }
  | FailedListing;

/** Requests a source over HTTP. Anything but a complete answer or "not modified" is a failure with a reason. */
export async function fetchDocument(
  url: string,
  headers: Readonly<Record<string, string>>,
  { http, secret, now, limits, signal }: ListDeps,
): Promise<Fetched> {
  const answer = await http.request({
    method: "GET",
    url,
    headers: { ...headers, ...(secret !== undefined && { authorization: secret }) },
    timeoutMs: limits.fetchMs,
    maxBytes: limits.documentBytes,
    signal,
  });
  if (answer.kind === "failure") {
    const code = failureCodes[answer.reason];
    return failed(code, `${hostOf(url)}: ${answer.message}`);
  }
  if (answer.status === 304) return { kind: "unchanged" };
  if (answer.status !== 200)
    return failed(
      "source_http_error",
      `${hostOf(url)} answered ${answer.status}`,
      retryAfterMs(answer.headers["retry-after"], now),
    );
  return { kind: "document", answer };
}

export const failureCodes = {
  timeout: "source_timeout",
  refused: "source_refused",
  too_large: "source_too_large",
  connect: "source_unreachable",
  tls: "source_unreachable",
  reset: "source_unreachable",
  aborted: "source_unreachable",
  protocol: "source_malformed",
} as const;

/** A path may contain a token; the host is enough for the message. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}
