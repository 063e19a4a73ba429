import type { Command } from "commander";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  addList,
  administer,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  deleting,
  exitCodes,
  fromFile,
  moment,
  only,
  print,
  printDeleted,
  reading,
  secretIn,
  shortened,
  shown,
  type Terminal,
  table,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import {
  type Alert,
  type AlertTarget,
  addAlertTarget,
  alertPage,
  alertTargetChanges,
  alertTargetPage,
  changeAlertTarget,
  newAlertTarget,
  removeAlertTarget,
  testAlertTarget,
} from "../admin/index.ts";
import { type TargetKind, targetConfigs, targetKinds } from "../monitor/targets/configs.ts";
import { deliveryParts } from "../parts.ts";

interface TargetOptions extends Common {
  readonly secretFile?: string;
  readonly secretEnv?: string;
  readonly language?: string;
  readonly enabled?: string;
}

const naming = "its id or the beginning of it";

/** `molva alert list` and `molva alert target list|show|add|set|remove|test`. */
export const addAlert: AddCommand = (program, terminal) => {
  const command = program.command("alert").description("what people were told, and who they are");

  addList<Alert>(command, terminal, {
    about: "alerts, newest first",
    usual: 20,
    page: ({ sql }, workspaceId, options) => alertPage(sql, workspaceId, options),
    shown: table("No alerts.", {
      raised: ({ created_at }) => moment(created_at),
      told: ({ letters }) =>
        letters.length === 0
          ? "nobody"
          : `${letters.filter(({ status }) => status === "sent").length} of ${letters.length}`,
      reasons: ({ findings }) => findings.map(({ reason, count }) => `${reason} (${count})`).join(", "),
    }),
  });

  const target = command.command("target").description("chats, webhooks and mailboxes that alerts go to");
  addList<AlertTarget>(target, terminal, {
    about: "targets, oldest first",
    page: ({ sql }, workspaceId, options) => alertTargetPage(sql, workspaceId, options),
    shown: table("Nobody is told: molva alert target add.", {
      id: ({ target_id }) => target_id,
      kind: ({ kind }) => kind,
      state: ({ enabled }) => (enabled ? "on" : "off"),
      language: ({ language }) => language,
      sent: ({ sent_count }) => String(sent_count),
      failed: ({ failed_count }) => String(failed_count),
      where: placeOf,
      "last error": ({ last_error }) => shortened(last_error ?? "", 60),
    }),
  });
  addShow(target, terminal);
  addAdd(target, terminal);
  addSet(target, terminal);
  addRemove(target, terminal);
  addTest(target, terminal);
};

function addShow(parent: Command, terminal: Terminal): void {
  reading(parent, "show", "one target; never its secret")
    .argument("<target>", naming)
    .action(async (typed: string, options: Common) => {
      const found = await administer(terminal, options, ({ sql }, workspaceId) =>
        targetCalled(sql, workspaceId, typed),
      );
      print(terminal, options, found, () => shown(found));
    });
}

function addAdd(parent: Command, terminal: Terminal): void {
  described(changing(parent, "add", "add somebody whom alerts go to"))
    .argument("<kind>", targetKinds.join(", "))
    .argument(
      "<field=value...>",
      "as in chat_id=-1001234567890, url=https://example.com/hook or to=ops@example.com",
    )
    .addHelpText("after", fieldsByKind())
    .action(async (named: string, typed: string[], options: TargetOptions) => {
      const kind = kindOf(named);
      const given = { kind, config: assigned(targetConfigs[kind], typed), ...(await givenBeside(options)) };
      const fields = checked(newAlertTarget, given);
      const made = await withCore(terminal, options, (core, workspaceId) =>
        addAlertTarget(core, workspaceId, fields, byOf(options)),
      );
      print(terminal, options, made, () =>
        [shown(made), `Try it: molva alert target test ${made.target_id}`].join("\n"),
      );
    });
}

function addSet(parent: Command, terminal: Terminal): void {
  described(changing(parent, "set", "change a target"))
    .argument("<target>", naming)
    .argument("[field=value...]", "what to change of its configuration; null clears")
    .option("--enabled <yes|no>", "whether it is told")
    .addHelpText("after", fieldsByKind())
    .action(async (typed: string, fields: string[], options: TargetOptions) => {
      const beside = await givenBeside(options);
      const changed = await withCore(terminal, options, async (core, workspaceId) => {
        const { target_id, kind } = await targetCalled(core.sql, workspaceId, typed);
        const config = fields.length > 0 ? { config: assigned(targetConfigs[kind], fields) } : {};
        const { reason: _, ...changes } = checked(alertTargetChanges, { ...config, ...beside });
        return changeAlertTarget(core, workspaceId, target_id, changes, byOf(options));
      });
      print(terminal, options, changed, () => shown(changed));
    });
}

function addRemove(parent: Command, terminal: Terminal): void {
  deleting(parent, "tell it nothing any more, and forget its secret", "remove")
    .argument("<target>", naming)
    .action(async (typed: string, options: Common) => {
      const found = await administer(terminal, options, async (deps, workspaceId) => {
        const target = await targetCalled(deps.sql, workspaceId, typed);
        await removeAlertTarget(deps, workspaceId, target.target_id, byOf(options), options);
        return target;
      });
      printDeleted(terminal, options, found.target_id, targetName(found));
    });
}

function addTest(parent: Command, terminal: Terminal): void {
  reading(parent, "test", "send a test and say whether it arrived")
    .argument("<target>", naming)
    .action(async (typed: string, options: Common) => {
      const { target, result } = await withCore(terminal, options, async (core, workspaceId) => {
        const found = await targetCalled(core.sql, workspaceId, typed);
        const { monitoring } = deliveryParts(core);
        return { target: found, result: await testAlertTarget(monitoring, workspaceId, found.target_id) };
      });
      if (options.json || result.delivered)
        print(terminal, options, result, () => `${targetName(target)} has it.`);
      if (!result.delivered) throw new UserError(`${targetName(target)} did not get it: ${result.error}`);
    });
}

const described = (command: Command) =>
  command
    .option("--language <ru|en>", "what it is told in; ru unless given")
    .option("--secret-file <path>", `the bot's token, or the webhook's secret: ${fromFile}`)
    .option("--secret-env <NAME>", "a variable of every server process that holds it: MOLVA_ALERT_…");

async function givenBeside({ secretFile, secretEnv, language, enabled }: TargetOptions) {
  if (secretFile !== undefined && secretEnv !== undefined)
    throw new UserError("Give one of --secret-file and --secret-env.", exitCodes.usage);
  const kept = await secretIn(secretFile);
  return {
    ...(kept !== undefined && { secret: kept }),
    ...(secretEnv !== undefined && { secret_variable: secretEnv }),
    ...(language !== undefined && { language }),
    ...(enabled !== undefined && { enabled: yesOrNo(enabled) }),
  };
}

function yesOrNo(typed: string): boolean {
  if (typed === "yes" || typed === "no") return typed === "yes";
  throw new UserError("--enabled: give yes or no.", exitCodes.usage);
}

function kindOf(typed: string): TargetKind {
  const kind = targetKinds.find((known) => known === typed);
  if (kind) return kind;
  throw new UserError(`There is no kind ${typed}: give ${targetKinds.join(", ")}.`, exitCodes.usage);
}

function fieldsByKind(): string {
  const lines = targetKinds.map((kind) => `  ${kind}: ${Object.keys(targetConfigs[kind].shape).join(", ")}`);
  return ["\nFields:", ...lines].join("\n");
}

async function targetCalled(sql: Sql, workspaceId: string, typed: string): Promise<AlertTarget> {
  const { items } = await alertTargetPage(sql, workspaceId, { limit: 10_000 });
  const found = items.filter(({ target_id }) => target_id.startsWith(typed.toLowerCase()));
  return only("alert target", typed, found, targetName);
}

function targetName(target: AlertTarget): string {
  return `${target.target_id}  ${target.kind} ${placeOf(target)}`;
}

function placeOf({ config }: AlertTarget): string {
  return [config.chat_id, config.url, config.to].flat().filter(Boolean).join(", ");
}
