import { Command, CommanderError, Help, type Option } from "commander";
import { version } from "../kernel/paths/index.ts";
import type { Module } from "../module/index.ts";
import { modules as allModules } from "../modules.ts";
import { systemTerminal, type Terminal } from "./command.ts";
import { addAccountCommand } from "./commands/account.ts";
import { addAdvisor } from "./commands/advisor.ts";
import { addAlert } from "./commands/alert.ts";
import { addBotCommand } from "./commands/bot.ts";
import { addChannelCommand } from "./commands/channel.ts";
import { addConfig } from "./commands/config.ts";
import { addCredentialCommand } from "./commands/credential.ts";
import { addDelivery } from "./commands/delivery.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEndpointCommand } from "./commands/endpoint.ts";
import { addEvent } from "./commands/event.ts";
import { flowsCommand } from "./commands/flows.ts";
import { addLimitCommand } from "./commands/limit.ts";
import { addLlm } from "./commands/llm.ts";
import { addMessage } from "./commands/message.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addMonitor } from "./commands/monitor.ts";
import { addObjectCommand } from "./commands/object.ts";
import { addPost } from "./commands/post.ts";
import { addQueue } from "./commands/queue.ts";
import { addRender } from "./commands/render.ts";
import { addSeed } from "./commands/seed.ts";
import { addServe } from "./commands/serve.ts";
import { addSignin } from "./commands/signin.ts";
import { addSourceCommand } from "./commands/source.ts";
import { addTail } from "./commands/tail.ts";
import { addTemplateCommand } from "./commands/template.ts";
import { addToken } from "./commands/token.ts";
import { addTwin } from "./commands/twin.ts";
import { addUp } from "./commands/up.ts";
import { addWhy } from "./commands/why.ts";
import { addWorkspaceCommand } from "./commands/workspace.ts";
import { exitCodes, explain } from "./failure.ts";

/** In the order in which `molva --help` lists them. */
const commands = [
  addUp,
  addDemo,
  addPost,
  addRender,
  addWhy,
  addTail,
  addQueue,
  addDelivery,
  addMessage,
  addEvent,
  addWorkspaceCommand,
  addEndpointCommand,
  addChannelCommand,
  addLimitCommand,
  addCredentialCommand,
  addTemplateCommand,
  addSourceCommand,
  addLlm,
  addAdvisor,
  addMonitor,
  addAlert,
  addAccountCommand,
  addObjectCommand,
  addBotCommand,
  addSignin,
  addToken,
  addDoctor,
  addConfig,
  addMigrate,
  addSeed,
  addServe,
  addTwin,
];

/** Runs one command line and answers with its exit code. Never throws and never prints a stack for a user's mistake. */
export async function run(
  args: readonly string[],
  terminal: Terminal = systemTerminal(),
  modules: readonly Module[] = allModules,
): Promise<number> {
  try {
    await createProgram(terminal, modules).parseAsync([...args], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const { message, exitCode, stack } = explain(error);
    terminal.err(message);
    if (stack)
      terminal.err(
        terminal.environment.MOLVA_LOG_LEVEL === "debug" ? stack : "MOLVA_LOG_LEVEL=debug shows where.",
      );
    return exitCode;
  }
}

/** Every command, with nothing run yet. */
export function createProgram(terminal: Terminal, modules: readonly Module[] = allModules): Command {
  const program = new Command("molva")
    .description("Carries every post to every channel once, on time, and can always say what happened to it.")
    .version(version, "-V, --version")
    .showHelpAfterError("(add --help for usage)")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 tried and failed, 2 wrong command line or settings, 3 no answer from a server.",
    )
    .exitOverride()
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  const ofModules = modules.flatMap((module) => module.commands ?? []);
  const flows = flowsCommand(modules.flatMap((module) => module.flows ?? []));
  for (const add of [...commands, ...ofModules, flows]) add(program, terminal);
  for (const command of allOf(program)) command.exitOverride().configureOutput(program.configureOutput());
  return program;
}

/** Commander does not tell an option that must be given from one that may be. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory && option.defaultValue === undefined ? `${description} (required)` : description;
}

/** With their own commands, to the last. */
export function allOf(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...allOf(child)]);
}
