/** Permissions of callers. No scope implies another. */
export const scopes = ["read", "write", "operate", "payload", "people", "metrics", "admin"] as const;

export type Scope = (typeof scopes)[number];

/** `public` routes check their callers themselves: ingest and bots by secret, signing in by password or link. */
export type RouteScope = Scope | "public";

export const scopeMeanings: Record<Scope, string> = {
  read: "see channels, deliveries, events and figures",
  write: "create and change posts, channels, endpoints and rules",
  operate: "pause, resume, hold, cancel and requeue",
  payload: "read the raw content of posts; each reading is recorded",
  people: "read dialogues, phones and people's profiles; each reading is recorded",
  metrics: "read the figures of the whole server at /metrics",
  admin: "manage API tokens, settings, and the caps and prices of language models",
};
