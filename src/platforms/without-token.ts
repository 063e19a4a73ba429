import type { Platform, SendError } from "./contract.ts";

/** The same platform, whose errors never hold the token they were made with: a provider may quote the request in its answer. */
export function withoutToken(platform: Platform): Platform {
  const { find } = platform;
  return {
    ...platform,
    async send(compiled, context) {
      const outcome = await platform.send(compiled, context);
      return outcome.kind === "sent" ? outcome : { ...outcome, error: hidden(outcome.error, context.token) };
    },
    ...(find && {
      async find(compiled, context) {
        const found = await find(compiled, context);
        return found.kind === "unavailable" ? { ...found, error: hidden(found.error, context.token) } : found;
      },
    }),
  };
}

function hidden(error: SendError, token: string): SendError {
  return {
    ...error,
    message: error.message.replaceAll(token, mask),
    ...(error.raw !== undefined && { raw: masked(error.raw, token) }),
  };
}

const mask = "[token]";

function masked(value: unknown, token: string): unknown {
  if (typeof value === "string") return value.replaceAll(token, mask);
  if (Array.isArray(value)) return value.map((item) => masked(item, token));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replaceAll(token, mask), masked(inner, token)]),
  );
}
