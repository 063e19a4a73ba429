import type { Command } from "commander";
import {
  addList,
  administer,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  fieldsHelp,
  moment,
  type Paged,
  print,
  reading,
  shown,
  table,
  withCore,
} from "../../terminal/index.ts";
import { seoParts } from "../parts.ts";
import { meet, readUser, setNotifications, userPage } from "../people/people.ts";
import { notificationChanges, notificationFields, type SeoUser } from "../people/shape.ts";
import { userIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface AddOptions extends Common {
  readonly name?: string;
  readonly referrer?: number;
}

/** `molva seo user list|show|add|set`. */
export const addUsers: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("user").description("people, with their balances and switches");
  addList<SeoUser, Paged>(command, terminal, {
    about: "people, the newest first",
    page: ({ sql }, workspaceId, options) => userPage(sql, workspaceId, options),
    shown: table("Nobody has come yet.", {
      user: ({ id }) => String(id),
      name: ({ first_name, username }) => first_name ?? username ?? "",
      balance: ({ balance }) => String(balance),
      role: ({ role }) => role,
      since: ({ created_at }) => moment(created_at),
    }),
  });
  withUser(reading(command, "show", "one person")).action(async (userId: number, options: Common) => {
    const user = await administer(terminal, options, ({ sql }, workspaceId) =>
      readUser(sql, { workspaceId, userId }),
    );
    print(terminal, options, user, () => shown(user));
  });
  withUser(changing(command, "add", "create a person with the welcome bonus; one who is there stays"))
    .option("--name <text>", "the first name")
    .option("--referrer <id>", "who brought them: a Telegram id", userIn)
    .action(async (userId: number, options: AddOptions) => {
      const { user, isNew } = await withCore(terminal, options, (core, workspaceId) =>
        meet(
          seoParts(core),
          { workspaceId, userId },
          { firstName: options.name, referrerId: options.referrer },
        ),
      );
      print(terminal, options, { ...user, is_new: isNew }, () =>
        isNew ? `${userId} is there now, with ${user.balance} tokens.` : `${userId} was there already.`,
      );
    });
  withUser(changing(command, "set", "switch notifications"))
    .argument("<fields...>", "field=value")
    .addHelpText("after", fieldsHelp(notificationFields.shape))
    .action(async (userId: number, typed: string[], options: Common) => {
      const changes = checked(notificationChanges, assigned(notificationFields.partial(), typed));
      const user = await administer(terminal, options, (deps, workspaceId) =>
        setNotifications(deps, { workspaceId, userId }, changes, byOf(options)),
      );
      print(terminal, options, user, () => shown(user));
    });
};

const withUser = (command: Command) => command.argument("<user>", "the person's Telegram id", userIn);
