import type { Clock } from "../../kernel/clock/index.ts";

/** Circuit breakers: a provider that fails repeatedly is not asked for a while, a model for as long as it demanded. */
export interface Circuits {
  /** Until when the circuit is open, or undefined. After that, one caller gets through as a probe until it reports. */
  closedUntil(provider: string, model: string): Date | undefined;
  /** The same for whoever only wants to know. */
  restsUntil(provider: string, model: string): Date | undefined;
  succeeded(provider: string): void;
  failed(provider: string): void;
  rest(provider: string, model: string, milliseconds: number): void;
  state(provider: string): CircuitState;
}

export interface CircuitState {
  readonly state: "closed" | "open" | "half_open";
  readonly failures: number;
  readonly until?: Date;
}

export const circuitRules = {
  /** Failures in a row that open a circuit. */
  failures: 5,
  restMs: 30_000,
  longestRestMs: 300_000,
} as const;

interface Circuit {
  failures: number;
  opened: number;
  until: number;
  probing: number;
}

export function createCircuits(clock: Clock): Circuits {
  const circuits = new Map<string, Circuit>();
  const rests = new Map<string, number>();
  const now = () => clock.now().getTime();

  function of(provider: string): Circuit {
    const known = circuits.get(provider);
    if (known) return known;
    const fresh = { failures: 0, opened: 0, until: 0, probing: 0 };
    circuits.set(provider, fresh);
    return fresh;
  }

  function restsUntil(provider: string, model: string): Date | undefined {
    const { until, probing } = of(provider);
    // A probe that never reports must not block the others for ever.
    const ends = [rests.get(`${provider} ${model}`) ?? 0, until, probing].find((end) => end > now());
    return ends === undefined ? undefined : new Date(ends);
  }

  return {
    restsUntil,
    closedUntil(provider, model) {
      const until = restsUntil(provider, model);
      if (until) return until;
      rests.delete(`${provider} ${model}`);
      const circuit = of(provider);
      if (circuit.opened > 0) circuit.probing = now() + circuitRules.restMs;
      return undefined;
    },
    succeeded(provider) {
      circuits.delete(provider);
    },
    failed(provider) {
      const circuit = of(provider);
      circuit.failures += 1;
      circuit.probing = 0;
      if (circuit.failures < circuitRules.failures) return;
      circuit.opened += 1;
      const rest = circuitRules.restMs * 2 ** (circuit.opened - 1);
      circuit.until = now() + Math.min(rest, circuitRules.longestRestMs);
    },
    rest(provider, model, milliseconds) {
      rests.set(`${provider} ${model}`, now() + milliseconds);
    },
    state(provider) {
      const { failures, opened, until } = of(provider);
      if (opened === 0) return { state: "closed", failures };
      return until > now()
        ? { state: "open", failures, until: new Date(until) }
        : { state: "half_open", failures };
    },
  };
}
