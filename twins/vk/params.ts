import { refuse } from "./errors.ts";

/** The parameters of a call, all of them text, parsed as VK does and refused in its words. */
export interface Params {
  readonly all: Readonly<Record<string, string>>;
  text(name: string): string | undefined;
  int(name: string): number | undefined;
  /** Zero or more. */
  count(name: string): number | undefined;
  needText(name: string): string;
  needInt(name: string): number;
  needCount(name: string): number;
  flag(name: string): boolean;
  list(name: string): string[];
}

export function paramsOf(all: Readonly<Record<string, string>>): Params {
  const text = (name: string) => all[name];

  function int(name: string): number | undefined {
    const given = all[name]?.trim();
    if (given === undefined || given === "") return undefined;
    const value = Number(given);
    if (!/^-?\d+$/.test(given) || !Number.isSafeInteger(value)) throw refuse(100, `${name} not integer`);
    return value;
  }
  function count(name: string): number | undefined {
    const value = int(name);
    if (value !== undefined && value < 0) throw refuse(100, `${name} should be positive`);
    return value;
  }
  function need<T>(name: string, value: T | undefined): T {
    if (value === undefined || value === "") throw refuse(100, `${name} is undefined`);
    return value;
  }

  return {
    all,
    text,
    int,
    count,
    needText: (name) => need(name, text(name)),
    needInt: (name) => need(name, int(name)),
    needCount: (name) => need(name, count(name)),
    flag(name) {
      const given = all[name] ?? "0";
      if (!["0", "1", ""].includes(given)) throw refuse(100, `${name} should be 0 or 1`);
      return given === "1";
    },
    list: (name) =>
      (all[name] ?? "")
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== ""),
  };
}
