import { fileURLToPath } from "node:url";

/** One line of a stack. */
export interface Frame {
  readonly filename: string;
  readonly function?: string;
  readonly lineno: number;
  readonly colno: number;
  /** Whether it is code of this project, not of Node or of a package. */
  readonly in_app: boolean;
}

/**
 * The frames of V8's stack, the oldest first, as Sentry wants them. The stack of a cause, which the log appends, is left out. Files are
 * named from the project's folder: where it lies on this machine is nobody's business.
 */
export function framesOf(stack: string, root: string, most: number): Frame[] {
  const [own = ""] = stack.split("\ncaused by: ");
  return own
    .split("\n")
    .filter((line) => /^\s{1,8}at /.test(line))
    .slice(0, most)
    .flatMap((line) => frameOf(line.trim().slice("at ".length), root) ?? [])
    .reverse();
}

/** `async function (file:1:2)` or `file:1:2`. */
function frameOf(call: string, root: string): Frame | undefined {
  const opens = call.endsWith(")") ? call.lastIndexOf(" (") : -1;
  const place = opens < 0 ? call.replace(/^async /, "") : call.slice(opens + 2, -1);
  const name = opens < 0 ? "" : call.slice(0, opens).replace(/^async /, "");
  const [, file, line, column] = /^([^\n]+?):(\d{1,9}):(\d{1,9})$/.exec(place) ?? [];
  if (file === undefined) return undefined;
  const filename = named(file, root);
  return {
    filename,
    ...(name && { function: name }),
    ...{ lineno: Number(line), colno: Number(column) },
    in_app: filename.startsWith("app:///") && !filename.includes("node_modules/"),
  };
}

function named(file: string, root: string): string {
  const path = withSlashes(pathOf(file));
  const folder = `${withSlashes(root)}/`;
  if (path.startsWith(folder)) return `app:///${path.slice(folder.length)}`;
  const inPackages = path.lastIndexOf("/node_modules/");
  if (inPackages >= 0) return `app:///${path.slice(inPackages + 1)}`;
  return path.startsWith("node:") ? path : path.slice(path.lastIndexOf("/") + 1);
}

function pathOf(file: string): string {
  try {
    return file.startsWith("file:") ? fileURLToPath(file) : file;
  } catch {
    // No path of this system: its last part is shown.
    return file;
  }
}

const withSlashes = (path: string) => path.replaceAll("\\", "/");
