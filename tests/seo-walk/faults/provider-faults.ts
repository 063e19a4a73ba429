/** How providers fail while somebody waits for them. */
import type { FaultKind } from "../../../twins/index.ts";

const cut = { kind: "drop_before" } as const;
const malformed = { kind: "malformed" } as const;
const hang = { kind: "hang" } as const;
const status = (code: number) => ({ kind: "status", status: code }) as const;

/** Refusals that last, then those that pass; 429 comes last, because what it slows down stays slow for a while. */
const usual: readonly FaultKind[] = [
  ...[status(401), status(403), status(500), cut, hang, malformed, status(429)],
];

/** What only models do. */
const flaws: readonly FaultKind[] = (["refusal", "empty", "truncated", "invalid", "no_image"] as const).map(
  (flaw) => ({ kind: "answer", flaw }),
);

/** The twin of the object storage knows two faults. */
export const objects = "objects";
const slowDown: readonly FaultKind[] = [status(503), hang];

export function faultsOf(provider: string): readonly FaultKind[] {
  if (provider === objects) return slowDown;
  return provider === "openrouter" || provider === "openai" ? [...usual, ...flaws] : usual;
}

export const nameOf = (fault: FaultKind): string => {
  if (fault.kind === "status") return String(fault.status);
  return fault.kind === "answer" ? fault.flaw : fault.kind;
};
