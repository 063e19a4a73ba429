import type { Setting } from "./setting.ts";
import { allSettings, type SettingGroup } from "./setting-group.ts";

/** `.env.example`: every setting, commented out, with what it means and its default. */
export function renderEnvExample(groups: readonly SettingGroup[]): string {
  const lines = [
    "# Molva reads these from the environment, or from a file named .env in the folder it is started in.",
    "# Made by `npm run generate` from src/kernel/config/settings-*.ts, src/platforms/*/settings.ts and the environment.ts of each module; change those, not this file.",
    "# A name marked (secret) may also be given as NAME_FILE: the path of a file that holds the value.",
  ];
  for (const [group, members] of byHeading(groups)) {
    lines.push("", `## ${group}`);
    for (const [name, setting] of members) {
      lines.push("", `# ${setting.about.en}${setting.secret ? " (secret)" : ""}`, `# ${setting.about.ru}`);
      if (setting.alias) lines.push(`# Also: ${setting.alias}`);
      lines.push(`#${name}=${setting.example ?? shown(setting) ?? ""}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** `docs/reference/config.md`. */
export function renderConfigReference(groups: readonly SettingGroup[]): string {
  const lines = [
    "# Settings",
    "",
    "Molva reads its settings from the environment, or from a `.env` file in the folder it is started in; the environment",
    "wins. `molva config check` lists every error at once. A secret may also come as `NAME_FILE`, the path of a file.",
    "",
    "Made by `npm run generate` from `src/kernel/config/settings-*.ts`, `src/platforms/*/settings.ts` and the `environment.ts` of each module.",
  ];
  for (const [group, members] of byHeading(groups)) {
    lines.push("", `## ${group}`, "", "| Name | Default | Meaning |", "| --- | --- | --- |");
    for (const [name, setting] of members) {
      const fallback = setting.shownFallback ?? shown(setting);
      const meaning = `${setting.about.en}<br>${setting.about.ru}${setting.secret ? "<br>Secret." : ""}${setting.alias ? `<br>Also \`${setting.alias}\`.` : ""}`;
      lines.push(`| \`${name}\` | ${fallback === undefined ? "" : `\`${fallback}\``} | ${meaning} |`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function byHeading(from: readonly SettingGroup[]): Map<string, [string, Setting][]> {
  const headings = new Map<string, [string, Setting][]>();
  for (const [name, setting] of allSettings(from)) {
    headings.set(setting.group, [...(headings.get(setting.group) ?? []), [name, setting]]);
  }
  return headings;
}

function shown(setting: Setting): string | undefined {
  return setting.fallback === undefined ? undefined : String(setting.fallback);
}
