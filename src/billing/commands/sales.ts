import { type Command, InvalidArgumentError, Option } from "commander";
import {
  administer,
  byOf,
  type Common,
  checked,
  inWorkspace,
  justifying,
  moment,
  type Paged,
  paging,
  print,
  printPage,
  type Terminal,
  table,
  viewing,
  withCore,
} from "../../terminal/index.ts";
import { reason } from "../../workspaces/index.ts";
import { paymentProviders } from "../parts.ts";
import { userId } from "../people/shape.ts";
import { cancelSubscription } from "../sales/cancel.ts";
import { paymentPage } from "../sales/payments.ts";
import { refund } from "../sales/refund.ts";
import { type Payment, paymentStates, type Subscription, subscriptionStates } from "../sales/shape.ts";
import { subscriptionPage } from "../sales/subscriptions.ts";

/** `molva billing payments|refund|subscriptions|cancel`. */
export function addSales(parent: Command, terminal: Terminal): void {
  addPayments(parent, terminal);
  addRefund(parent, terminal);
  addSubscriptions(parent, terminal);
  addCancel(parent, terminal);
}

interface PaymentsOptions extends Paged {
  readonly status?: Payment["status"];
  readonly provider?: string;
  readonly user?: string;
  readonly faulty?: boolean;
}

function addPayments(parent: Command, terminal: Terminal): void {
  paging(viewing(parent.command("payments").description("what was paid, the newest first")))
    .addOption(new Option("--status <state>", "only in this state").choices([...paymentStates]))
    .addOption(new Option("--provider <name>", "only by this provider").choices(["stars", "yookassa"]))
    .option("--user <id>", "only of this person")
    .option("--faulty", "only money that came and was not credited")
    .action(async ({ user, ...options }: PaymentsOptions) => {
      const user_id = user === undefined ? undefined : checked(userId, user, "--user");
      const page = await administer(terminal, options, ({ sql }, workspaceId) =>
        paymentPage(sql, workspaceId, { ...options, user_id }),
      );
      printPage(terminal, options, page, paymentTable);
    });
}

interface RefundOptions extends Common {
  readonly reason: string;
  readonly amount?: number;
}

function addRefund(parent: Command, terminal: Terminal): void {
  const described = parent
    .command("refund")
    .description("give money back, and take the tokens that go with it");
  inWorkspace(justifying(described))
    .argument(
      "<payment>",
      "the number of the payment, as molva billing payments shows it",
      numberIn("payments"),
    )
    .option("--amount <money>", "only so much of it, in its currency; Stars go back as a whole", moneyIn)
    .action(async (paymentId: number, options: RefundOptions) => {
      const by = { ...byOf(options), reason: checked(reason, options.reason, "--reason") };
      const { amount } = options;
      const done = await withCore(terminal, options, (core, workspaceId) =>
        refund({ ...core, providers: paymentProviders(core) }, workspaceId, { paymentId, amount }, by),
      );
      const { payment, balance } = done;
      print(terminal, options, done, () =>
        [
          `${payment.refunded} of ${payment.amount} ${payment.currency} of payment ${payment.id} have gone back`,
          ...(balance === null ? [] : [`${payment.user_id} has ${balance} tokens now`]),
        ].join("; "),
      );
    });
}

interface SubscriptionsOptions extends Paged {
  readonly status?: Subscription["status"];
  readonly user?: string;
}

function addSubscriptions(parent: Command, terminal: Terminal): void {
  paging(viewing(parent.command("subscriptions").description("what is charged again, the newest first")))
    .addOption(new Option("--status <state>", "only in this state").choices([...subscriptionStates]))
    .option("--user <id>", "only of this person")
    .action(async ({ user, ...options }: SubscriptionsOptions) => {
      const user_id = user === undefined ? undefined : checked(userId, user, "--user");
      const page = await administer(terminal, options, ({ sql }, workspaceId) =>
        subscriptionPage(sql, workspaceId, { ...options, user_id }),
      );
      printPage(terminal, options, page, subscriptionTable);
    });
}

function addCancel(parent: Command, terminal: Terminal): void {
  const described = parent
    .command("cancel")
    .description("end a subscription with what is paid for; it is not charged again");
  inWorkspace(justifying(described))
    .argument(
      "<subscription>",
      "the number of the subscription, as molva billing subscriptions shows it",
      numberIn("subscriptions"),
    )
    .action(async (id: number, options: Common & { readonly reason: string }) => {
      const by = { ...byOf(options), reason: checked(reason, options.reason, "--reason") };
      const done = await withCore(terminal, options, (core, workspaceId) =>
        cancelSubscription({ ...core, providers: paymentProviders(core) }, workspaceId, id, by),
      );
      print(
        terminal,
        options,
        done,
        () =>
          `Subscription ${done.id} of ${done.user_id} is not charged again; it ends at ${moment(done.period_end)}.`,
      );
    });
}

function numberIn(list: "payments" | "subscriptions"): (typed: string) => number {
  return (typed) => {
    if (!/^[1-9]\d{0,15}$/.test(typed))
      throw new InvalidArgumentError(`Give a number from the first column of molva billing ${list}.`);
    return Number(typed);
  };
}

function moneyIn(typed: string): number {
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(typed) || Number(typed) === 0)
    throw new InvalidArgumentError("Give an amount above zero, such as 990 or 990.50.");
  return Number(typed);
}

const paymentTable = table<Payment>("Nothing was paid yet.", {
  payment: ({ id }) => String(id),
  time: ({ completed_at, created_at }) => moment(completed_at ?? created_at),
  user: ({ user_id }) => String(user_id),
  what: (payment) => payment.package ?? "",
  paid: ({ amount, currency }) => `${amount} ${currency}`,
  by: ({ provider }) => provider,
  state: ({ status, fault }) => (fault === null ? status : `${status}: ${fault}`),
  "given back": ({ refunded }) => (refunded === 0 ? "" : String(refunded)),
});

const subscriptionTable = table<Subscription>("There are no subscriptions yet.", {
  subscription: ({ id }) => String(id),
  user: ({ user_id }) => String(user_id),
  what: (subscription) => subscription.package,
  price: ({ amount, currency }) => `${amount} ${currency}`,
  by: ({ provider }) => provider,
  state: ({ status }) => status,
  until: ({ period_end }) => moment(period_end),
});
