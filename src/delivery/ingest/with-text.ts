import { z } from "zod";

const anyPayload = z.record(z.string(), z.unknown());

/** The payload with the sender's own rendering in place of its text, when the sender gave one. */
export function withText(payload: unknown, renderedText: string | null | undefined): unknown {
  const text = renderedText?.trim();
  return text ? { ...anyPayload.parse(payload), text } : payload;
}
