import { isIPv6 } from "node:net";
import type { Clock } from "../../kernel/clock/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { unmapped } from "../../kernel/outbound/index.ts";

const windowMs = 15 * 60 * 1000;

/** How many passwords, links, codes and visits to a provider may be tried in a window. An office shares one address, so its limit is higher. */
export const attemptLimits = {
  login: 10,
  address: 50,
  password: 10,
  link: 30,
  second_factor: 10,
  oidc: 60,
} as const;

/** Subjects whose value is the caller's address; callers of one network count as one. */
const byNetwork: readonly Subject["kind"][] = ["address", "link", "oidc"];

export interface Subject {
  readonly kind: keyof typeof attemptLimits;
  readonly value: string;
}

export interface Throttled {
  readonly kind: "throttled";
  readonly retryAfterSeconds: number;
  /** The first refusal of its window. Only this one is audited, so that a flood cannot fill the audit. */
  readonly isFirst: boolean;
}

export type Permission = { readonly kind: "granted" } | Throttled;

/**
 * Counts an attempt before the password is checked, so that concurrent attempts cannot exceed the limit.
 * Stops at the first subject over its limit: a blocked address must not use up the attempts of a login.
 */
export async function takeAttempt(
  sql: Sql,
  subjects: readonly Subject[],
  { clock }: { clock: Clock },
): Promise<Permission> {
  const now = clock.now();
  for (const subject of subjects) {
    const [counter] = await sql<{ attempts: number; window_ends_at: Date }[]>`
      insert into molva.signin_attempts as a (subject_sha256, attempts, window_ends_at)
      values (${keyOf(subject)}, 1, ${new Date(now.getTime() + windowMs)})
      on conflict (subject_sha256) do update set
        attempts = case when a.window_ends_at > ${now} then a.attempts + 1 else 1 end,
        window_ends_at = case when a.window_ends_at > ${now} then a.window_ends_at else excluded.window_ends_at end
      returning attempts, window_ends_at
    `;
    if (counter && counter.attempts > attemptLimits[subject.kind]) {
      const wait = counter.window_ends_at.getTime() - now.getTime();
      return {
        kind: "throttled",
        retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
        isFirst: counter.attempts === attemptLimits[subject.kind] + 1,
      };
    }
  }
  return { kind: "granted" };
}

/** A success is not counted: the login's counter is reset, the address gets its attempt back. */
export async function forgiveAttempt(sql: Sql, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) {
    const key = keyOf(subject);
    if (byNetwork.includes(subject.kind)) {
      await sql`
        update molva.signin_attempts set attempts = attempts - 1 where subject_sha256 = ${key} and attempts > 0
      `;
    } else {
      await sql`delete from molva.signin_attempts where subject_sha256 = ${key}`;
    }
  }
}

function keyOf({ kind, value }: Subject): string {
  return sha256Hex(`${kind}:${byNetwork.includes(kind) ? networkOf(value) : value}`);
}

/** An IPv6 customer has at least a /64, so its addresses count as one. */
export function networkOf(address: string): string {
  const plain = unmapped(address);
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = (plain.split("%")[0] ?? "").toLowerCase().split("::");
  const before = head ? head.split(":") : [];
  const after = tail ? tail.split(":") : [];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
