/** Reads parameters and runs code with the names that n8n gives them. */
export interface Scope {
  /** A parameter with `=` before it is text with expressions in braces; a single expression keeps its type. */
  value(parameter: unknown): unknown;
  /** What the code of a Code node returns. */
  run(code: string): unknown;
}

export function scopeOf(names: Readonly<Record<string, unknown>>): Scope {
  const run = (code: string): unknown => new Function(...Object.keys(names), code)(...Object.values(names));
  return {
    run,
    value(parameter) {
      if (typeof parameter !== "string" || !parameter.startsWith("=")) return parameter;
      const single = parameter.match(/^=\{\{((?:(?!\}\}).)*)\}\}$/s)?.[1];
      if (single !== undefined) return expression(single);
      return parameter.slice(1).replace(/\{\{(.*?)\}\}/gs, (_all, code: string) => inText(expression(code)));
    },
  };

  /** Within an expression n8n treats a property of undefined as undefined. */
  function expression(code: string): unknown {
    try {
      return run(`return (${code});`);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

/** Nothing is an empty text between other text. */
function inText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
