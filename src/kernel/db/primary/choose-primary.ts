import { codeOf, messageOf } from "../../errors/index.ts";
import type { DatabaseHost } from "../../url/index.ts";

/** What a host said about itself. */
export type HostAnswer =
  /** Each promotion of a standby begins the next timeline. */
  | {
      readonly kind: "writable";
      readonly host: DatabaseHost;
      readonly system: string;
      readonly timeline: number;
    }
  | { readonly kind: "readOnly"; readonly host: DatabaseHost }
  | { readonly kind: "failed"; readonly host: DatabaseHost; readonly error: unknown };

export type WritableHost = Extract<HostAnswer, { kind: "writable" }>;

/**
 * The host that was promoted last, or several that lead to it. One of an earlier timeline than was seen before is a primary that
 * came back from the dead: whatever it confirmed would be lost.
 */
export function primariesAmong(
  answers: readonly HostAnswer[],
  seenOf: (system: string) => number,
): WritableHost[] {
  const writable = answers
    .filter((answer) => answer.kind === "writable")
    .filter(({ system, timeline }) => timeline >= seenOf(system));
  const newest = Math.max(0, ...writable.map(({ timeline }) => timeline));
  return writable.filter(({ timeline }) => timeline === newest);
}

/** A standby may be promoted in a moment, and a server that starts may become either. */
export function mayBecomePrimary(answer: HostAnswer): boolean {
  return answer.kind === "readOnly" || (answer.kind === "failed" && codeOf(answer.error) === "57P03");
}

/** The code is one of a lost connection (survive-lost-connections.ts), because that is how callers treat it. */
export class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
  readonly code = "CONNECTION_NO_PRIMARY";

  constructor(answers: readonly HostAnswer[]) {
    super(`no host of the database takes writes: ${answers.map(describeRefusal).join("; ")}`);
  }
}

export function describeAnswer(answer: HostAnswer): string {
  const name = `${answer.host.host}:${answer.host.port}`;
  switch (answer.kind) {
    case "writable":
      return `${name} takes writes`;
    case "readOnly":
      return `${name} is a standby`;
    case "failed":
      return `${name} does not answer (${messageOf(answer.error)})`;
  }
}

/** Of the hosts that take writes, those are left here that were not chosen. */
function describeRefusal(answer: HostAnswer): string {
  if (answer.kind !== "writable") return describeAnswer(answer);
  return `${answer.host.host}:${answer.host.port} is an old primary, after which another was promoted`;
}
