import type { Command } from "commander";
import {
  type Alert,
  type AlertTarget,
  addAlertTarget,
  alertPage,
  alertTargetChanges,
  alertTargetPage,
  changeAlertTarget,
  deliveryParts,
  idColumns,
  newAlertTarget,
  removeAlertTarget,
  type TargetKind,
  targetConfigs,
  targetKinds,
  testAlertTarget,
} from "../../delivery/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import {
  administer,
  byOf,
  type Common,
  checked,
  explaining,
  inWorkspace,
  shown,
  viewing,
} from "../administer.ts";
import { assigned } from "../assignments.ts";
import { type AddCommand, print, type Terminal } from "../command.ts";
import { deleting, printDeleted } from "../deletion.ts";
import { exitCodes, UserError } from "../failure.ts";
import { columns, moment, shortened } from "../layout.ts";
import { countOf, only, wholeId } from "../lookup.ts";
import { fromFile, secretIn } from "../secret-input.ts";
import { withCore } from "../with-core.ts";

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

  viewing(command.command("list").description("alerts, newest first"))
    .option("--limit <count>", "how many at most", countOf, 20)
    .option("--after <id>", "the `next` of the page before")
    .action(async (options: Common & { limit: number; after?: string }) => {
      const { limit, after } = options;
      const page = await administer(terminal, options, async ({ sql }, workspaceId) => {
        const last = after && (await wholeId(sql, workspaceId, idColumns.alert, after));
        return alertPage(sql, workspaceId, { limit, after: last });
      });
      print(terminal, options, page, () =>
        [alertsText(page.items), ...(page.next ? [`More: --after ${page.next}`] : [])].join("\n"),
      );
    });

  const target = command.command("target").description("chats, webhooks and mailboxes that alerts go to");
  addList(target, terminal);
  addShow(target, terminal);
  addAdd(target, terminal);
  addSet(target, terminal);
  addRemove(target, terminal);
  addTest(target, terminal);
};

function addList(parent: Command, terminal: Terminal): void {
  viewing(parent.command("list").description("targets, oldest first")).action(async (options: Common) => {
    const items = await administer(terminal, options, ({ sql }, workspaceId) =>
      everyTarget(sql, workspaceId),
    );
    print(terminal, options, { items }, () => targetsText(items));
  });
}

function addShow(parent: Command, terminal: Terminal): void {
  viewing(parent.command("show").description("one target; never its secret"))
    .argument("<target>", naming)
    .action(async (typed: string, options: Common) => {
      const found = await administer(terminal, options, ({ sql }, workspaceId) =>
        targetCalled(sql, workspaceId, typed),
      );
      print(terminal, options, found, () => shown(found));
    });
}

function addAdd(parent: Command, terminal: Terminal): void {
  described(inWorkspace(explaining(parent.command("add").description("add somebody whom alerts go to"))))
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
  described(inWorkspace(explaining(parent.command("set").description("change a target"))))
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
  viewing(parent.command("test").description("send a test and say whether it arrived"))
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
  const all = await everyTarget(sql, workspaceId);
  const found = all.filter(({ target_id }) => target_id.startsWith(typed.toLowerCase()));
  return only("alert target", typed, found, targetName);
}

async function everyTarget(sql: Sql, workspaceId: string): Promise<AlertTarget[]> {
  return (await alertTargetPage(sql, workspaceId, { limit: 10_000 })).items;
}

function targetName(target: AlertTarget): string {
  return `${target.target_id}  ${target.kind} ${placeOf(target)}`;
}

function placeOf({ config }: AlertTarget): string {
  return [config.chat_id, config.url, config.to].flat().filter(Boolean).join(", ");
}

function targetsText(items: readonly AlertTarget[]): string {
  if (items.length === 0) return "Nobody is told: molva alert target add.";
  return columns(
    ["ID", "KIND", "STATE", "LANGUAGE", "SENT", "FAILED", "WHERE", "LAST ERROR"],
    items.map((target) => [
      target.target_id,
      target.kind,
      target.enabled ? "on" : "off",
      target.language,
      String(target.sent_count),
      String(target.failed_count),
      placeOf(target),
      shortened(target.last_error ?? "", 60),
    ]),
  );
}

function alertsText(items: readonly Alert[]): string {
  if (items.length === 0) return "No alerts.";
  return columns(
    ["RAISED", "TOLD", "REASONS"],
    items.map(({ created_at, letters, findings }) => [
      moment(created_at),
      letters.length === 0
        ? "nobody"
        : `${letters.filter(({ status }) => status === "sent").length} of ${letters.length}`,
      findings.map(({ reason, count }) => `${reason} (${count})`).join(", "),
    ]),
  );
}
