import type { Call, FaultScript, Faults } from "./contract.ts";

export interface FaultsDeps {
  readonly clock: { now(): number };
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** Injected faults: the oldest script that matches a call applies. */
export function createFaults({ clock, random }: FaultsDeps): Faults {
  let scripts: FaultScript[] = [];
  let born = 0;

  function live(): FaultScript[] {
    const now = clock.now();
    scripts = scripts.filter((script) => script.times !== 0 && (script.until ?? Infinity) > now);
    return scripts;
  }

  return {
    take(call, request) {
      const script = live().find(
        (each) => fits(each, call) && says(each, request) && random() < (each.probability ?? 1),
      );
      if (!script) return undefined;
      if (script.times !== undefined) script.times -= 1;
      return script.fault;
    },
    add(script) {
      born += 1;
      const added = { id: String(born), ...script };
      scripts.push(added);
      return added;
    },
    list: () => live().map((script) => ({ ...script })),
    remove(id) {
      const before = scripts.length;
      scripts = scripts.filter((script) => script.id !== id);
      return scripts.length < before;
    },
    clear() {
      scripts = [];
    },
  };
}

function fits({ match }: FaultScript, call: Call): boolean {
  return (
    (match.provider === undefined || match.provider === call.provider) &&
    (match.bot === undefined || match.bot === call.bot || match.bot === call.botId) &&
    (match.chat === undefined || match.chat === call.chat) &&
    (match.method === undefined || match.method.toLowerCase() === call.method.toLowerCase())
  );
}

function says({ match: { text } }: FaultScript, request: unknown): boolean {
  return text === undefined || JSON.stringify(request ?? null).includes(text);
}
