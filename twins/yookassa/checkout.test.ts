import { afterEach, beforeEach, expect, test } from "vitest";
import { aPayment, type Json, startTestYooKassa, type TestYooKassa } from "./testing.ts";

let twin: TestYooKassa;
let payment: Json;
beforeEach(async () => {
  twin = await startTestYooKassa();
  const change = { description: "Про <b>6000</b>", save_payment_method: true };
  payment = (await twin.api("POST", "/payments", aPayment(change))).body;
});
afterEach(() => twin.close());

const page = async () => (await fetch(payment.confirmation.confirmation_url)).text();
async function send(fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields);
  return (await fetch(payment.confirmation.confirmation_url, { method: "POST", body })).text();
}
const now = async () => (await twin.api("GET", `/payments/${payment.id}`)).body;

test("the page shows the sum and what it is for, with a button for each end", async () => {
  const text = await page();
  expect(text).toContain("990,00");
  expect(text).toContain("Про &lt;b&gt;6000&lt;/b&gt;");
  expect(text).toContain("запомнит способ оплаты");
  for (const button of ["Заплатить", "Отклонить платёж", "Уйти без оплаты"]) expect(text).toContain(button);
});

test("paying takes the card that was typed and leads back to the shop", async () => {
  const text = await send({ decision: "pay", method: "bank_card", card: "2200 0000 0000 1234" });
  expect(text).toContain("Оплачено");
  expect(text).toContain('href="https://ex.ru/back"');
  expect((await now()).payment_method).toMatchObject({ saved: true, card: { last4: "1234" } });
  expect(await send({ decision: "decline", reason: "general_decline" })).toContain("Оплачено");
});

test("declining takes the chosen reason", async () => {
  expect(await send({ decision: "decline", reason: "card_expired" })).toContain("Карта просрочена");
  expect((await now()).cancellation_details.reason).toBe("card_expired");
});

test("who comes too late finds the time over", async () => {
  twin.clock.advance(3_600_000);
  expect(await page()).toContain("Время вышло");
});

test("the shop's cabinet lists its payments", async () => {
  await send({ decision: "pay", method: "sbp" });
  const { places } = await twin.control<Json>("GET", "/places");
  const place = places.find((each: Json) => each.id === "700");
  expect(place).toMatchObject({ provider: "yookassa", url: "/yookassa/shops/700/", items: 1 });
  expect(await (await fetch(`${twin.url}${place.url}`)).text()).toContain("оплачен");
});

test("in the cabinet the owner gives back a part, then the rest, and never more than came", async () => {
  await send({ decision: "pay", method: "sbp" });
  const cabinet = `${twin.url}/yookassa/shops/700/`;
  const giveBack = async (amount: string) => {
    const body = new URLSearchParams({ payment: payment.id, amount });
    return (await fetch(cabinet, { method: "POST", body })).text();
  };
  expect(await giveBack("0")).toContain("Укажите сумму больше нуля");
  expect(await giveBack("990,01")).toContain("больше, чем осталось");
  expect(await giveBack("400,50")).toContain('value="589.50"');
  expect((await now()).refunded_amount.value).toBe("400.50");
  expect(await giveBack("589.50")).not.toContain("Вернуть");
  expect((await now()).refunded_amount.value).toBe("990.00");
  expect(await giveBack("1")).toContain("больше, чем осталось");
});

test("what was not paid cannot be given back", async () => {
  const body = new URLSearchParams({ payment: payment.id, amount: "10" });
  const answer = await fetch(`${twin.url}/yookassa/shops/700/`, { method: "POST", body });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("он не оплачен")]);
});
