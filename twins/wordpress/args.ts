import { readDate } from "./dates.ts";
import { RestError } from "./errors.ts";

/** The arguments of a route by name; other parameters are ignored. */
export type Args = Readonly<Record<string, Arg>>;

export interface Arg {
  readonly type: "integer" | "string" | "boolean" | "list" | "integers" | "date" | "object";
  readonly among?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly required?: boolean;
}

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

/** Checks every argument and reports all errors at once, as WordPress does. */
export function checkArgs(args: Args, params: Readonly<Record<string, unknown>>): void {
  const missing = Object.keys(args).filter((name) => args[name]?.required && params[name] === undefined);
  if (missing.length > 0)
    throw new RestError(400, "rest_missing_callback_param", "Missing parameter(s): %s", {
      values: [missing.join(", ")],
      data: { params: missing },
    });
  const faults = Object.entries(args).flatMap(([name, arg]): [string, Fault][] => {
    const value = params[name];
    const fault = value === undefined ? undefined : faultOf(name, arg, value);
    return fault ? [[name, fault]] : [];
  });
  if (faults.length > 0) throw invalidParams(faults);
}

export function invalidParams(faults: readonly (readonly [string, Fault])[]): RestError {
  return new RestError(400, "rest_invalid_param", "Invalid parameter(s): %s", {
    values: [faults.map(([name]) => name).join(", ")],
    data: {
      params: Object.fromEntries(faults.map(([name, { message }]) => [name, message])),
      details: Object.fromEntries(faults),
    },
  });
}

const isInteger = (value: unknown) =>
  (typeof value === "number" && Number.isInteger(value)) ||
  (typeof value === "string" && /^[+-]?\d+$/.test(value.trim()));

function faultOf(name: string, arg: Arg, value: unknown): Fault | undefined {
  const wrongType = (type: string, param = name): Fault => ({
    code: "rest_invalid_type",
    message: `${param} is not of type ${type}.`,
    data: { param },
  });
  switch (arg.type) {
    case "integer":
      return isInteger(value) ? outOfBounds(name, arg, Number(value)) : wrongType("integer");
    case "integers": {
      const items = listOf(value);
      if (!items) return wrongType("array");
      const wrong = items.findIndex((item) => !isInteger(item));
      return wrong < 0 ? undefined : wrongType("integer", `${name}[${wrong}]`);
    }
    case "list": {
      const items = listOf(value);
      if (!items) return wrongType("array");
      const wrong = items.findIndex(
        (item) => typeof item !== "string" || (arg.among && !arg.among.includes(item)),
      );
      return wrong < 0 || !arg.among ? undefined : notAmong(`${name}[${wrong}]`, arg.among);
    }
    case "boolean":
      return isBoolean(value) ? undefined : wrongType("boolean");
    case "date":
      if (value === null) return undefined;
      return typeof value === "string" && readDate(value, "UTC") !== undefined
        ? undefined
        : { code: "rest_invalid_date", message: "Invalid date.", data: null };
    case "object":
      return undefined;
    case "string":
      if (typeof value !== "string") return wrongType("string");
      return arg.among && !arg.among.includes(value) ? notAmong(name, arg.among) : undefined;
  }
}

const isBoolean = (value: unknown) =>
  typeof value === "boolean" || ["true", "false", "0", "1", 0, 1, ""].some((each) => each === value);

function notAmong(name: string, among: readonly string[]): Fault {
  const list = `${among.slice(0, -1).join(", ")}${among.length > 2 ? "," : ""} and ${among.at(-1)}`;
  return { code: "rest_not_in_enum", message: `${name} is not one of ${list}.`, data: null };
}

function outOfBounds(name: string, { min, max }: Arg, value: number): Fault | undefined {
  const isIn = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  if (isIn) return undefined;
  const message =
    max === undefined
      ? `${name} must be greater than or equal to ${min}`
      : `${name} must be between ${min} (inclusive) and ${max} (inclusive)`;
  return { code: "rest_out_of_bounds", message, data: null };
}

/** Lists may come as `a,b`. */
export function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return value === "" ? [] : value.split(/[\s,]+/).filter(Boolean);
  return typeof value === "number" ? [value] : undefined;
}

export const integers = (value: unknown): number[] => (listOf(value) ?? []).map(Number);
export const texts = (value: unknown): string[] => (listOf(value) ?? []).map(String);
export const truthy = (value: unknown): boolean =>
  value === true || value === "true" || value === "1" || value === 1;

/** `title: "x"` and `title: {raw: "x"}` mean the same. */
export function rawText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "object" && value !== null && "raw" in value && typeof value.raw === "string")
    return value.raw;
  return undefined;
}

export const pageArgs = {
  context: { type: "string", among: ["view", "embed", "edit"] },
  page: { type: "integer", min: 1 },
  per_page: { type: "integer", min: 1, max: 100 },
} as const satisfies Args;
