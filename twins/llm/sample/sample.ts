import { accepts } from "./accepts.ts";
import { textFor } from "./pattern.ts";
import {
  isRecord,
  isSchema,
  type Json,
  namedSchemas,
  numberOf,
  resolve,
  type Schema,
  schemasOf,
  textsOf,
} from "./schema.ts";

/** The source of values: the same texts for the same question. */
export interface Taste {
  /** A number below `count`; every call advances. */
  pick(count: number): number;
  /** A text for a field of this name, of about this many characters. */
  words(field: string, max: number): string;
  /** Which of these the model would choose for a field of this name, if it has a preference. */
  choose(field: string, options: readonly unknown[]): unknown;
}

const tries = 60;
const deepest = 6;

/** A value that the schema accepts, or undefined if none was found. */
export function sample(schema: Schema, tasteOf: (attempt: number) => Taste): Json | undefined {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const value = made(schema, { root: schema, taste: tasteOf(attempt), field: "", depth: 0, attempt });
    if (accepts(schema, value)) return value;
  }
  return undefined;
}

interface At {
  readonly root: Schema;
  readonly taste: Taste;
  readonly field: string;
  readonly depth: number;
  readonly attempt: number;
}

function made(given: Schema, at: At): Json {
  const schema = whole(given, at);
  if (typeof schema === "boolean") return at.taste.words(at.field, 40);
  if ("const" in schema) return json(schema.const);
  if (Array.isArray(schema.enum)) return json(chosen(schema.enum, at));
  switch (typeOf(schema, at)) {
    case "null":
      return null;
    case "boolean":
      return json(chosen([false, true], at)) === true;
    case "integer":
      return numberIn(schema, at, 1);
    case "number":
      return numberIn(schema, at, numberOf(schema.multipleOf) ?? 0.5);
    case "array":
      return listOf(schema, at);
    case "object":
      return objectOf(schema, at);
    default:
      return textOf(schema, at);
  }
}

/** The schema with its references, all of `allOf` and one of its alternatives merged. */
function whole(schema: Schema, at: At, hops = 0): Schema {
  if (typeof schema === "boolean" || hops > 20) return schema;
  const { $ref, allOf, anyOf, oneOf, ...rest } = schema;
  const parts: Schema[] = [rest];
  if (typeof $ref === "string") parts.push(whole(resolve(at.root, $ref), at, hops + 1));
  for (const part of schemasOf(allOf)) parts.push(whole(part, at, hops + 1));
  const options = [...schemasOf(anyOf), ...schemasOf(oneOf)];
  if (options.length > 0) parts.push(whole(optionOf(options, at), at, hops + 1));
  if (isRecord(schema.if)) {
    const branch = at.attempt % 2 === 0 ? schema.then : schema.else;
    if (at.attempt % 2 === 0) parts.push(whole(schema.if, at, hops + 1));
    if (isSchema(branch)) parts.push(whole(branch, at, hops + 1));
  }
  return parts.reduce(merged, true);
}

/** At depth the simplest alternative is taken, so that recursive schemas end. */
function optionOf(options: readonly Schema[], at: At): Schema {
  const plain = (option: Schema) => !/\$ref|"object"|"array"/.test(JSON.stringify(option));
  if (at.depth >= deepest) return options.find(plain) ?? options.at(-1) ?? true;
  const words = options.filter((option) => !isRecord(option) || option.type !== "null");
  const offered = words.length > 0 && at.attempt < tries / 2 ? words : options;
  return offered[at.attempt % offered.length] ?? true;
}

function merged(one: Schema, other: Schema): Schema {
  if (one === true) return other;
  if (other === true) return one;
  if (typeof one === "boolean" || typeof other === "boolean") return false;
  const result: Record<string, unknown> = { ...one, ...other };
  if (isRecord(one.properties) && isRecord(other.properties)) {
    const shared = new Map(namedSchemas(one.properties));
    for (const [name, schema] of namedSchemas(other.properties))
      shared.set(name, merged(shared.get(name) ?? true, schema));
    result.properties = Object.fromEntries(shared);
  }
  if (one.required || other.required)
    result.required = [...new Set([...textsOf(one.required), ...textsOf(other.required)])];
  for (const [name, tighter] of Object.entries(tighterOf)) {
    const [a, b] = [numberOf(one[name]), numberOf(other[name])];
    if (a !== undefined && b !== undefined) result[name] = tighter(a, b);
  }
  if (Array.isArray(one.enum) && Array.isArray(other.enum)) {
    const texts = other.enum.map((each) => JSON.stringify(each));
    result.enum = one.enum.filter((each) => texts.includes(JSON.stringify(each)));
  }
  if (typeof one.pattern === "string" && typeof other.pattern === "string" && one.pattern !== other.pattern)
    result.pattern = one.pattern.length > other.pattern.length ? one.pattern : other.pattern;
  return result;
}

const tighterOf: Readonly<Record<string, (a: number, b: number) => number>> = {
  ...{
    minimum: Math.max,
    exclusiveMinimum: Math.max,
    minLength: Math.max,
    minItems: Math.max,
    minProperties: Math.max,
  },
  ...{
    maximum: Math.min,
    exclusiveMaximum: Math.min,
    maxLength: Math.min,
    maxItems: Math.min,
    maxProperties: Math.min,
  },
};

type Rules = Exclude<Schema, boolean>;

const signsOfType: readonly (readonly [string, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "minProperties", "patternProperties"]],
  ["array", ["items", "prefixItems", "minItems", "uniqueItems", "contains"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

function typeOf(schema: Rules, at: At): string {
  if (typeof schema.type === "string") return schema.type;
  const types = textsOf(schema.type);
  const useful = types.filter((type) => type !== "null");
  if (types.length > 0) {
    const offered = useful.length > 0 && at.depth < deepest ? useful : types;
    return offered[at.attempt % offered.length] ?? "null";
  }
  return signsOfType.find(([, signs]) => signs.some((sign) => sign in schema))?.[0] ?? "string";
}

function chosen(options: readonly unknown[], { taste, field, attempt }: At): unknown {
  if (attempt > 0) return options[taste.pick(options.length)];
  const opinion = taste.choose(field, options);
  return opinion === undefined ? options[taste.pick(options.length)] : opinion;
}

function numberIn(rules: Rules, { taste }: At, step: number): number {
  const unit = numberOf(rules.multipleOf) ?? step;
  const above = numberOf(rules.exclusiveMinimum);
  const below = numberOf(rules.exclusiveMaximum);
  const low = Math.max(numberOf(rules.minimum) ?? -Infinity, above ?? -Infinity);
  const high = Math.min(numberOf(rules.maximum) ?? Infinity, below ?? Infinity);
  const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 10 * unit : 1;
  const first =
    Math.ceil(from / unit - 1e-9) + (above !== undefined && above >= low && isWhole(from / unit) ? 1 : 0);
  const last = Number.isFinite(high) ? Math.floor(high / unit + 1e-9) : first + 9;
  const count = Math.max(
    1,
    Math.min(last - first + 1 - (below !== undefined && isWhole(high / unit) ? 1 : 0), 100),
  );
  const value = (first + taste.pick(count)) * unit;
  // Between two bounds closer than 1 there may still be a fraction.
  if (rules.type !== "integer" && rules.multipleOf === undefined && (value < low || value > high))
    return (low + high) / 2;
  return Number(value.toPrecision(12));
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-9;

function listOf(rules: Rules, at: At): Json {
  const first = schemasOf(rules.prefixItems ?? rules.items);
  const rest = isSchema(rules.items)
    ? rules.items
    : isSchema(rules.additionalItems)
      ? rules.additionalItems
      : undefined;
  const min = Math.max(
    numberOf(rules.minItems) ?? 0,
    isSchema(rules.contains) ? (numberOf(rules.minContains) ?? 1) : 0,
  );
  const usual =
    at.depth >= deepest || (rest === undefined && first.length === 0) ? min : Math.max(min, first.length, 2);
  const length = Math.min(
    usual + (at.depth < 3 && at.depth > 0 ? at.taste.pick(2) : 0),
    numberOf(rules.maxItems) ?? Infinity,
  );
  const size = Math.max(length, min);
  const wanted = (index: number): Schema =>
    first[index] ?? merged(rest ?? true, isSchema(rules.contains) && index < min ? rules.contains : true);
  const items: Json[] = [];
  for (let index = 0; index < size; index += 1) {
    let item = made(wanted(index), { ...at, depth: at.depth + 1 });
    for (let again = 1; rules.uniqueItems === true && again < 20 && has(items, item); again += 1)
      item = made(wanted(index), { ...at, depth: at.depth + 1, attempt: at.attempt + again });
    if (rules.uniqueItems !== true || !has(items, item) || index < min) items.push(item);
  }
  return items;
}

const has = (items: readonly Json[], item: Json) =>
  items.some((each) => JSON.stringify(each) === JSON.stringify(item));

function objectOf(rules: Rules, at: At): Json {
  const required = new Set(textsOf(rules.required));
  const properties = namedSchemas(rules.properties);
  const most = numberOf(rules.maxProperties) ?? Infinity;
  const result: Record<string, Json> = {};
  const put = (name: string, schema: Schema) => {
    result[name] = made(schema, { ...at, field: name, depth: at.depth + 1 });
  };
  for (const [name, schema] of properties) if (required.has(name)) put(name, schema);
  for (const name of required) if (!Object.hasOwn(result, name)) put(name, othersOf(rules));
  for (const [name, schema] of properties) {
    if (required.has(name) || at.depth >= deepest || Object.keys(result).length >= most) continue;
    if (schema !== false && at.attempt % 3 !== 2) put(name, schema);
  }
  const least = numberOf(rules.minProperties) ?? 0;
  const patterns = namedSchemas(rules.patternProperties);
  const open = rules.additionalProperties !== false;
  const free = properties.length === 0 && required.size === 0 && isRecord(rules.additionalProperties) ? 1 : 0;
  for (let number = 1; Object.keys(result).length < Math.max(least, free) && number < 50; number += 1) {
    const pattern = patterns[0];
    if (pattern && !open) put(textFor(pattern[0], at.taste.pick), pattern[1]);
    else put(nameFor(rules, number, at), othersOf(rules));
  }
  return result;
}

function nameFor(rules: Rules, number: number, at: At): string {
  if (!isRecord(rules.propertyNames)) return `field_${number}`;
  const name = made(rules.propertyNames, { ...at, attempt: at.attempt + number });
  return typeof name === "string" ? name : `field_${number}`;
}

function othersOf(rules: Rules): Schema {
  return isSchema(rules.additionalProperties) ? rules.additionalProperties : true;
}

function textOf(rules: Rules, { taste, field, attempt }: At): string {
  if (typeof rules.pattern === "string") return textFor(rules.pattern, taste.pick);
  const formatted = typeof rules.format === "string" ? formats[rules.format]?.(taste) : undefined;
  if (formatted !== undefined) return formatted;
  const min = numberOf(rules.minLength) ?? 0;
  const max = numberOf(rules.maxLength) ?? Math.max(min, 400);
  let text = taste.words(field, max);
  if (attempt > 0) text = `${text} ${attempt}`;
  while ([...text].length < min) text = `${text} ${taste.words(field, max)}`;
  const cut = [...text].slice(0, max).join("");
  return cut.trimEnd().length >= min ? cut.trimEnd() : cut;
}

const two = (number: number) => String(number).padStart(2, "0");

const formats: Readonly<Record<string, (taste: Taste) => string>> = {
  date: ({ pick }) => `2026-${two(pick(12) + 1)}-${two(pick(28) + 1)}`,
  "date-time": ({ pick }) =>
    `2026-${two(pick(12) + 1)}-${two(pick(28) + 1)}T${two(pick(24))}:${two(pick(60))}:00Z`,
  time: ({ pick }) => `${two(pick(24))}:${two(pick(60))}:00Z`,
  duration: ({ pick }) => `PT${pick(23) + 1}H`,
  email: ({ pick }) => `reader${pick(1000)}@example.com`,
  hostname: () => "example.com",
  uri: ({ pick }) => `https://example.com/page-${pick(1000)}`,
  url: ({ pick }) => `https://example.com/page-${pick(1000)}`,
  ipv4: ({ pick }) => `192.0.2.${pick(255)}`,
  ipv6: ({ pick }) => `2001:db8::${pick(9999) + 1}`,
  uuid: ({ pick }) =>
    `00000000-0000-4000-8000-${Array.from({ length: 12 }, () => pick(16).toString(16)).join("")}`,
};

/** A part of a schema is JSON already; this only tells the compiler. */
function json(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (Array.isArray(value)) return value.map(json);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, json(of)]));
  return null;
}
