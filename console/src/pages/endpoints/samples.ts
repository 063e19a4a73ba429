import { sampleRequest } from "../overview/sample-request.ts";
import type { Opened } from "./shapes.ts";

/** A line for the terminal that posts something through a new endpoint; undefined where a secret alone does not open it. */
export function samplePost(
  origin: string,
  { kind, secret }: Pick<Opened, "kind" | "secret">,
  text: string,
): string | undefined {
  if (kind !== "webhook_push" || secret === null) return undefined;
  return sampleRequest(origin, secret, text);
}

/** Where senders of this endpoint post to; undefined where nobody does. */
export function addressOf(
  origin: string,
  { kind, mode, address }: Pick<Opened, "kind" | "mode" | "address">,
): string | undefined {
  if (kind === "pull_source") return undefined;
  if (kind === "bot_webhook") return `${origin}/api/v1/bots/max/webhook`;
  return mode === "secret" ? `${origin}/api/v1/ingest` : `${origin}/api/v1/ingest/${address}`;
}
