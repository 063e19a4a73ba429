import { type Document, LineCounter, parseDocument } from "yaml";
import { fileFaults } from "./file-faults.ts";
import { fileShape, type RuleFile } from "./file-shape.ts";

/** What is wrong with a rule file, and where. */
export interface FileFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export type ReadFile =
  | { readonly ok: true; readonly file: RuleFile; readonly text: string }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

/** A file holds a few hundred rules; more is a mistake, and parsing it would keep everybody waiting. */
const longestFile = 1024 * 1024;

/** Reads a rule file and names every fault with its line: the YAML's, the fields', and what the fields do not fit. */
export function readFile(text: string): ReadFile {
  if (text.length > longestFile)
    return {
      ok: false,
      faults: [{ path: [], message: `The file is longer than ${longestFile} characters` }],
    };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    return {
      ok: false,
      faults: once(
        document.errors.map(({ message, pos }) => {
          const { line, col } = lines.linePos(pos[0]);
          return { path: [], message, line, column: col };
        }),
      ),
    };
  const read = fileShape.safeParse(plainValue(document));
  const faults = read.success
    ? fileFaults(read.data)
    : read.error.issues.map(({ path, message }) => ({ path, message }));
  if (read.success && faults.length === 0) return { ok: true, file: read.data, text };
  return {
    ok: false,
    faults: faults.map((fault) => ({ ...fault, ...placeOf(document, fault.path, lines) })),
  };
}

/** `line 12: rules/3/answer: …`, as people and answers say it. */
export function faultText({ path, message, line }: FileFault): string {
  return [line === undefined ? "" : `line ${line}`, path.map(String).join("/"), message]
    .filter(Boolean)
    .join(": ");
}

/** The parser tells some faults once for every bracket they leave open. */
function once(faults: readonly FileFault[]): FileFault[] {
  return faults.filter(
    (fault, index) => faults.findIndex((each) => faultText(each) === faultText(fault)) === index,
  );
}

/** An alias that grows without end is refused by the parser; what it refuses is no value. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** The place of the nearest thing that is really there. */
function placeOf(document: Document, path: readonly PropertyKey[], lines: LineCounter) {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)) {
      const start: unknown = node.range[0];
      if (typeof start !== "number") continue;
      const { line, col } = lines.linePos(start);
      return { line, column: col };
    }
  }
  return {};
}
