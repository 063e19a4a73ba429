import type { HttpRequest } from "../outbound/index.ts";
import type { Dsn } from "./dsn.ts";
import type { SentryEvent } from "./event.ts";

/** Says to Sentry who sends; of the form name/version. */
export type Client = `${string}/${string}`;

/** One event as Sentry takes it: a line of JSON for the envelope, one for the item, one for the event. */
export function envelopeOf(event: SentryEvent, sentAt: Date): string {
  const payload = JSON.stringify(event);
  const item = { type: "event", content_type: "application/json", length: Buffer.byteLength(payload) };
  const header = { event_id: event.event_id, sent_at: sentAt.toISOString() };
  return `${JSON.stringify(header)}\n${JSON.stringify(item)}\n${payload}\n`;
}

export function posted(dsn: Dsn, client: Client, body: string): HttpRequest {
  return {
    method: "POST",
    url: dsn.envelopeUrl,
    headers: {
      "content-type": "application/x-sentry-envelope",
      "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${dsn.publicKey}, sentry_client=${client}`,
    },
    body,
  };
}
