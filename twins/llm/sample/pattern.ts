/** A text that matches a regular expression: classes, groups, alternatives and repetitions; look-around is ignored. */
export function textFor(pattern: string, pick: (count: number) => number): string {
  const reader = { text: pattern, at: 0 };
  return alternatives(reader, pick)();
}

interface Reader {
  readonly text: string;
  at: number;
}
type Writer = () => string;
type Pick = (count: number) => number;

function alternatives(reader: Reader, pick: Pick): Writer {
  const options = [sequence(reader, pick)];
  while (reader.text[reader.at] === "|") {
    reader.at += 1;
    options.push(sequence(reader, pick));
  }
  return () => options[pick(options.length)]?.() ?? "";
}

function sequence(reader: Reader, pick: Pick): Writer {
  const items: Writer[] = [];
  while (reader.at < reader.text.length && !")|".includes(reader.text[reader.at] ?? "")) {
    const item = atom(reader, pick);
    const { min, max } = repetition(reader);
    items.push(() => Array.from({ length: min + pick(Math.min(max - min, 3) + 1) }, item).join(""));
  }
  return () => items.map((item) => item()).join("");
}

function atom(reader: Reader, pick: Pick): Writer {
  const sign = reader.text[reader.at] ?? "";
  reader.at += 1;
  if (sign === "(") return group(reader, pick);
  if (sign === "[") return oneOf(charClass(reader), pick);
  if (sign === ".") return oneOf(wordSigns, pick);
  if (sign === "^" || sign === "$") return () => "";
  if (sign === "\\") return escaped(reader, pick);
  return () => sign;
}

function group(reader: Reader, pick: Pick): Writer {
  const head = /^\?(?::|<?[=!]|<[^>]+>)/.exec(reader.text.slice(reader.at))?.[0] ?? "";
  reader.at += head.length;
  const inside = alternatives(reader, pick);
  reader.at += 1;
  return /[=!]$/.test(head) ? () => "" : inside;
}

function repetition(reader: Reader): { min: number; max: number } {
  const found = /^(?:\*|\+|\?|\{(\d{1,9})(,?)(\d{0,9})\})\??/.exec(reader.text.slice(reader.at));
  if (!found) return { min: 1, max: 1 };
  reader.at += found[0].length;
  if (found[0].startsWith("*")) return { min: 0, max: 3 };
  if (found[0].startsWith("+")) return { min: 1, max: 4 };
  if (found[0].startsWith("?")) return { min: 0, max: 1 };
  const min = Number(found[1]);
  return { min, max: found[2] ? (found[3] ? Number(found[3]) : min + 3) : min };
}

const digits = "0123456789";
const latin = "abcdefghijklmnopqrstuvwxyz";
const wordSigns = latin + latin.toUpperCase() + digits;
const classes: Readonly<Record<string, string>> = {
  d: digits,
  w: `${wordSigns}_`,
  s: " ",
  D: latin,
  W: "-",
  S: wordSigns,
};
const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" };

function escaped(reader: Reader, pick: Pick): Writer {
  const found = escapeAt(reader);
  return found.length === 1 || found === "" ? () => found : oneOf(found, pick);
}

/** The characters that an escape stands for; empty for assertions such as `\b`. */
function escapeAt(reader: Reader): string {
  const rest = reader.text.slice(reader.at);
  const code = /^(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(rest);
  if (code) {
    reader.at += code[0].length;
    return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "20", 16));
  }
  const property = /^[pP]\{([^}]+)\}/.exec(rest);
  if (property) {
    reader.at += property[0].length;
    return rest.startsWith("P") ? "-" : /^N/.test(property[1] ?? "") ? digits : "абвгдежз";
  }
  const sign = rest[0] ?? "";
  reader.at += 1;
  if (sign === "b" || sign === "B") return "";
  return classes[sign] ?? controls[sign] ?? sign;
}

function charClass(reader: Reader): string {
  const negated = reader.text[reader.at] === "^";
  if (negated) reader.at += 1;
  let signs = "";
  while (reader.at < reader.text.length && reader.text[reader.at] !== "]") {
    const first = signAt(reader);
    if (reader.text[reader.at] === "-" && reader.text[reader.at + 1] !== "]" && first.length === 1) {
      reader.at += 1;
      const last = signAt(reader);
      for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code += 1)
        signs += String.fromCharCode(code);
    } else signs += first;
  }
  reader.at += 1;
  if (!negated) return signs;
  return [...`${wordSigns} абвгдежз-`].filter((sign) => !signs.includes(sign)).join("");
}

function signAt(reader: Reader): string {
  const sign = reader.text[reader.at] ?? "";
  reader.at += 1;
  return sign === "\\" ? escapeAt(reader) : sign;
}

function oneOf(signs: string, pick: Pick): Writer {
  const all = [...signs];
  return () => all[pick(all.length)] ?? "";
}
