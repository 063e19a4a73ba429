import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aTelegramPerson } from "../../tests/support/telegram-person.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { telegramApi } from "../dialogs/telegram/client.ts";
import { createTelegramMessenger } from "../dialogs/telegram/messenger.ts";
import { aPerson } from "../dialogs/testing/harness.ts";
import { type Example, unwalked } from "../dialogs/testing/walk.ts";
import { createProviderClient } from "../kernel/outbound/index.ts";
import type { Backend } from "./backend/backend-client.ts";
import { type Answered, type BackendErrorKind, failed } from "./backend/backend-error.ts";
import { advisorBotFlows } from "./bot.ts";
import type { ProSales } from "./pro/pro-sales.ts";

/** A service that answers as the walk wants it to: with an error, with an exception, or well. */
interface World {
  readonly plan: "free" | "pro";
  readonly agreed: boolean;
  readonly pet: boolean;
  readonly error: BackendErrorKind | "breaks" | null;
  readonly subscribed: boolean;
  readonly paid: boolean;
}
const usual: World = { plan: "free", agreed: true, pet: false, error: null, subscribed: false, paid: false };
let world = usual;

async function answered<Value>(value: Value): Promise<Answered<Value>> {
  if (world.error === "breaks") throw new Error("a mistake of ours");
  return world.error ? failed(world.error) : { ok: true, value };
}

const limits = () => ({ plan: world.plan, remaining_in_window: 2, reset_at: "2026-11-17T00:00:00Z" });
const backend: Backend = {
  me: () =>
    answered({
      plan: world.plan,
      limits: limits(),
      pets: world.pet ? [{ id: "p", type: "cat", name: null }] : [],
      consents: { terms_accepted: world.agreed, data_policy_accepted: world.agreed },
      research: { used_this_period: 0, limit: 2 },
    }),
  ask: () =>
    answered({
      ...{
        answer_text: "Всё хорошо.",
        safety_level: "low",
        recommended_actions: [],
        should_go_to_vet: false,
      },
      ...{ followup_question: null, limits: limits(), upsell: { show: true }, research: null },
    }),
  accept: () => answered({}),
  history: () => answered([]),
  kept: () => answered(world.pet ? { id: "p", profile: { type: "dog" } } : null),
  keep: () => answered({}),
  paidUntil: () => answered({ plan: "pro" as const, plan_until: null }),
  upload: () => answered("m"),
  forget: () => answered({}),
};

const refused = { ok: false, code: "too_many_purchases" } as const;
/** Telegram sells, or does not, as the walk wants it. */
const pro: ProSales = {
  stars: 250,
  invoice: async () =>
    (await answered(null)).ok
      ? {
          ok: true,
          invoice: {
            ...{ title: "Pro", description: "Pro", payload: "p", label: "Pro", amount: 250, currency: "XTR" },
          },
        }
      : refused,
  link: async () => ((await answered(null)).ok ? { ok: true, url: "https://t.me/$abc" } : refused),
  subscription: async () =>
    (await answered(null)).ok && world.subscribed
      ? {
          ...{ id: 1, user_id: 1, product: "p", provider: "stars", seller: "bot", package: "pro" },
          ...{
            status: "active",
            amount: 250,
            currency: "XTR",
            tokens: 0,
            period_end: new Date("2026-12-15"),
          },
          ...{ renewals: 0, charge_id: "c", created_at: new Date("2026-11-15") },
        }
      : undefined,
  paidUntil: async () => (world.paid ? new Date("2026-12-15") : undefined),
  setRecurring: async () => (await answered(null)).ok,
};

let database: TestDatabase;
let twins: TestTwins;
beforeAll(async () => {
  database = await testDatabase();
  twins = await startTestTwins();
});
afterAll(async () => {
  await twins?.close();
  await database?.drop();
});

const when = (given: Partial<World>, example: Example = {}): Example => ({
  ...example,
  before: () => {
    world = { ...usual, ...given };
  },
});
const withData = (...data: NonNullable<Example["data"]>[]) => data.map((each) => when({}, { data: each }));
const failures = (example: Example = {}) => [
  when({ error: "unreachable" }, example),
  when({ error: "breaks" }, example),
];

const voice = { kind: "voice", fileId: "voice" } as const;
const everyFile: Example[] = (
  ["photo", "voice", "audio", "video", "document", "sticker", "other"] as const
).map((kind) => when({}, { media: { kind, fileId: kind } }));
const asked = [when({}, { text: "Почему он чихает?" }), ...everyFile];

/** What is missing decides where a talk goes on. */
const onward = [
  ...withData({}, { kind: "cat" }, { kind: "cat", topic: "care" }, { question: "Почему?" }),
  ...withData({ question: "Почему?", met: true }, { media: voice }),
];
const troubles = (...again: string[]) => [
  ...withData(...again.map((each) => ({ again: each }))),
  ...withData({ trouble: { kind: "daily_limit", waitSeconds: null } }),
];

const dog = { profile: { type: "dog" } };
const field = (text: string, change: object = { type: "cat" }) => [
  ...withData(dog, { changes: change }),
  when({}, { text, data: dog }),
  when({}, { text, data: { changes: change } }),
];

// covers advisor: Telegram bot
it("every edge of the bot's conversations can be walked, and Telegram takes every screen on the way", async () => {
  const { token, chatId } = await aTelegramPerson(twins.url);
  const http = createProviderClient();
  const apiRoot = `${twins.url}/telegram`;
  const messenger = createTelegramMessenger(telegramApi({ http, apiRoot, token: async () => token }));
  const person = await aPerson({
    shownAt: { chatId: String(chatId), messenger },
    sql: database.sql,
    flows: advisorBotFlows,
    services: {
      ...{ backend, newId: () => "0193b2a0-0000-7000-8000-000000000000", proContact: "@tail_support" },
      pro,
    },
  });
  person.messenger.files.set("voice", new Uint8Array(10));
  const missing = await unwalked({
    sql: database.sql,
    person,
    flows: advisorBotFlows,
    examples: {
      "Menu.menu": asked,
      "Menu.about": asked,
      "Ask.@start": [
        when({}, { text: "Почему?" }),
        ...everyFile.filter(({ media }) => media?.kind === "photo" || media?.kind === "voice"),
      ],
      "Ask.begin": [when({ agreed: false }), ...onward, ...failures()],
      "Ask.accepting": [...onward, ...failures()],
      "Ask.consent": [when({}), when({}, { text: "Почему он чихает?" })],
      "Ask.kind": [when({}), ...asked],
      "Ask.topic": [...withData({}, { kept: true }), ...asked],
      "Ask.details": [
        when({}),
        when({}, { text: "кот, 4 года" }),
        when({}, { text: "Собака без сознания, помогите!" }),
      ],
      "Ask.question": asked,
      "Ask.parked": [when({}, { text: "кот, 4 года", data: { question: "Почему?" } })],
      "Ask.uploading": [when({}, { data: { media: voice } }), ...failures({ data: { media: voice } })],
      "Ask.asking": [when({}), ...failures()],
      "Ask.answered": [when({}, { data: { plan: "pro", deeper: true, offer: true } }), ...asked],
      "Ask.trouble": [...troubles("begin", "accepting", "uploading", "asking"), ...asked],
      "Pet.looking": [when({ pet: true }), when({ plan: "pro" }), when({}), ...failures()],
      "Pet.card": withData({}, { full: true }),
      "Pet.removing": [when({}), ...failures()],
      "Pet.trouble": troubles("looking", "removing"),
      "PetEdit.edit": withData(
        {},
        dog,
        { profile: { type: "other" } },
        { ...dog, changes: { name: "Ричи" } },
        { changes: { name: "Ричи" } },
      ),
      "PetEdit.name": field("Ричи"),
      "PetEdit.age": field("5 лет"),
      "PetEdit.sex": withData(dog, {}),
      "PetEdit.sterilized": withData(dog, { changes: { type: "other" } }, { changes: { type: "cat" } }),
      "PetEdit.breed": field("шпиц"),
      "PetEdit.animal": field("хомяк"),
      "PetEdit.weight": field("6,2 кг"),
      "PetEdit.health_note": [when({}, { text: "на курицу" })],
      "PetEdit.vaccine_details": field("бешенство"),
      "PetEdit.parasite_details": field("весной"),
      "PetEdit.note": field("боится грозы"),
      "PetEdit.activity": withData(dog, { profile: { type: "cat" } }),
      "PetEdit.walks": field("2"),
      "PetEdit.leaving": withData(dog, {}),
      "PetEdit.saving": [when({ pet: true, plan: "pro" }), ...failures()],
      "PetEdit.trouble": troubles("saving"),
      "Me.looking": [when({}), ...failures()],
      "Me.profile": withData(
        ...(["free", "pro"] as const).map((plan) => ({
          me: {
            ...{ plan, limits: { plan, remaining_in_window: 1, reset_at: "2026-11-17T00:00:00Z" } },
            ...{ pets: [], consents: { terms_accepted: true, data_policy_accepted: true } },
            research: { used_this_period: 0, limit: 0 },
          },
        })),
      ),
      "Pro.looking": [when({}), when({ paid: true }), when({ subscribed: true }), when({ error: "breaks" })],
      "Pro.offer": withData({ stars: 250 }, { stars: 250, until: "2026-12-15" }),
      "Pro.linking": [when({}, { data: { stars: 250 } }), ...failures({ data: { stars: 250 } })],
      "Pro.link": withData({ stars: 250, link: "https://t.me/$abc" }),
      "Pro.mine": withData(
        { stars: 250, status: "active", until: "2026-12-15" },
        { stars: 250, status: "cancelled" },
      ),
      "Pro.sure": withData({ until: "2026-12-15" }),
      "Pro.cancelling": [when({}), ...failures()],
      "Pro.resuming": [when({}), ...failures()],
      "Me.recalling": [when({}), ...failures()],
      "Me.erasing": [when({}), ...failures()],
      "Me.trouble": troubles("looking", "recalling", "erasing"),
    },
  });
  expect(missing).toEqual([]);
  expect(person.messenger.refused).toEqual([]);
  expect(person.messenger.messages(String(chatId)).length).toBeGreaterThan(100);
  await http.close();
});
