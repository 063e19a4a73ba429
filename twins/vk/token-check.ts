import { demandCaptcha } from "./captcha.ts";
import { refuse } from "./errors.ts";
import { requestsPerSecond } from "./limits.ts";
import type { Token, TokenKind } from "./model.ts";
import type { Params } from "./params.ts";
import type { Method, Vk } from "./twin.ts";

/** The token, if it is valid. */
export function liveToken({ store, context }: Vk, text: string | undefined): Token {
  if (!text) throw refuse(5, "no access_token passed.");
  const token = store.token(text);
  if (!token) throw refuse(5, "invalid access_token (4).");
  if (token.revoked) {
    throw token.kind === "community"
      ? refuse(27, "invalid access_token (8).")
      : refuse(5, "access_token was revoked.");
  }
  if (token.expiresAt !== undefined && token.expiresAt <= context.clock.now()) {
    throw refuse(5, "access_token has expired.");
  }
  const state = token.userId === undefined ? "active" : store.user(token.userId)?.state;
  if (state !== "active") throw refuse(18);
  return token;
}

export function checkPace({ context, rates }: Vk, token: Token): void {
  if (!context.options.rateLimits) return;
  const rate = { key: `token ${token.token}`, count: requestsPerSecond[token.kind], perMs: 1_000 };
  if (rates.take([rate]) !== undefined) throw refuse(6);
}

/** Checks the kind first, then the rights, then the captcha. */
export function checkRights(vk: Vk, name: string, method: Method, token: Token, params: Params): void {
  if (!mayCall(vk, name, method, token.kind)) throw wrongKind(token.kind);
  if (method.scope !== undefined && !token.scopes.includes(method.scope)) {
    throw token.kind === "community"
      ? refuse(7)
      : refuse(15, "no access to call this method. It cannot be called with current scopes.");
  }
  if (method.writes) demandCaptcha(vk, token, params);
}

function mayCall({ store }: Vk, name: string, method: Method, kind: TokenKind): boolean {
  const lenient = kind === "community" && store.world.options.community_wall && name.startsWith("wall.");
  return lenient || method.kinds.includes(kind);
}

function wrongKind(kind: TokenKind) {
  switch (kind) {
    case "community":
      return refuse(27, "method is unavailable with group auth.");
    case "vkid":
      return refuse(1051);
    case "user":
      return refuse(15, "no access to call this method");
  }
}
