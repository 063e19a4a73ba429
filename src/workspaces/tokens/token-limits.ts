import { areWithin, type Caller, coversInstallation, type Reach, type Scope } from "../../http/index.ts";

const day = 24 * 60 * 60 * 1000;

/** How long API tokens live. Longer ones, and such as never expire, only an administrator of the installation may make. */
export const tokenLife = { usualDays: 90, mostDays: 366 } as const;

export function daysAfter(now: Date, days: number): Date {
  return new Date(now.getTime() + days * day);
}

export interface WantedToken {
  readonly scopes: readonly Scope[];
  /** Null: never; undefined: the usual time, or that of the maker's own token if it is shorter. */
  readonly expiresAt: Date | null | undefined;
  /** Undefined: those of the maker's own token. */
  readonly networks: readonly string[] | undefined;
}

export type TokenTerms =
  | { readonly kind: "granted"; readonly expiresAt: Date | null; readonly networks: readonly string[] }
  | Refused;

interface Refused {
  readonly kind: "refused";
  readonly code: "scope_missing" | "token_too_strong" | "unprocessable";
  readonly pointer: string;
  readonly reason: string;
}

/** What a caller, whose scopes are those of the token's workspace, may give to a new token. Nothing may exceed the caller's own. */
export function termsFor(caller: Caller, wanted: WantedToken, now: Date): TokenTerms {
  const missing = wanted.scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0)
    return refused(
      "/scopes",
      `Nobody can give what they do not have: ${missing.join(", ")}.`,
      "scope_missing",
    );
  if (wanted.expiresAt && wanted.expiresAt <= now)
    return refused("/expires_at", "This moment is over: give one to come.", "unprocessable");
  const own = caller.kind === "token" ? caller : { expiresAt: null, networks: [], reach: [] };
  const expiresAt = wanted.expiresAt === undefined ? usualEnd(own.expiresAt, now) : wanted.expiresAt;
  if (own.expiresAt && (expiresAt === null || expiresAt > own.expiresAt))
    return refused("/expires_at", "A token cannot make one that lives longer than itself.");
  if (!mayMakeLong(caller) && (expiresAt === null || expiresAt > daysAfter(now, tokenLife.mostDays)))
    return refused(
      "/expires_at",
      `A token lives ${tokenLife.mostDays} days at most; longer ones are for administrators of the installation.`,
    );
  const beyond = wanted.networks && networksBeyond(own.reach, wanted.networks);
  if (beyond) return refused("/networks", beyond);
  return { kind: "granted", expiresAt, networks: wanted.networks ?? own.networks };
}

/** Why a token of this reach may not give these networks; undefined if it may. */
export function networksBeyond(reach: Reach, networks: readonly string[]): string | undefined {
  const own = reach.find((outer) => !areWithin(networks, outer));
  return own && `The token's own networks are ${own.join(", ")}.`;
}

/** People only: a token that never expires was made on purpose, but not to make more of them. */
function mayMakeLong(caller: Caller): boolean {
  return caller.kind === "operator" && coversInstallation(caller);
}

function usualEnd(own: Date | null, now: Date): Date {
  const usual = daysAfter(now, tokenLife.usualDays);
  return own && own < usual ? own : usual;
}

function refused(pointer: string, reason: string, code: Refused["code"] = "token_too_strong"): Refused {
  return { kind: "refused", code, pointer, reason };
}
