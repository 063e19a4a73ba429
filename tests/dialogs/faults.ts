/** Faults of the twins, as a script names them. */
import { ScriptError } from "./script.ts";

export const mended = "позади";

/** Providers whose requests name the person's company: their faults strike this person alone. */
const byWords: ReadonlySet<string> = new Set(["openrouter"]);

/** Providers that a script's faults strike for everybody. */
export function struckFor(what: string): string | undefined {
  const [whose = "", place] = (what.split(", ")[0] ?? "").split(" у ");
  const provider = whose.split(" ")[0] ?? "";
  return what === mended || place !== undefined || byWords.has(provider) ? undefined : provider;
}

/**
 * `wordpress, статус 503, 2 раза`. A method may follow the provider, and then a place:
 * `wordpress POST /wp/v2/posts у shop-1, нет ответа`. `всегда` lasts until `Неполадка: позади`.
 */
export function faultOf(what: string, person: { readonly company: string }): object {
  const [who = "", how = "", often = "1 раз"] = what.split(", ");
  const [whose = "", chat] = who.split(" у ");
  const [provider = "", ...method] = whose.split(" ");
  const status = /^статус (\d{3})(?: «(.+)»)?$/.exec(how);
  const flaw = /^ответ (\w+)$/.exec(how)?.[1];
  const seconds = /^медлит (\d+) с$/.exec(how)?.[1];
  const fault = status
    ? {
        ...{ kind: "status", status: Number(status[1]) },
        ...(status[2] !== undefined && { description: status[2] }),
      }
    : flaw
      ? { kind: "answer", flaw }
      : seconds
        ? { kind: "delay", ms: Number(seconds) * 1_000 }
        : { "нет ответа": { kind: "drop_before" }, "ответ потерян": { kind: "drop_after" } }[how];
  if (!fault) throw new ScriptError(`nobody knows this fault: ${what}`);
  return {
    provider,
    ...(method.length > 0 && { method: method.join(" ") }),
    ...(chat !== undefined && { chat }),
    ...(chat === undefined && byWords.has(provider) && { text: person.company }),
    fault,
    ...(often !== "всегда" && { times: Number.parseInt(often, 10) }),
  };
}
