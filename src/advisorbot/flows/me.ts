/** What the service knows of a person: their plan, what they asked before, and the way to have it all deleted. */
import { z } from "zod";
import type { StepResult, Work } from "../../dialogs/index.ts";
import { faultShape } from "../backend/fault.ts";
import { historyShape, meShape } from "../backend/shapes.ts";
import { both, texts } from "../texts/index.ts";
import { askerOf, type BotServices, flow } from "./services.ts";
import { broken, forgetting, inTrouble, proButton, toMenu, troubleState } from "./trouble.ts";

const meData = z.object({
  me: meShape.nullable(),
  items: historyShape.shape.items,
  trouble: faultShape.nullable(),
  again: z.enum(["looking", "recalling", "erasing"]).catch("looking"),
});
type MeData = z.infer<typeof meData>;
type MeWork = Work<MeData, BotServices>;

const itemsShown = 10;

export const me = flow({
  name: "Me",
  title: both((t) => t.me.title),
  data: meData,
  empty: { me: null, items: [], trouble: null, again: "looking" },
  first: "looking",
  entries: {
    commands: { me: { to: "looking" }, history: { to: "recalling" }, delete: { to: "sure" } },
  },
  rivals: "yield",
  inactivity: { minutes: 60, text: both((t) => t.menu.returned) },
  states: {
    looking: {
      ask: both((t) => t.moment),
      to: ["profile", "trouble"],
      failed: broken,
      async work(work: MeWork): Promise<StepResult<MeData, "profile" | "trouble">> {
        const found = await work.services.backend.me(askerOf(work), work.signal);
        return found.ok ? { to: "profile", data: { me: found.value } } : inTrouble(found.fault, "looking");
      },
    },
    profile: {
      ask: ({ me: known }, language) => (known ? texts[language].me.profile(known) : texts[language].moment),
      noBack: true,
      passesOn: true,
      buttons: {
        history: { label: both((t) => t.me.history), to: "recalling" },
        pro: { ...proButton, when: ({ me: known }) => known?.plan === "free" },
        forget: { label: both((t) => t.me.forget), to: "sure" },
        menu: toMenu,
      },
    },
    recalling: {
      ask: both((t) => t.moment),
      to: ["history", "trouble"],
      failed: broken,
      async work(work: MeWork): Promise<StepResult<MeData, "history" | "trouble">> {
        const found = await work.services.backend.history(askerOf(work), itemsShown, work.signal);
        return found.ok
          ? { to: "history", data: { items: found.value } }
          : inTrouble(found.fault, "recalling");
      },
    },
    history: {
      ask: ({ items }, language) =>
        items.length > 0 ? texts[language].me.items(items) : texts[language].me.noHistory,
      noBack: true,
      passesOn: true,
      buttons: { profile: { label: both((t) => t.menu.me), to: "looking" }, menu: toMenu },
    },
    sure: {
      ask: both((t) => t.me.sure),
      noBack: true,
      buttons: {
        yes: { label: both((t) => t.me.yes), to: "erasing" },
        no: { label: both((t) => t.me.no), to: "flow:Menu" },
      },
    },
    erasing: {
      ask: both((t) => t.me.erasing),
      to: ["flow:Menu", "trouble"],
      failed: broken,
      work: (work: MeWork) => forgetting(work, null, "erasing", (t) => t.me.erased),
    },
    trouble: troubleState((t) => t.needsPro.history, "looking", "recalling", "erasing"),
  },
});
