/** The help text for fields that a command takes as `field=value`. */
import { z } from "zod";

/** The usual width of a terminal. */
const width = 80;

/** A function, because walking the schemas at every start would slow every command down. */
export function fieldsHelp(shape: z.ZodObject["shape"], except: readonly string[] = []): () => string {
  return () => {
    const fields = Object.entries(shape).filter(([name]) => name !== "reason" && !except.includes(name));
    const longest = Math.max(...fields.map(([name]) => name.length));
    const lines = fields.flatMap(([name, schema]) =>
      wrapped(saidOf(schema), width - longest - 4).map((line, index) =>
        `  ${(index === 0 ? name : "").padEnd(longest)}  ${line}`.trimEnd(),
      ),
    );
    return `\nFields:\n${lines.join("\n")}`;
  };
}

/** The part of a field's JSON Schema that the help shows. */
const read = z.object({
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  anyOf: z.array(z.unknown()).optional(),
});

function saidOf(schema: z.core.$ZodType): string {
  const { description, takes } = described(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }));
  if (!description) return takes.join(" or ");
  // Descriptions explain text and null.
  const kinds = takes.filter((kind) => kind !== "text" && kind !== "null").join(" or ");
  return kinds ? `${description} (${kinds})` : description;
}

function described(json: unknown): { readonly description: string; readonly takes: readonly string[] } {
  const field = read.parse(json);
  const takes = field.anyOf
    ? field.anyOf.flatMap((one) => described(one).takes)
    : [field.type ?? []].flat().map((type) => kindOf(type, field));
  return { description: field.description ?? "", takes: [...new Set(takes)].filter(Boolean) };
}

function kindOf(type: string, field: z.infer<typeof read>): string {
  if (field.enum) return `one of ${field.enum.join(", ")}`;
  if (type === "integer" || type === "number") return rangeOf(field);
  return (
    { boolean: "true or false", array: "a list", object: "JSON", null: "null", string: "text" }[type] ?? ""
  );
}

function rangeOf({ minimum, maximum }: z.infer<typeof read>): string {
  return minimum === undefined || maximum === undefined ? "a number" : `${minimum}–${maximum}`;
}

/** Wraps a text between words. */
function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
