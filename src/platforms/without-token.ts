import type { Platform, SendError } from "./contract.ts";

/**
 * The same platform, whose errors can be kept: they never hold the token they were made with, which a provider may quote in its
 * answer, nor NUL or half of a character, which no database takes.
 */
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
    message: kept(error.message, token),
    ...(error.raw !== undefined && { raw: masked(error.raw, token) }),
  };
}

const mask = "[token]";

function masked(value: unknown, token: string): unknown {
  if (typeof value === "string") return kept(value, token);
  if (Array.isArray(value)) return value.map((item) => masked(item, token));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [kept(key, token), masked(inner, token)]),
  );
}

function kept(text: string, token: string): string {
  return text.replaceAll("\0", "").toWellFormed().replaceAll(token, mask);
}
