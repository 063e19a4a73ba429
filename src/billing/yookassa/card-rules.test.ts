import { describe, expect, it } from "vitest";
import { readContact } from "./contact.ts";
import { allowList, networksIn, yookassaNetworks } from "./networks.ts";
import { readNotification } from "./notification.ts";
import { payerOf } from "./payer.ts";
import { receiptOf } from "./receipt.ts";
import { yookassaFaults } from "./settings.ts";
import { nameOf } from "./texts.ts";

describe("what a person writes when asked for a contact", () => {
  it.each([
    ["anna@example.com", "email", "anna@example.com"],
    ["  Anna.Petrova+tokens@Example.com ", "email", "Anna.Petrova+tokens@Example.com"],
    ["+7 999 000-11-22", "phone", "79990001122"],
    ["8 (999) 000 11 22", "phone", "79990001122"],
    ["9990001122", "phone", "79990001122"],
    ["+375 29 123-45-67", "phone", "375291234567"],
  ])("%s is an address for the receipt", (text, kind, value) => {
    expect(readContact(text)).toEqual({ kind, value });
  });

  it.each([
    "",
    "anna",
    "anna@",
    "@example.com",
    "12345",
    "+7 999",
    "телефон 8 999 000 11 22",
    "1".repeat(30),
  ])("“%s” is none", (text) => {
    expect(readContact(text)).toBeUndefined();
  });
});

describe("networks", () => {
  it("are YooKassa's seven, to their last addresses and no further", () => {
    const isAllowed = allowList(yookassaNetworks);
    for (const inside of [
      "185.71.76.0",
      "185.71.76.31",
      "77.75.154.255",
      "77.75.156.11",
      "2a02:5180:ffff::1",
    ])
      expect([inside, isAllowed(inside)]).toEqual([inside, true]);
    for (const outside of ["185.71.76.32", "77.75.154.127", "77.75.156.36", "2a02:5181::1", "", "localhost"])
      expect([outside, isAllowed(outside)]).toEqual([outside, false]);
  });

  it("may be set, and what is none is noticed", () => {
    expect(networksIn("10.0.0.0/8, ::1")).toEqual(["10.0.0.0/8", "::1"]);
    for (const wrong of ["", "10.0.0.0/33", "10.0.0.0/0", "example.com", "10.0.0.1,", "10.0.0.0/8/1"])
      expect([wrong, networksIn(wrong)]).toEqual([wrong, undefined]);
  });
});

describe("a receipt", () => {
  const settings = { vatCode: 7, paymentSubject: "service", paymentMode: "full_payment", taxSystemCode: 2 };

  // covers cards: Receipts
  it("has one line with VAT, subject and the whole sum, and goes to the person's contact", () => {
    const contact = { kind: "phone", value: "79990001122" } as const;
    expect(receiptOf(settings, { contact, name: "х".repeat(200), amount: 990.5 })).toEqual({
      customer: { phone: "79990001122" },
      items: [
        {
          description: "х".repeat(128),
          quantity: "1.00",
          amount: { value: "990.50", currency: "RUB" },
          vat_code: 7,
          payment_subject: "service",
          payment_mode: "full_payment",
        },
      ],
      tax_system_code: 2,
    });
  });

  it("names what was bought in either language", () => {
    const plan = { package: "pro", tokens: 0, period_days: 30, recurring: true };
    expect([nameOf(plan, "ru"), nameOf(plan, "en")]).toEqual([
      "Подписка pro, 30 дней",
      "Subscription pro, 30 days",
    ]);
  });
});

describe("a purse", () => {
  const card = { first6: "555555", last4: "4444", expiry_month: "12", expiry_year: "2030" };
  const by = (change: object) => payerOf({ type: "bank_card", id: "1", saved: false, ...change });

  it("is known again by its card or wallet, whichever payment it made, and shows neither", () => {
    expect(by({ card })).toBe(by({ card, id: "2", saved: true }));
    expect(by({ card })).not.toBe(by({ card: { ...card, last4: "4445" } }));
    expect(by({ account_number: "410011758831136" })).toMatch(/^[0-9a-f]{32}$/);
    expect([by({}), payerOf(undefined)]).toEqual([undefined, undefined]);
  });
});

it("of a notification only the name of its object is taken", () => {
  const object = { id: "p1", status: "succeeded", paid: true, metadata: { user_id: "1" } };
  expect(readNotification({ type: "notification", event: "payment.succeeded", object })).toEqual({
    ...{ kind: "payment", event: "payment.succeeded", paymentId: "p1" },
  });
  for (const wrong of [
    undefined,
    "",
    [],
    {},
    { type: "notification" },
    { type: "notification", event: "payment.succeeded", object: { id: "" } },
    { type: "notification", event: "payment.succeeded", object: { id: "../refunds/1" } },
    { type: "notification", event: "payment.succeeded", object: { id: "\u0000" } },
  ])
    expect(readNotification(wrong)).toBeUndefined();
});

it("a shop's number and its key belong together", () => {
  expect(yookassaFaults({ YOOKASSA_SHOP_ID: "1", YOOKASSA_SECRET_KEY: undefined })).toHaveLength(1);
  expect(yookassaFaults({ YOOKASSA_SHOP_ID: "1", YOOKASSA_SECRET_KEY: "test_1" })).toEqual([]);
});
