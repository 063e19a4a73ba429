/** Analyses, purchases, the referral link, and what an administrator does. */
import type { Stored } from "../../../src/dialogs/flow/flow.ts";
import type { Examples, Given } from "../walk-given.ts";
import { administrator, broadcasts } from "../walk-world.ts";

const paid = { cost: 50, balance: 1_000, isFree: false };
const short = { ...paid, balance: 0 };
const competitor = "https://chay.example";

export function serviceExamples(how: Given): Examples {
  const { taps, types, wakes, poor, run, world } = how;
  const { projectId, bareProjectId, gone, sql, whose } = world;
  const here = { projectId, url: competitor, report: "Found" };
  const lost = { ...here, projectId: gone };
  const withRun =
    (work: "audit" | "competitor", status: "done" | "failed" | "running" | "cancelled") => async () => ({
      ...paid,
      runId: await run(work, { status }),
    });
  const ends = (work: "audit" | "competitor") => [
    wakes("done", here, withRun(work, "done")),
    ...["review", "failed", "expired"].map((each) => wakes(each, here, withRun(work, "failed"))),
    wakes("cancelled", here, withRun(work, "cancelled")),
    wakes("cancelled", here, withRun(work, "running")),
  ];
  const card = { code: "pro", by: "card", tokens: 7_200, amount: 390, url: "https://pay.example" };
  const contact = (known: boolean) => async () => {
    await sql`delete from billing.yookassa_contacts where user_id = ${whose.userId}`.catch(() => undefined);
    return known ? { ...card, contact: "irina@tea.example" } : card;
  };
  const broadcasting = (more: Stored = {}) => ({
    ...{ audience: "all", counts: { all: 5, active_7d: 5, active_30d: 5, paid: 0 }, text: "News", id: 1 },
    ...more,
  });
  const quiet = async () => {
    await sql`
      update seo.broadcasts set status = 'stopped', ended_at = now() where workspace_id = ${whose.workspaceId} and status = 'sending'`;
    return broadcasting();
  };
  const sending = async () => broadcasting({ id: await broadcasts(world) });
  return {
    "AuditRun.confirm": [
      ...[taps(here, paid), taps(here, short), taps(lost, paid), taps({ projectId: bareProjectId }, paid)],
    ],
    "AuditRun.ordering": [taps(here, paid), taps(lost, paid), poor(taps(here, paid))],
    "AuditRun.auditing": ends("audit"),
    "CompetitorAnalysis.url": [
      ...[taps(here, paid), taps(lost, paid), types(competitor, here), types("no address", here)],
      { ...taps(here, paid), ...withoutFirecrawl(world) },
    ],
    "CompetitorAnalysis.checking": [
      taps({ ...here, url: world.site }),
      taps({ ...here, url: "https://nobody.invalid" }),
    ],
    "CompetitorAnalysis.confirm": [taps(here, paid), taps(here, short), taps(lost, paid)],
    "CompetitorAnalysis.ordering": [taps(here, paid), taps(lost, paid), poor(taps(here, paid))],
    "CompetitorAnalysis.analyzing": ends("competitor"),
    "CompetitorAnalysis.results": [taps(here)],
    "Payment.ordering": [
      ...[taps(contact(false)), taps(contact(true)), taps({ ...card, by: "stars", recurring: true })],
      ...[taps({ ...card, code: "nothing" }), taps({ ...card, contact: "nobody" })],
      { ...taps({ ...card, contact: "irina@tea.example" }), ...faulty(world, "yookassa") },
      { ...taps({ ...card, recurring: true, contact: "irina@tea.example" }), ...faulty(world, "yookassa") },
    ],
    "Payment.contact": [taps(card), types("irina@tea.example", card)],
    "Payment.paying": [taps(card)],
    "ReferralLink.looking": [
      taps({}),
      {
        ...taps(async () => {
          await sql`delete from seo.bots`;
          return {};
        }),
        ...faulty(world, "telegram"),
      },
    ],
    "SubscriptionChange.changing": [
      taps({ on: false, next: "subscription" }),
      { ...taps({ on: false, next: "tariff:business" }), ...byCard(world) },
    ],
    "AdminUser.user": [taps({}), types(String(whose.userId), {}), types("nobody at all", {})],
    "AdminAdjust.tokens": [types("+100", { id: whose.userId }), types("many", { id: whose.userId })],
    "AdminAdjust.reason": [
      types("a present", { id: whose.userId, tokens: 5 }),
      types("a", { id: whose.userId }),
    ],
    "AdminAdjust.confirm": [
      taps(() => ({
        id: whose.userId,
        name: "Irina",
        tokens: 5,
        reason: "a present",
        key: crypto.randomUUID(),
      })),
      taps(() => ({ id: administrator, tokens: -900_000, reason: "a joke", key: crypto.randomUUID() })),
    ],
    "AdminBroadcast.audience": [taps(broadcasting())],
    "AdminBroadcast.text": [types("News", broadcasting()), types(" ", broadcasting())],
    "AdminBroadcast.confirm": [taps(quiet), taps(sending)],
    "AdminBroadcast.sending": [taps(sending)],
  };
}

/** The provider answers with errors while it is tried. */
function faulty({ harness }: Given["world"], provider: string) {
  const fault = { kind: "status", status: 500 };
  return {
    before: async () => void (await harness.control("POST", "/faults", { provider, fault, times: 100 })),
    after: async () => void (await harness.control("DELETE", "/faults")),
  };
}

/** Telegram has to agree to a change, YooKassa has not: it is asked for each renewal. */
function byCard({ sql, whose }: Given["world"]) {
  const paidBy = (provider: "stars" | "yookassa") => async () =>
    void (await sql`
      update billing.subscriptions set provider = ${provider}, status = 'active' where user_id = ${whose.userId}`);
  return { before: paidBy("yookassa"), after: paidBy("stars") };
}

function withoutFirecrawl({ services }: Given["world"]) {
  const { isOn } = services.sources;
  const set = (value: typeof isOn) => void Object.assign(services.sources, { isOn: value });
  return { before: () => set((source) => source !== "firecrawl" && isOn(source)), after: () => set(isOn) };
}
