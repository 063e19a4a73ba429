import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../tests/support/until.ts";
import {
  aPayment,
  type Json,
  type Receiver,
  rub,
  shop,
  startReceiver,
  startTestYooKassa,
  type TestYooKassa,
} from "./testing.ts";

let twin: TestYooKassa;
let receiver: Receiver;
beforeEach(async () => {
  twin = await startTestYooKassa();
  receiver = await startReceiver();
  await twin.control("POST", "/yookassa/shops", { id: shop.id, notification_url: receiver.url });
});
afterEach(async () => {
  await twin.close();
  await receiver.close();
});

async function paid(): Promise<string> {
  const { body } = await twin.api("POST", "/payments", aPayment());
  await twin.control("POST", `/yookassa/payments/${body.id}/act`, { act: "pay" });
  return body.id;
}
const heard = (count: number) => until("notifications", () => receiver.heard.length >= count);
const waiting = async () => (await twin.control<Json>("GET", "/yookassa/notifications")).waiting;
const options = (body: object) => twin.control("PATCH", "/yookassa/options", body);
const minute = 60_000;

test("a payment that came is told, unsigned, from YooKassa's network", async () => {
  const id = await paid();
  await heard(1);
  const [{ headers, body } = { headers: {}, body: {} }] = receiver.heard;
  expect(body).toMatchObject({
    type: "notification",
    event: "payment.succeeded",
    object: { id, paid: true },
  });
  expect(headers["x-forwarded-for"]).toBe("185.71.76.1");
  expect(headers.authorization).toBeUndefined();
});

test("a cancelled payment and a refund made in the cabinet are told", async () => {
  const id = await paid();
  await twin.control("POST", "/yookassa/refunds", { payment_id: id, amount: rub("90.00") });
  const { body } = await twin.api("POST", "/payments", aPayment());
  await twin.control("PATCH", "/yookassa/options", { advance_ms: 60 * minute });
  await heard(3);
  const told = receiver.heard.map(({ body: { event, object } }) => [event, object.payment_id ?? object.id]);
  expect(told.sort()).toEqual(
    [
      ["payment.succeeded", id],
      ["refund.succeeded", id],
      ["payment.canceled", body.id],
    ].sort(),
  );
});

test("what is not answered with 200 comes again, ever more rarely, for a day", async () => {
  receiver.answers = 204;
  await paid();
  await heard(1);
  await until("the failure is noted", async () => (await waiting())[0]?.failures === 1);
  const pauses = [];
  for (let tries = 2; (await waiting()).length > 0; tries += 1) {
    const before = twin.clock.now();
    const [{ due_at }] = await waiting();
    twin.clock.advance(Date.parse(due_at) - before);
    pauses.push((Date.parse(due_at) - before) / minute);
    await twin.control("POST", "/yookassa/notifications/run", { all: false });
    expect(receiver.heard).toHaveLength(tries);
  }
  expect(pauses.slice(0, 7)).toEqual([1, 5, 15, 30, 60, 120, 240]);
  const total = pauses.reduce((sum, pause) => sum + pause, 0);
  expect(total).toBeGreaterThanOrEqual(24 * 60);
  expect(total).toBeLessThan(28 * 60);
});

test("notifications can come twice, and in another order", async () => {
  await options({ duplicates: 1, held: true });
  const id = await paid();
  await twin.control("POST", "/yookassa/refunds", { payment_id: id, amount: rub("90.00") });
  expect(receiver.heard).toEqual([]);
  await twin.control("POST", "/yookassa/notifications/run", { order: "newest_first" });
  expect(receiver.heard.map(({ body }) => body.event)).toEqual([
    ...["refund.succeeded", "refund.succeeded", "payment.succeeded", "payment.succeeded"],
  ]);
});

test("a shop chooses its events, its address and where notifications seem to come from", async () => {
  const change = { id: shop.id, events: ["refund.succeeded"], source: "2a02:5180::7" };
  await twin.control("POST", "/yookassa/shops", change);
  const id = await paid();
  await twin.control("POST", "/yookassa/refunds", { payment_id: id, amount: rub("90.00") });
  await heard(1);
  expect(receiver.heard.map(({ body }) => body.event)).toEqual(["refund.succeeded"]);
  expect(receiver.heard[0]?.headers["x-forwarded-for"]).toBe("2a02:5180::7");
  const nowhere = { id: shop.id, source: "not an address" };
  await expect(twin.control("POST", "/yookassa/shops", nowhere)).rejects.toThrow("source");
});
