import type { TwinOptions } from "../shared/index.ts";
import { parsedUrl } from "../shared/parsed-url.ts";
import { refuse } from "./errors.ts";

/** The address after `/publish/` or `/schedules/`, with its own query string, exactly as it was written. */
export function destinationOf(rawUrl: string, call: string): string {
  const start = rawUrl.indexOf(`/v2/${call}/`) + `/v2/${call}/`.length;
  const given = rawUrl.slice(start);
  // Clients may write it as one escaped part of the path.
  return /^https?%3a/i.test(given) ? decodeURIComponent(given) : given;
}

/** Throws if QStash would not send there. */
export function checkAddress(
  address: string,
  { insecureWebhooks }: Pick<TwinOptions, "insecureWebhooks">,
): void {
  if (!/^https?:\/\//i.test(address))
    throw refuse.invalid(
      "invalid destination url: endpoint has invalid scheme, add http:// or https:// in front of your url",
    );
  const url = parsedUrl(address);
  if (!url) throw refuse.invalid("invalid destination url: endpoint cannot be parsed");
  if (!insecureWebhooks && loopback.test(url.hostname))
    throw refuse.invalid("invalid destination url: endpoint resolves to a loopback address");
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/i;
