import { InvalidArgumentError } from "commander";
import {
  type AddCommand,
  addList,
  administer,
  byOf,
  type Common,
  changing,
  checked,
  countOf,
  deleting,
  facts,
  moment,
  print,
  printDeleted,
  reading,
  table,
  textOf,
} from "../../terminal/index.ts";
import {
  activateVersion,
  newVersion,
  readTemplate,
  removeTemplate,
  saveTemplateVersion,
  type Template,
  templatePage,
  templateVersions,
} from "../admin/index.ts";

interface SaveOptions extends Common {
  readonly file: string;
  readonly defaults?: unknown;
  readonly activate?: boolean;
}

/** `molva template list|show|save|activate|delete`. */
export const addTemplateCommand: AddCommand = (program, terminal) => {
  const command = program.command("template").description("how channels' posts are written");

  addList<Template>(command, terminal, {
    about: "templates by name",
    page: ({ sql }, workspaceId, options) => templatePage(sql, workspaceId, options),
    shown: table("No templates.", {
      name: ({ template_id }) => template_id,
      version: ({ version }) => String(version),
      state: ({ active }) => (active ? "active" : "not active"),
      saved: ({ created_at }) => moment(created_at),
    }),
  });

  reading(command, "show", "a template's text and its versions")
    .argument("<name>", "which template")
    .argument("[version]", "a version other than the active one", countOf)
    .action(async (templateId: string, number: number | undefined, options: Common) => {
      const { template, versions } = await administer(terminal, options, async (deps, workspaceId) => ({
        template: await readTemplate(deps.sql, workspaceId, templateId, number),
        versions: await templateVersions(deps.sql, workspaceId, templateId),
      }));
      print(terminal, options, { ...template, versions }, () =>
        [
          facts([
            ["template", template.template_id],
            ["version", `${template.version}${template.active ? " (active)" : ""}`],
            ["of", versions.map(({ version }) => version).join(", ")],
            ["defaults", JSON.stringify(template.defaults)],
            ["saved", moment(template.created_at)],
          ]),
          "",
          template.body,
        ].join("\n"),
      );
    });

  changing(command, "save", "store a text as the next version")
    .argument("<name>", "which template")
    .requiredOption("--file <path>", "the text, in Liquid; - reads standard input")
    .option("--defaults <json>", "values for fields that a post does not have", jsonOf)
    .option("--activate", "write posts by it from now on")
    .action(async (template_id: string, options: SaveOptions) => {
      const { defaults, activate } = options;
      const given = { template_id, body: await textOf(options.file), defaults, activate };
      const { reason: _, ...version } = checked(newVersion, given);
      const saved = await administer(terminal, options, (deps, workspaceId) =>
        saveTemplateVersion(deps, workspaceId, version, byOf(options)),
      );
      print(terminal, options, saved, () =>
        saved.active
          ? `${template_id} version ${saved.version} is saved and active.`
          : `${template_id} version ${saved.version} is saved; molva template activate ${template_id} ${saved.version} puts it to use.`,
      );
    });

  changing(command, "activate", "write posts by a version from now on")
    .argument("<name>", "which template")
    .argument("<version>", "its number", countOf)
    .action(async (templateId: string, version: number, options: Common) => {
      const active = await administer(terminal, options, (deps, workspaceId) =>
        activateVersion(deps, workspaceId, templateId, version, byOf(options)),
      );
      print(terminal, options, active, () => `${templateId} version ${active.version} is active.`);
    });

  deleting(command, "delete a template that no channel is written by, with all its versions")
    .argument("<name>", "which template")
    .action(async (templateId: string, options: Common) => {
      await administer(terminal, options, (deps, workspaceId) =>
        removeTemplate(deps, workspaceId, templateId, byOf(options), options),
      );
      printDeleted(terminal, options, templateId);
    });
};

function jsonOf(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    throw new InvalidArgumentError("It is not JSON.");
  }
}
