import type { Command } from "commander";
import {
  byOf,
  type Common,
  changing,
  checked,
  countOf,
  facts,
  moment,
  type Paged,
  paging,
  print,
  printPage,
  reading,
  type Terminal,
  table,
  textOf,
  UserError,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { newPromptVersion, type PromptView } from "../prompts/prompt-shape.ts";
import { activatePrompt, listPrompts, promptVersions, savePrompt } from "../prompts/prompts.ts";
import { withGateway } from "./with-gateway.ts";

/** `molva llm prompt list|show|save|activate`. */
export function addLlmPrompt(parent: Command, terminal: Terminal): void {
  const command = parent.command("prompt").description("the words by which models are asked");

  paging(reading(command, "list", "prompts by name")).action(async (options: Paged) => {
    const page = await withGateway(terminal, options, async ({ sql }, workspaceId) =>
      pageOfAll(await listPrompts(sql, workspaceId), options),
    );
    printPage(terminal, options, page, promptTable);
  });

  reading(command, "show", "a prompt's text and its versions")
    .argument("<name>", "which prompt")
    .argument("[version]", "a version other than the active one", countOf)
    .action(async (name: string, number: number | undefined, options: Common) => {
      const versions = await withGateway(terminal, options, ({ sql }, workspaceId) =>
        promptVersions(sql, workspaceId, name),
      );
      const prompt = versions.find(({ version, active }) =>
        number === undefined ? active : version === number,
      );
      if (!prompt)
        throw new UserError(
          `${name} has no ${number === undefined ? "active version" : `version ${number}`}.`,
        );
      print(terminal, options, { ...prompt, versions: versions.map(({ version }) => version) }, () =>
        [
          facts([
            ["prompt", prompt.name],
            ["version", `${prompt.version}${prompt.active ? " (active)" : ""}`],
            ["of", versions.map(({ version }) => version).join(", ")],
            ["from", prompt.source],
            ["saved", moment(prompt.created_at)],
          ]),
          "",
          prompt.body,
        ].join("\n"),
      );
    });

  changing(command, "save", "store a text as the next version")
    .argument("<name>", "which prompt")
    .requiredOption("--file <path>", "the text; - reads standard input")
    .option("--activate", "use it from the next call on")
    .action(async (name: string, options: Common & { file: string; activate?: boolean }) => {
      const given = { name, body: await textOf(options.file), activate: options.activate };
      const { reason: _, ...version } = checked(newPromptVersion, given);
      const saved = await withGateway(terminal, options, (deps, workspaceId) =>
        savePrompt(deps, workspaceId, version, byOf(options)),
      );
      print(terminal, options, saved, () =>
        saved.active
          ? `${name} version ${saved.version} is saved and active.`
          : `${name} version ${saved.version} is saved; molva llm prompt activate ${name} ${saved.version} puts it to use.`,
      );
    });

  changing(command, "activate", "use a version from the next call on")
    .argument("<name>", "which prompt")
    .argument("<version>", "its number", countOf)
    .action(async (name: string, version: number, options: Common) => {
      const active = await withGateway(terminal, options, (deps, workspaceId) =>
        activatePrompt(deps, workspaceId, name, version, byOf(options)),
      );
      print(terminal, options, active, () => `${name} version ${active.version} is active.`);
    });
}

const promptTable = table<PromptView>("No prompts.", {
  name: ({ name }) => name,
  version: ({ version }) => String(version),
  state: ({ active }) => (active ? "active" : "not active"),
  from: ({ source }) => source,
  saved: ({ created_at }) => moment(created_at),
});
