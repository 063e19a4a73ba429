import { allSettings, renderEnvExample } from "../../kernel/config/index.ts";
import { generateKey } from "../../kernel/crypto/index.ts";
import { type AddCommand, configOf, print, type Terminal } from "../../terminal/index.ts";

/** `molva config check|example|key`. */
export const addConfig: AddCommand = (program, terminal) => {
  const command = program.command("config").description("look at the settings");

  command
    .command("check")
    .description("read every setting, list every error at once (exit code 2)")
    .option("--json", "one line of JSON")
    .action((options: { json?: boolean }) => {
      const shown = shownSettings(terminal);
      print(terminal, options, { ok: true, settings: shown }, () => {
        const width = Math.max(...shown.map(({ name }) => name.length));
        return shown
          .map(
            ({ name, value, from }) =>
              `${name.padEnd(width)}  ${value || "–"}${from === "default" ? "  (default)" : ""}`,
          )
          .join("\n");
      });
    });

  command
    .command("example")
    .description("print a commented .env file")
    .action(() => terminal.out(renderEnvExample(terminal.settings).trimEnd()));

  command
    .command("key")
    .description("make an encryption key for MOLVA_ENCRYPTION_KEYS or MOLVA_BACKUP_KEY")
    .action(() => terminal.out(generateKey()));
};

interface ShownSetting {
  readonly name: string;
  readonly value: string | null;
  readonly from: "environment" | "default";
}

function shownSettings(terminal: Terminal): ShownSetting[] {
  const config: Readonly<Record<string, unknown>> = configOf(terminal);
  return allSettings(terminal.settings).map(([name, { secret }]) => {
    const set = Boolean(terminal.environment[name]?.trim() || terminal.environment[`${name}_FILE`]?.trim());
    const value = config[name];
    return {
      name,
      value: value === undefined ? null : secret ? "(set, not shown)" : textOf(value),
      from: set ? "environment" : "default",
    };
  });
}

/** The format of an .env file: lists with commas, policies as pairs. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}=${textOf(part)}`)
    .join(",");
}
