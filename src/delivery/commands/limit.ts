import { InvalidArgumentError } from "commander";
import {
  type AddCommand,
  addList,
  administer,
  byOf,
  type Common,
  changing,
  checked,
  deleting,
  moment,
  print,
  printDeleted,
  table,
} from "../../terminal/index.ts";
import {
  deleteLimit,
  keySchema,
  type Limit,
  limitChange,
  limitPage,
  platformSchema,
  setLimit,
} from "../admin/index.ts";

/** `molva limit list|set|delete`. */
export const addLimitCommand: AddCommand = (program, terminal) => {
  const command = program.command("limit").description("what the channels of a rate group may send together");

  addList<Limit>(command, terminal, {
    about: "limits by platform and group",
    page: ({ sql }, workspaceId, options) => limitPage(sql, workspaceId, options),
    shown: table("No limits.", {
      platform: ({ platform }) => platform,
      group: ({ rate_group }) => rate_group,
      "per second": ({ rate_rps }) => (rate_rps ? String(rate_rps) : "no limit"),
      channels: ({ channels }) => String(channels),
      "cools down until": ({ cooldown_until }) => moment(cooldown_until),
    }),
  });

  changing(command, "set", "set the limit of a group")
    .argument("<platform>", "whose limit it is")
    .argument("<rate_group>", "the group")
    .argument("<rate>", "requests a second, or none", rateOf)
    .action(async (name: string, group: string, rate: number | null, options: Common) => {
      const limitKey = keyOf(name, group);
      const { rate_rps } = checked(limitChange, { rate_rps: rate });
      const limit = await administer(terminal, options, (deps, workspaceId) =>
        setLimit(deps, workspaceId, limitKey, rate_rps, byOf(options)),
      );
      print(terminal, options, limit, () =>
        limit.rate_rps
          ? `${limit.platform}/${limit.rate_group}: ${limit.rate_rps} a second.`
          : `${limit.platform}/${limit.rate_group}: no limit.`,
      );
    });

  deleting(command, "forget the limit of a group, which then has none")
    .argument("<platform>", "whose limit it is")
    .argument("<rate_group>", "the group")
    .action(async (name: string, group: string, options: Common) => {
      const limitKey = keyOf(name, group);
      await administer(terminal, options, (deps, workspaceId) =>
        deleteLimit(deps, workspaceId, limitKey, byOf(options), options),
      );
      printDeleted(terminal, options, `${name}/${group}`, `the limit of ${name}/${group}`);
    });
};

function keyOf(platform: string, group: string) {
  return {
    platform: checked(platformSchema, platform, "platform"),
    rate_group: checked(keySchema, group, "rate_group"),
  };
}

function rateOf(typed: string): number | null {
  if (typed === "none") return null;
  if (!/^\d+(\.\d+)?$/.test(typed)) throw new InvalidArgumentError("Give a number, or none.");
  return Number(typed);
}
