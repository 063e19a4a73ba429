import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

/** `.env.example`: every setting, commented out, with what it means and its default. */
export function renderEnvExample(): string {
  const lines = [
    "# Molva reads these from the environment, or from a file named .env in the folder it is started in.",
    "# Made by `npm run generate` from src/kernel/config/settings-*.ts; change those files, not this one.",
    "# A name marked (secret) may also be given as NAME_FILE: the path of a file that holds the value.",
  ];
  for (const [group, members] of byGroup()) {
    lines.push("", `## ${group}`);
    for (const [name, setting] of members) {
      lines.push("", `# ${setting.about.en}${setting.secret ? " (secret)" : ""}`, `# ${setting.about.ru}`);
      lines.push(`#${name}=${setting.example ?? shown(setting) ?? ""}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** `docs/reference/config.md`. */
export function renderConfigReference(): string {
  const lines = [
    "# Settings",
    "",
    "Molva reads its settings from the environment, or from a `.env` file in the folder it is started in; the environment",
    "wins. `molva config check` lists every fault at once. A secret may also come as `NAME_FILE`, the path of a file.",
    "",
    "Made by `npm run generate` from `src/kernel/config/settings-*.ts`.",
  ];
  for (const [group, members] of byGroup()) {
    lines.push("", `## ${group}`, "", "| Name | Default | Meaning |", "| --- | --- | --- |");
    for (const [name, setting] of members) {
      const fallback = setting.shownFallback ?? shown(setting);
      const meaning = `${setting.about.en}<br>${setting.about.ru}${setting.secret ? "<br>Secret." : ""}`;
      lines.push(`| \`${name}\` | ${fallback === undefined ? "" : `\`${fallback}\``} | ${meaning} |`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function byGroup(): Map<string, [string, Setting][]> {
  const groups = new Map<string, [string, Setting][]>();
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    groups.set(setting.group, [...(groups.get(setting.group) ?? []), [name, setting]]);
  }
  return groups;
}

function shown(setting: Setting): string | undefined {
  return setting.fallback === undefined ? undefined : String(setting.fallback);
}
