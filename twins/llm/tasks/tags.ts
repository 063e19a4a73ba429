/** The parts of a question that stand between `<name>` and `</name>`. */
export interface Tags {
  /** The first of this name, or an empty text. */
  one(name: string): string;
  all(name: string): readonly string[];
  /** The lines of the first of this name, without bullets. */
  lines(name: string): readonly string[];
  number(name: string, usual: number): number;
}

export function tagsIn(text: string): Tags {
  const all = (name: string) => {
    const found: string[] = [];
    const [open, close] = [`<${name}>`, `</${name}>`];
    for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
      const end = text.indexOf(close, at);
      if (end < 0) break;
      found.push(text.slice(at + open.length, end).trim());
      at = end;
    }
    return found;
  };
  const one = (name: string) => all(name)[0] ?? "";
  return {
    one,
    all,
    lines: (name) =>
      one(name)
        .split("\n")
        .map((line) => line.replace(/^\s*[-*•]\s*/, "").trim())
        .filter(Boolean),
    number: (name, usual) => Number(one(name)) || usual,
  };
}
