import { type Document, LineCounter, parseDocument } from "yaml";
import { fileErrors } from "./file-errors.ts";
import { fileShape, type RuleFile } from "./rule-file-schema.ts";

export interface FileError {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export type ReadFile =
  | { readonly ok: true; readonly file: RuleFile; readonly text: string }
  | { readonly ok: false; readonly errors: readonly FileError[] };

/** Real files have a few hundred rules; parsing a larger one would block the process. */
const longestFile = 1024 * 1024;

/** Parses a rule file and returns every error with its line: of the YAML, the fields and their references. */
export function readFile(text: string): ReadFile {
  if (text.length > longestFile)
    return {
      ok: false,
      errors: [{ path: [], message: `The file is longer than ${longestFile} characters` }],
    };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    return {
      ok: false,
      errors: once(
        document.errors.map(({ message, pos }) => {
          const { line, col } = lines.linePos(pos[0]);
          return { path: [], message, line, column: col };
        }),
      ),
    };
  const read = fileShape.safeParse(plainValue(document));
  const errors = read.success
    ? fileErrors(read.data)
    : read.error.issues.map(({ path, message }) => ({ path, message }));
  if (read.success && errors.length === 0) return { ok: true, file: read.data, text };
  return {
    ok: false,
    errors: errors.map((error) => ({ ...error, ...placeOf(document, error.path, lines) })),
  };
}

/** `line 12: rules/3/answer: …` */
export function fileErrorText({ path, message, line }: FileError): string {
  return [line === undefined ? "" : `line ${line}`, path.map(String).join("/"), message]
    .filter(Boolean)
    .join(": ");
}

/** The parser reports some errors once per open bracket. */
function once(errors: readonly FileError[]): FileError[] {
  return errors.filter(
    (error, index) => errors.findIndex((each) => fileErrorText(each) === fileErrorText(error)) === index,
  );
}

/** The parser refuses aliases that expand too far. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** The place of the nearest existing node. */
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
