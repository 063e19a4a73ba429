import { Command, CommanderError } from "commander";
import { settingsOfModules } from "../../modules.ts";
import { type AddCommand, exitCodes, explain, type Terminal } from "../../terminal/index.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command in this process, as `molva` would, and returns its output. */
export async function runCommand(
  add: AddCommand,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  hear: (line: string) => void = () => {},
  answer: (question: string) => Promise<string | undefined> = async () => undefined,
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = {
    settings: settingsOfModules(),
    environment,
    out: (text) => {
      out.push(text);
      hear(text);
    },
    err: (text) => err.push(text),
    isTerminal: false,
    ask: async (question) => answer(question),
  };
  const program = new Command("molva").exitOverride().configureOutput({ writeErr: (text) => err.push(text) });
  add(program, terminal);
  for (const command of allOf(program)) command.exitOverride().configureOutput(program.configureOutput());
  const code = await program.parseAsync([...args], { from: "user" }).then(
    () => exitCodes.ok,
    (error: unknown) => {
      if (error instanceof CommanderError) return exitCodes.usage;
      const { message, exitCode } = explain(error);
      err.push(message);
      return exitCode;
    },
  );
  return { code, out: out.join("\n"), err: err.join("\n") };
}

function allOf(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allOf(child)]);
}
