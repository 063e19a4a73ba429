import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { recordPayment } from "../sales/record-payment.ts";
import { aSubscriptionSale } from "../testing/builders.ts";
import { addBilling } from "./billing.ts";

const harness = cliHarness({
  home: tempFolder("cli-billing"),
  openDatabase: async () => {
    const database = await testDatabase();
    await database.sql`select workspaces.ensure_event_partitions()`;
    return database;
  },
  commands: { billing: addBilling },
  environment: { MOLVA_ENV: "development", YOOKASSA_SHOP_ID: "700", YOOKASSA_SECRET_KEY: "test_key" },
});
const { molva, json, lastEvent } = harness;

it("proves empty books and refuses a stranger's adjustment", async () => {
  expect((await molva("billing", "users")).out).toContain("Nobody has an account yet.");
  expect((await molva("billing", "check")).out).toContain("The books are right.");
  expect((await molva("billing", "report")).out).toContain("Nothing was sold or spent in this time.");
  const backwards = await molva("billing", "report", "--since", "1d", "--until", "2d");
  expect(backwards.err).toContain("The report would end before it begins");
  expect((await molva("billing", "payments", "--provider", "paypal")).err).toContain("stars, yookassa");
  const refused = await molva("billing", "adjust", "999", "5", "--reason", "ошибка");
  expect(refused.err).toContain("Nobody with the Telegram id 999");
});

it("gives tokens with a reason, shows them in the lists, and fails when the books are wrong", async () => {
  await harness.sql`select billing.open_account(${harness.workspace}, 4242)`;
  const adjusted = await molva("billing", "adjust", "4242", "+500", "--reason", "извинение за сбой");
  expect(adjusted.out).toContain("4242 has 2000 tokens now.");
  expect(await lastEvent("balance_adjusted")).toMatchObject({
    meta: { tokens: 500, reason: "извинение за сбой" },
  });
  expect((await json("billing", "users")).items).toMatchObject([{ user_id: 4242, balance: 2_000 }]);
  expect((await molva("billing", "movements", "4242")).out).toMatch(/500 +adjustment +извинение за сбой/);
  await harness.sql`update billing.users set balance = 1 where workspace_id = ${harness.workspace}`;
  const wrong = await molva("billing", "check");
  expect(wrong.out).toContain("person 4242 has 1 tokens, the entries say 2000");
  expect(wrong.err).toContain("The books are wrong");
});

it("cancels a subscription with a reason, and reports what was paid and what its work left", async () => {
  const { sql, workspace: workspaceId } = harness;
  const userId = 4343;
  const saleId = await aSubscriptionSale(sql, workspaceId, { userId });
  const charge = { workspaceId, provider: "yookassa", chargeId: "c1", saleId, userId, amount: 6_000 };
  await recordPayment(sql, { ...charge, currency: "RUB" }, new Date());
  await sql`select billing.charge_balance(${workspaceId}, ${userId}, 200)`;
  const [subscription] = (await json("billing", "subscriptions", "--user", "4343")).items;
  expect((await molva("billing", "cancel", "abc", "--reason", "просит")).err).toContain(
    "molva billing subscriptions",
  );
  expect((await molva("billing", "cancel", "77777", "--reason", "просит")).err).toContain(
    "no subscription 77777",
  );
  const done = await molva("billing", "cancel", String(subscription.id), "--reason", "просит");
  expect(done.out).toContain("of 4343 is not charged again");
  expect((await json("billing", "subscriptions", "--user", "4343")).items).toMatchObject([
    { status: "cancelled" },
  ]);
  expect((await molva("billing", "report")).out).toMatch(/6000 ₽.*text_generation +1 +200/s);
  expect((await molva("billing", "report", "--daily")).out).toMatch(
    /\d{4}-\d\d-\d\d +text_generation +1 +200/,
  );
});
