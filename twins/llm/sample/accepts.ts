import {
  isRecord,
  isSchema,
  namedSchemas,
  numberOf,
  resolve,
  type Schema,
  same,
  schemasOf,
  textsOf,
} from "./schema.ts";

/** Whether the schema accepts a value. Formats are only hints, as in JSON Schema. */
export function accepts(schema: Schema, value: unknown, root: Schema = schema): boolean {
  if (typeof schema === "boolean") return schema;
  const check = (part: unknown, of: unknown) => !isSchema(part) || accepts(part, of, root);
  return (
    (typeof schema.$ref !== "string" || accepts(resolve(root, schema.$ref), value, root)) &&
    (!("const" in schema) || same(schema.const, value)) &&
    (!Array.isArray(schema.enum) || schema.enum.some((each) => same(each, value))) &&
    ofType(schema.type, value) &&
    schemasOf(schema.allOf).every((part) => accepts(part, value, root)) &&
    (!Array.isArray(schema.anyOf) || schemasOf(schema.anyOf).some((part) => accepts(part, value, root))) &&
    (!Array.isArray(schema.oneOf) ||
      schemasOf(schema.oneOf).filter((part) => accepts(part, value, root)).length === 1) &&
    (!isSchema(schema.not) || !accepts(schema.not, value, root)) &&
    (!isSchema(schema.if) || check(accepts(schema.if, value, root) ? schema.then : schema.else, value)) &&
    (typeof value !== "string" || acceptsText(schema, value)) &&
    (typeof value !== "number" || acceptsNumber(schema, value)) &&
    (!Array.isArray(value) || acceptsList(schema, value, root)) &&
    (!isRecord(value) || acceptsObject(schema, value, root))
  );
}

type Rules = Exclude<Schema, boolean>;

function ofType(types: unknown, value: unknown): boolean {
  const allowed = typeof types === "string" ? [types] : textsOf(types);
  if (allowed.length === 0) return true;
  return allowed.some((type) => {
    switch (type) {
      case "null":
        return value === null;
      case "array":
        return Array.isArray(value);
      case "object":
        return isRecord(value);
      case "integer":
        return Number.isInteger(value);
      default:
        return typeof value === type;
    }
  });
}

function acceptsText({ minLength, maxLength, pattern }: Rules, value: string): boolean {
  const length = [...value].length;
  return (
    length >= (numberOf(minLength) ?? 0) &&
    length <= (numberOf(maxLength) ?? Infinity) &&
    (typeof pattern !== "string" || new RegExp(pattern, "u").test(value))
  );
}

function acceptsNumber(rules: Rules, value: number): boolean {
  const step = numberOf(rules.multipleOf);
  return (
    value >= (numberOf(rules.minimum) ?? -Infinity) &&
    value <= (numberOf(rules.maximum) ?? Infinity) &&
    value > (numberOf(rules.exclusiveMinimum) ?? -Infinity) &&
    value < (numberOf(rules.exclusiveMaximum) ?? Infinity) &&
    (step === undefined || Math.abs(value / step - Math.round(value / step)) < 1e-9)
  );
}

function acceptsList(rules: Rules, value: readonly unknown[], root: Schema): boolean {
  const first = schemasOf(rules.prefixItems ?? rules.items);
  const rest = isSchema(rules.items)
    ? rules.items
    : isSchema(rules.additionalItems)
      ? rules.additionalItems
      : true;
  const contains = rules.contains;
  const contained = isSchema(contains) ? value.filter((each) => accepts(contains, each, root)).length : 0;
  return (
    value.length >= (numberOf(rules.minItems) ?? 0) &&
    value.length <= (numberOf(rules.maxItems) ?? Infinity) &&
    (rules.uniqueItems !== true ||
      value.every((each, at) => !value.slice(0, at).some((it) => same(it, each)))) &&
    value.every((each, at) => accepts(first[at] ?? rest, each, root)) &&
    (!isSchema(contains) ||
      (contained >= (numberOf(rules.minContains) ?? 1) &&
        contained <= (numberOf(rules.maxContains) ?? Infinity)))
  );
}

function acceptsObject(rules: Rules, value: Readonly<Record<string, unknown>>, root: Schema): boolean {
  const properties = new Map(namedSchemas(rules.properties));
  const patterns = namedSchemas(rules.patternProperties).map(
    ([text, of]) => [new RegExp(text, "u"), of] as const,
  );
  const names = Object.keys(value);
  return (
    textsOf(rules.required).every((name) => Object.hasOwn(value, name)) &&
    names.length >= (numberOf(rules.minProperties) ?? 0) &&
    names.length <= (numberOf(rules.maxProperties) ?? Infinity) &&
    names.every((name) => {
      const own = [properties.get(name), ...patterns.flatMap(([text, of]) => (text.test(name) ? [of] : []))];
      const known = own.filter((each) => each !== undefined);
      const others = isSchema(rules.additionalProperties) ? rules.additionalProperties : true;
      return (
        (known.length > 0 ? known : [others]).every((each) => accepts(each, value[name], root)) &&
        (!isSchema(rules.propertyNames) || accepts(rules.propertyNames, name, root))
      );
    })
  );
}
