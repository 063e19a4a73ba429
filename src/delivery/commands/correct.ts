import { type Command, Option } from "commander";
import {
  type AddCommand,
  addList,
  configOf,
  counted,
  inWorkspace,
  justifying,
  moment,
  type Paged,
  print,
  rehearsable,
  shortened,
  type Terminal,
  table,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import type { Core } from "../../workspaces/index.ts";
import {
  type CorrectDeps,
  type Corrected,
  correct,
  correctionActions,
  withdraw,
} from "../corrections/correct.ts";
import {
  type Correction,
  type CorrectionFilter,
  correctionStatuses,
  listCorrections,
} from "../corrections/correction.ts";
import type { Scope } from "../corrections/targets.ts";
import { leasesOf } from "../environment.ts";
import { channelWords } from "../read/channel-name.ts";
import { deliveryOf, messageOf } from "./called.ts";
import { actOf, type Change } from "./delivery-act.ts";
import { type PostFile, postIn, takingPost } from "./post-file.ts";

/** What kind of thing is corrected, and how its id is read. */
export interface Corrigible {
  readonly what: "post" | "delivery";
  scopeOf(core: Core, workspaceId: string, typed: string): Promise<Scope>;
}

export const aPost: Corrigible = {
  what: "post",
  scopeOf: async ({ sql }, workspaceId, typed) => ({ message_id: await messageOf(sql, workspaceId, typed) }),
};

export const aDelivery: Corrigible = {
  what: "delivery",
  scopeOf: async ({ sql }, workspaceId, typed) => ({
    delivery_ids: [await deliveryOf(sql, workspaceId, typed)],
  }),
};

/** `molva message|delivery correct <id> [file]` and `withdraw <id>`. */
export function addCorrections(parent: Command, terminal: Terminal, { what, scopeOf }: Corrigible): void {
  const where = what === "post" ? "in all its channels" : "in its channel";
  const id = `the ${what}'s id, or enough of its beginning`;
  const correcting = parent
    .command("correct")
    .description(
      `make a ${what} that was sent read otherwise, ${where}; what waits goes out in the new words`,
    )
    .argument("<id>", id);
  changing(takingPost(correcting)).action(async (typed: string, file: string, options: Change & PostFile) => {
    const post = await postIn(file, options);
    const done = await withCore(terminal, options, async (core, workspaceId) =>
      correct(depsOf(core), workspaceId, await scopeOf(core, workspaceId, typed), post, actOf(options)),
    );
    report(terminal, options, done, "correct it");
  });

  const withdrawing = parent
    .command("withdraw")
    .description(`take a ${what} back, ${where}; what waits is called off`)
    .argument("<id>", id);
  changing(withdrawing).action(async (typed: string, options: Change) => {
    const done = await withCore(terminal, options, async (core, workspaceId) =>
      withdraw(depsOf(core), workspaceId, await scopeOf(core, workspaceId, typed), actOf(options)),
    );
    report(terminal, options, done, "take it back");
  });
}

/** `molva correction list`: the progress of corrections. */
export const addCorrection: AddCommand = (program, terminal) => {
  const correction = program
    .command("correction")
    .description("follow what is done to posts after they were sent");
  addList<Correction, Chosen>(correction, terminal, {
    about: "corrections, newest first",
    usual: 50,
    choosing: (list) =>
      list
        .option("--message <id>", "only of this post")
        .option("--delivery <id>", "only of this delivery")
        .addOption(new Option("--status <status...>", "only in these statuses").choices(correctionStatuses)),
    page: async ({ sql, clock }, workspaceId, { message, delivery, status, limit, after }) => {
      const filter: CorrectionFilter = {
        message_id: message && (await messageOf(sql, workspaceId, message)),
        delivery_id: delivery && (await deliveryOf(sql, workspaceId, delivery)),
        status,
      };
      const leases = leasesOf({ config: configOf(terminal) });
      return listCorrections(sql, workspaceId, { ...filter, limit, after }, clock.now(), leases);
    },
    shown: table("No corrections.", {
      id: ({ id }) => id,
      what: ({ kind, number }) => `${kind} ${number}`,
      status: ({ status, why }) => (status === why.reason ? status : `${status}, ${why.reason}`),
      tries: ({ attempt }) => String(attempt),
      channel: ({ channel }) => shortened(channelWords(channel), 40),
      since: ({ created_at }) => moment(created_at),
      says: ({ error, snippet }) =>
        shortened(error ? `${error.code}: ${error.message}` : (snippet ?? ""), 60),
    }),
  });
};

interface Chosen extends Paged {
  readonly message?: string;
  readonly delivery?: string;
  readonly status?: Correction["status"][];
}

const changing = (command: Command) => rehearsable(inWorkspace(justifying(command)));

const depsOf = ({ sql, clock, platforms, credentials, http }: Core): CorrectDeps => ({
  ...{ sql, clock, platforms, credentials },
  providers: http,
});

/** One line per channel; a correction that was possible in no channel is an error. */
function report(terminal: Terminal, options: Change, done: Corrected, verb: string): void {
  const { changed, refused, items, dry_run } = done;
  print(terminal, options, done, () =>
    [
      ...items.map(({ channel, action, code, detail, losses, delivery_id }) =>
        [
          `${channelWords(channel)}: ${detail ? `${action === "refused" ? "cannot" : "no need"}: ${detail} (${code})` : correctionActions[action]}`,
          ...(losses.length > 0 ? [`  lost there: ${losses.join(", ")}`] : []),
          `  ${delivery_id}`,
        ].join("\n"),
      ),
      items.length === 0
        ? "It was never sent anywhere; nothing was changed."
        : `${dry_run ? `Would ${verb}` : `Set out to ${verb}`} in ${counted(changed, "channel")}${refused > 0 ? `; ${counted(refused, "channel")} cannot` : ""}.${dry_run ? " Nothing was changed." : changed > 0 ? " Follow it: molva correction list" : ""}`,
    ].join("\n"),
  );
  if (items.length > 0 && changed === 0 && refused > 0)
    throw new UserError(`No channel lets Molva ${verb}: the reasons are above.`);
}
