import { Command, CommanderError, Help, type Option } from "commander";
import { planCommand } from "../delivery/index.ts";
import { version } from "../kernel/paths/index.ts";
import type { Module } from "../module/index.ts";
import { modules as allModules, settingsOfModules } from "../modules.ts";
import { exitCodes, explain, type Terminal, type World } from "../terminal/index.ts";
import { addAudit } from "./commands/audit.ts";
import { backupCommand } from "./commands/backup.ts";
import { addClock } from "./commands/clock.ts";
import { addConfig } from "./commands/config.ts";
import { addDemo } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { flowsCommand } from "./commands/flows.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addOperatorCommand } from "./commands/operator.ts";
import { restoreCommand } from "./commands/restore.ts";
import { addSecondFactor } from "./commands/second-factor.ts";
import { secretsCommand } from "./commands/secrets.ts";
import { addSeed } from "./commands/seed.ts";
import { addServe } from "./commands/serve.ts";
import { addSessionCommand } from "./commands/session.ts";
import { addSignin } from "./commands/signin.ts";
import { addToken } from "./commands/token.ts";
import { addTwin } from "./commands/twin.ts";
import { addUp } from "./commands/up.ts";
import { addWorkspaceCommand } from "./commands/workspace.ts";
import { systemTerminal } from "./system-terminal.ts";

/** Commands of the whole installation; modules add all others. */
const commands = [
  addUp,
  addDemo,
  addWorkspaceCommand,
  addSignin,
  addOperatorCommand,
  addSessionCommand,
  addSecondFactor,
  addToken,
  addAudit,
  addConfig,
  addClock,
  addMigrate,
  addSeed,
  addServe,
  addTwin,
];

/** The order of `molva --help`: from the first start over daily work to running a server. Others come last. */
const order = (
  "up demo post render why tail queue plan delivery message event workspace endpoint channel limit credential template source llm " +
  "advisor seo monitor alert account object bot signin second-factor operator session token audit doctor config secrets backup restore " +
  "clock migrate seed serve twin"
).split(" ");

/** Runs one command line and returns its exit code. Never throws, and prints no stack for a user's mistake. */
export async function run(
  args: readonly string[],
  world: World = systemTerminal(),
  modules: readonly Module[] = allModules,
): Promise<number> {
  try {
    await createProgram(world, modules).parseAsync([...args], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const { message, exitCode, stack } = explain(error);
    world.err(message);
    if (stack)
      world.err(world.environment.MOLVA_LOG_LEVEL === "debug" ? stack : "MOLVA_LOG_LEVEL=debug shows where.");
    return exitCode;
  }
}

/** Builds the program with all commands. */
export function createProgram(world: World, modules: readonly Module[] = allModules): Command {
  const terminal: Terminal = { ...world, settings: settingsOfModules(modules) };
  const program = new Command("molva")
    .description("Carries every post to every channel once, on time, and can always say what happened to it.")
    .version(version, "-V, --version")
    .showHelpAfterError("(add --help for usage)")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 tried and failed, 2 wrong command line or settings, 3 no answer from a server.",
    )
    .exitOverride()
    .configureHelp({
      optionDescription: describeOption,
      visibleCommands: (command) => inOrder(new Help().visibleCommands(command)),
    })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  const ofModules = modules.flatMap((module) => module.commands ?? []);
  const flows = flowsCommand(
    modules.flatMap((module) => module.flows ?? []),
    modules.flatMap(({ name, screens = [], flows: its = [] }) =>
      screens.length > 0 ? [{ name, screens, flows: its }] : [],
    ),
  );
  const ofAll = [doctorCommand, secretsCommand, backupCommand, restoreCommand].map((make) => make(modules));
  const plan = planCommand(modules.flatMap(({ planned }) => planned ?? []));
  for (const add of [...commands, ...ofAll, ...ofModules, flows, plan]) add(program, terminal);
  for (const command of allOf(program)) command.exitOverride().configureOutput(program.configureOutput());
  return program;
}

/** Commander's help does not mark required options. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory && option.defaultValue === undefined ? `${description} (required)` : description;
}

function inOrder(commands: Command[]): Command[] {
  const { parent } = commands[0] ?? {};
  if (parent?.parent) return commands;
  const placeOf = (command: Command) => order.indexOf(command.name()) + 1 || order.length + 1;
  return commands.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** All commands and their subcommands, recursively. */
export function allOf(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allOf(child)]);
}
