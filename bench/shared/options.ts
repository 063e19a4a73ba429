import { parseArgs } from "node:util";

/** A number given on the command line, or the default. */
export function numberOf(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  const value = Number(given);
  if (!Number.isFinite(value) || value <= 0)
    throw new Error(`--${name} takes a number above zero, not ${given}`);
  return value;
}

export { parseArgs };

/** Lines for a person go to standard error when the answer itself is JSON. */
export function reporter(json: boolean): (text: string) => void {
  return json ? (text) => console.error(text) : (text) => console.log(text);
}
