import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface ShellOptions {
  /** Where the script's files are. */
  readonly folder: string;
  /** The folder for messages between the shell and this process. */
  readonly box: string;
  /** Runs a command in this process, which saves a start of Node.js for each. */
  readonly run: (command: string, args: readonly string[], input: string) => Promise<CommandEnd>;
}

/**
 * `npx molva …` and `curl …` are passed to the process that started the shell, over descriptor 3; the answer on 4 is
 * the exit code, and the output is in the box folder. The shell runs everything else.
 */
const handedOver = `
hand_over() {
  cat >"$BOX/in"
  printf '%s\\0' "$#" "$@" >&3
  IFS= read -r code <&4
  cat "$BOX/out"
  cat "$BOX/err" >&2
  return "$code"
}
curl() { hand_over curl "$@"; }
npx() {
  if [ "$1" != molva ]; then echo "npx $1 is not run here" >&2; return 127; fi
  hand_over "$@"
}
`;

/** Runs a script with sh, which stops at the first command that fails. Resolves with its exit code and all that was printed. */
export async function runScript(
  script: string,
  { folder, box, run }: ShellOptions,
): Promise<{ code: number; output: string }> {
  const child = spawn("sh", ["-e", "-c", `${handedOver}\n${script}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8", BOX: box },
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  answerCalls(child.stdio[3] as Duplex, async (words) => {
    const [command = "", ...args] = words;
    const end = await run(command, args, readFileSync(join(box, "in"), "utf8")).catch((error: unknown) => ({
      code: 70,
      out: "",
      err: String(error),
    }));
    writeFileSync(join(box, "out"), line(end.out));
    writeFileSync(join(box, "err"), line(end.err));
    (child.stdio[4] as Duplex).write(`${end.code}\n`);
  });
  const [code] = await once(child, "close");
  return { code: code ?? 1, output };
}

/** A call is a count and as many words, each ended by a NUL. */
function answerCalls(calls: Duplex, answer: (words: string[]) => Promise<void>): void {
  let read = "";
  calls.setEncoding("utf8").on("data", (text: string) => {
    read += text;
    const [count, ...words] = read.split("\0");
    // After the last NUL there is an empty word.
    if (words.length <= Number(count)) return;
    read = "";
    void answer(words.slice(0, Number(count)));
  });
}

const line = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
