import type { Command } from "commander";
import {
  addList,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  counted,
  countOf,
  exitCodes,
  explaining,
  fieldsHelp,
  inWorkspace,
  moment,
  print,
  reading,
  shortened,
  type Terminal,
  table,
  textOf,
  UserError,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { ruleOfText } from "../rules/read-rule.ts";
import type { Release } from "../rules/releases.ts";
import { ruleEntry } from "../rules/rule-file-schema.ts";
import { activateRule, listRules, readRule, removeRule, ruleVersions, saveRule } from "../rules/rules.ts";
import type { RuleRow } from "../work/load-bot.ts";
import { withBot } from "./with-bot.ts";

interface Changing extends Common {
  readonly force?: boolean;
}

const forcible = (command: Command) =>
  inWorkspace(explaining(command)).option("--force", "also when an example dialogue does not go as written");

/** `molva bot rule list|show|save|activate|remove`: one rule at a time. */
export function addBotRule(bot: Command, terminal: Terminal): void {
  const command = bot.command("rule").description("one rule at a time");

  addList<RuleRow>(command, terminal, {
    about: "rules in force, in the order in which they are looked at",
    page: async ({ sql }, workspaceId, options) => pageOfAll(await listRules(sql, workspaceId), options),
    shown: ruleTable,
  });

  reading(command, "show", "every version of a rule")
    .argument("<rule>", "its id")
    .action(async (ruleId: string, options: Common) => {
      const versions = await withBot(terminal, options, ({ sql }, workspaceId) =>
        ruleVersions(sql, workspaceId, ruleId),
      );
      print(terminal, options, { versions }, () =>
        versions
          .map(({ version, enabled, created_at, pattern, response_template }) =>
            [
              `version ${version}${enabled ? " (in force)" : ""}, ${moment(created_at)}`,
              pattern.keywords.join(", "),
              response_template,
            ].join("\n"),
          )
          .join("\n\n"),
      );
    });

  forcible(command.command("save").description("save a rule as its next version and put it in force"))
    .argument("<rule>", "its id; a new one makes a new rule")
    .argument("[field=value...]", "what changes; what is not named stays")
    .option("--file <path>", "the whole rule in YAML instead, as in the rule file; - reads standard input")
    .addHelpText("after", fieldsHelp(ruleEntry.shape, ["id"]))
    .action(async (ruleId: string, typed: string[], options: Changing & { file?: string }) => {
      if ((options.file === undefined) === (typed.length === 0))
        throw new UserError(
          "Give what changes as field=value, or the whole rule with --file.",
          exitCodes.usage,
        );
      const text = options.file === undefined ? undefined : await textOf(options.file);
      const release = await withBot(terminal, options, async (deps, workspaceId) => {
        const given =
          text === undefined
            ? { ...(await readRule(deps.sql, workspaceId, ruleId)), ...assigned(ruleEntry, typed) }
            : ruleOfText(text);
        if (given.id !== undefined && given.id !== ruleId)
          throw new UserError(`The rule is called ${String(given.id)}, not ${ruleId}.`, exitCodes.usage);
        const entry = checked(ruleEntry, { ...withoutNulls(given), id: ruleId });
        return saveRule(deps, workspaceId, entry, byOf(options), { force: options.force });
      });
      print(terminal, options, release, () => `${ruleId}@${release.rules[ruleId]}. ${inForce(release)}`);
    });

  forcible(command.command("activate").description("put another version of a rule in force"))
    .argument("<rule>", "its id")
    .argument("<version>", "its number", countOf)
    .action(async (ruleId: string, version: number, options: Changing) => {
      const release = await withBot(terminal, options, (deps, workspaceId) =>
        activateRule(deps, workspaceId, ruleId, version, byOf(options), { force: options.force }),
      );
      print(terminal, options, release, () => inForce(release));
    });

  changing(command, "remove", "take a rule out of force; its versions stay")
    .argument("<rule>", "its id")
    .action(async (ruleId: string, options: Common) => {
      const release = await withBot(terminal, options, (deps, workspaceId) =>
        removeRule(deps, workspaceId, ruleId, byOf(options), { force: true }),
      );
      print(terminal, options, release, () => inForce(release));
    });
}

export function inForce({ release, rules }: Release): string {
  return `Release ${release} is in force: ${counted(Object.keys(rules).length, "rule")}.`;
}

/** `state=null` on the command line: the rule has none from now on. */
function withoutNulls(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

const ruleTable = table<RuleRow>("No rules.", {
  rule: ({ rule_id }) => rule_id,
  version: ({ version }) => String(version),
  priority: ({ priority }) => String(priority),
  state: ({ state, interrupts }) => state ?? (interrupts ? "(any)" : ""),
  "leads to": ({ action, next_state }) => (action === "escalate" ? "operator" : (next_state ?? "")),
  keywords: ({ pattern }) => shortened(pattern.keywords.join(", "), 60),
});
