import { type Command, Option } from "commander";
import { z } from "zod";
import {
  assigned,
  byOf,
  changing,
  checked,
  fieldsHelp,
  print,
  reading,
  shown,
} from "../../terminal/index.ts";
import { changeSettings, readSettings, resetSettings } from "../settings/settings.ts";
import {
  type ContentSettings,
  imageChanges,
  type PlatformType,
  platformTypes,
  textChanges,
} from "../settings/shape.ts";
import { asPerson, type ForPerson, forPerson, idIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface SettingsOptions extends ForPerson {
  readonly platform?: PlatformType;
}

const both = z.strictObject({ ...imageChanges.shape, ...textChanges.shape });

/** `molva seo settings show|set|reset`. */
export const addSettings: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("settings").description("how texts and pictures of a category are made");
  onPlatform(reading(command, "show", "the settings that hold, and where they come from"))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: SettingsOptions) => {
      const settings = await asPerson(terminal, options, ({ sql }, whose) =>
        readSettings(sql, whose, id, options.platform),
      );
      print(terminal, options, settings, () => settingsText(settings));
    });
  onPlatform(changing(command, "set", "change settings; the others stay"))
    .argument("<category>", "its number", idIn)
    .argument("<fields...>", "field=value")
    .addHelpText("after", fieldsHelp(both.shape))
    .action(async (id: number, typed: string[], options: SettingsOptions) => {
      const given = checked(both, assigned(both, typed));
      const image = partOf(given, Object.keys(imageChanges.shape));
      const text = partOf(given, Object.keys(textChanges.shape));
      const changes = {
        ...(image && { image: imageChanges.parse(image) }),
        ...(text && { text: textChanges.parse(text) }),
      };
      const settings = await asPerson(terminal, options, (deps, whose) =>
        changeSettings(deps, whose, id, options.platform, changes, byOf(options)),
      );
      print(terminal, options, settings, () => settingsText(settings));
    });
  onPlatform(changing(command, "reset", "back to inherited settings"))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: SettingsOptions) => {
      const settings = await asPerson(terminal, options, (deps, whose) =>
        resetSettings(deps, whose, id, options.platform, byOf(options)),
      );
      print(terminal, options, settings, () => settingsText(settings));
    });
};

const onPlatform = (command: Command) =>
  forPerson(command).addOption(
    new Option("--platform <name>", "of one platform; of the category unless given").choices([
      ...platformTypes,
    ]),
  );

function partOf(given: object, names: readonly string[]): object | undefined {
  const entries = Object.entries(given).filter(([name]) => names.includes(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function settingsText({ image, text, image_from, text_from }: ContentSettings): string {
  return [`Pictures (from: ${image_from})`, shown(image), "", `Text (from: ${text_from})`, shown(text)].join(
    "\n",
  );
}
