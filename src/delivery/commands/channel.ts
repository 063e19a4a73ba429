import { type Command, InvalidArgumentError } from "commander";
import { platformNames } from "../../platforms/index.ts";
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
  fieldsHelp,
  type Paged,
  print,
  printDeleted,
  reading,
  shown,
  type Terminal,
  table,
  withCore,
} from "../../terminal/index.ts";
import {
  addChannel,
  type Channel,
  changeChannel,
  channelChanges,
  channelPage,
  deleteChannel,
  newChannel,
} from "../admin/index.ts";
import { deliveryParts } from "../parts.ts";
import { channelCalled, channelName, channelNaming } from "./called.ts";
import { addChannelIndexNow } from "./channel-indexnow.ts";
import { addChannelOperations } from "./channel-operations.ts";
import { addChannelTest } from "./channel-test.ts";

interface AddOptions extends Common {
  readonly auth: string;
  readonly allowDuplicate?: boolean;
}

interface ListOptions extends Paged {
  readonly platform?: string;
  readonly state?: Channel["state"];
  readonly connections?: true | "active" | "error";
  readonly group?: string;
  readonly tag?: string;
  readonly text?: string;
}

/** `molva channel list|show|add|set|test|indexnow|delete` and the runbook's operations. */
export const addChannelCommand: AddCommand = (program, terminal) => {
  const command = program.command("channel").description("where posts go");
  addList<Channel, ListOptions>(command, terminal, {
    about: "channels, oldest first",
    choosing: (list) =>
      list
        .option("--platform <name>", `only of this one: ${platformNames.join(", ")}`)
        .option("--state <state>", "only these: active, paused, disabled", stateOf)
        .option(
          "--connections [state]",
          "only connections of products' users, or only those in one state: active, error",
          connectionsOf,
        )
        .option("--group <rate_group>", "only of this rate group")
        .option("--tag <tag>", "only with this tag")
        .option("--text <part>", "only with this in the title or the target"),
    page: ({ sql, clock }, workspaceId, { state, group, connections, ...query }) =>
      channelPage(
        sql,
        workspaceId,
        {
          ...query,
          rate_group: group,
          ...(state && inState[state]),
          ...(connections && { addressed: true }),
          ...(typeof connections === "string" && { connection: connections }),
        },
        clock.now(),
      ),
    shown: table("No channels.", {
      id: ({ channel_id }) => channel_id,
      platform: ({ platform }) => platform,
      target: ({ target_id }) => target_id,
      state: ({ state, connection }) => (connection?.state === "error" ? "connection error" : state),
      owner: ({ owner }) => (owner ? `${owner.product}/${owner.user}` : ""),
      "per second": ({ rate_rps }) => (rate_rps ? String(rate_rps) : "no limit"),
      group: ({ rate_group }) => rate_group,
      title: ({ title }) => title ?? "",
    }),
  });
  addShow(command, terminal);
  addAdd(command, terminal);
  addSet(command, terminal);
  addChannelTest(command, terminal);
  addChannelIndexNow(command, terminal);
  addChannelOperations(command, terminal);
  addDelete(command, terminal);
};

function addShow(parent: Command, terminal: Terminal): void {
  reading(parent, "show", "everything of one channel")
    .argument("<channel>", channelNaming)
    .action(async (typed: string, options: Common) => {
      const channel = await administer(terminal, options, (deps, workspaceId) =>
        channelCalled(deps, workspaceId, typed),
      );
      print(terminal, options, channel, () => shown(channel));
    });
}

function addAdd(parent: Command, terminal: Terminal): void {
  changing(parent, "add", "add a channel; it takes the next post")
    .argument("<platform>", platformNames.join(", "))
    .argument("<target>", "the chat: its number, @name or link; a person is user:<id>")
    .argument("[field=value...]", "the rest")
    .requiredOption("--auth <name>", "the credential it sends with, as `molva credential list` shows it")
    .option("--allow-duplicate", "also on a chat that has a channel; each post then goes there twice")
    .addHelpText(
      "after",
      fieldsHelp(newChannel.shape, ["platform", "target_id", "auth_ref", "allow_duplicate"]),
    )
    .action(async (platform: string, target_id: string, typed: string[], options: AddOptions) => {
      const { auth: auth_ref, allowDuplicate: allow_duplicate } = options;
      const given = { ...assigned(newChannel, typed), platform, target_id, auth_ref, allow_duplicate };
      const { reason: _, ...fields } = checked(newChannel, given);
      const made = await withCore(terminal, options, (core, workspaceId) =>
        addChannel(deliveryParts(core).messengers, workspaceId, fields, byOf(options)),
      );
      print(terminal, options, made, () => [shown(made), ...stillMissing(made)].join("\n"));
    });
}

function stillMissing({ platform, auth_ref, has_credential, target_id }: Channel): string[] {
  return [
    ...(has_credential
      ? []
      : [`No token is bound to ${auth_ref} yet: molva credential set ${platform} ${auth_ref}`]),
    ...(target_id.startsWith("@")
      ? ["The chat's number is not known yet: it is found at the first test or post."]
      : []),
  ];
}

function addSet(parent: Command, terminal: Terminal): void {
  changing(parent, "set", "change a channel")
    .argument("<channel>", channelNaming)
    .argument("<field=value...>", "what to change; null clears")
    .addHelpText("after", fieldsHelp(channelChanges.shape))
    .action(async (typed: string, fields: string[], options: Common) => {
      const { reason: _, ...changes } = checked(channelChanges, assigned(channelChanges, fields));
      const changed = await withCore(terminal, options, async (core, workspaceId) => {
        const { channel_id } = await channelCalled(core, workspaceId, typed);
        return changeChannel(deliveryParts(core).messengers, workspaceId, channel_id, changes, byOf(options));
      });
      print(terminal, options, changed, () => shown(changed));
    });
}

function addDelete(parent: Command, terminal: Terminal): void {
  deleting(parent, "delete a channel with its deliveries")
    .argument("<channel>", channelNaming)
    .option("--force", "call off what still waits for it")
    .action(async (typed: string, options: Common & { force?: boolean }) => {
      const { dryRun = false, force = false } = options;
      const channel = await administer(terminal, options, async (deps, workspaceId) => {
        const found = await channelCalled(deps, workspaceId, typed);
        await deleteChannel(deps, workspaceId, found.channel_id, byOf(options), { force, dryRun });
        return found;
      });
      printDeleted(terminal, options, channel.channel_id, channelName(channel));
    });
}

const inState = {
  active: { enabled: true, paused: false },
  paused: { enabled: true, paused: true },
  disabled: { enabled: false },
} as const;

function connectionsOf(typed: string): "active" | "error" {
  if (typed === "active" || typed === "error") return typed;
  throw new InvalidArgumentError("Give active or error, or nothing for both.");
}

function stateOf(typed: string): Channel["state"] {
  if (typed === "active" || typed === "paused" || typed === "disabled") return typed;
  throw new InvalidArgumentError("Give active, paused or disabled.");
}
