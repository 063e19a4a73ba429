/** Buying Pro, and the subscription to it. */
import { z } from "zod";
import type { StepResult, Work } from "../../dialogs/index.ts";
import { both, texts } from "../texts/index.ts";
import { toMenu } from "./error-screen.ts";
import { offerDescribedPro } from "./offer-pro.ts";
import { type BotServices, flow } from "./services.ts";

const proData = z.object({
  /** Stars for thirty days; 0 when Pro is not sold here. */
  stars: z.int(),
  contact: z.string(),
  status: z.enum(["none", "active", "paused", "cancelled"]),
  /** The end of what is paid for; empty when nothing is. */
  until: z.string(),
  link: z.string(),
});
type ProData = z.infer<typeof proData>;
type ProWork = Work<ProData, BotServices>;

const failed = { to: "trouble", text: both((t) => t.failed) } as const;

export const pro = flow({
  name: "Pro",
  title: both((t) => t.proOffer.flow),
  data: proData,
  empty: { stars: 0, contact: "", status: "none", until: "", link: "" },
  first: "looking",
  entries: { commands: { pro: { to: "looking" } } },
  rivals: "yield",
  inactivity: { minutes: 60, text: both((t) => t.menu.returned) },
  // Whoever was asked to pay and has paid sees what they have now.
  events: { pro_sold: { to: "looking", take: () => ({ to: "looking" }) } },
  states: {
    looking: {
      ask: both((t) => t.moment),
      to: ["offer", "mine"],
      failed,
      async work({ services, workspaceId, userId }: ProWork): Promise<StepResult<ProData, "offer" | "mine">> {
        const known = {
          stars: services.pro?.stars ?? 0,
          contact: services.proContact ?? "",
        };
        const found = await services.pro?.subscription({ workspaceId, userId });
        if (!found || found.status === "expired") {
          const until = await services.pro?.paidUntil({ workspaceId, userId });
          return { to: "offer", data: { ...known, status: "none", until: until?.toISOString() ?? "" } };
        }
        return {
          to: "mine",
          data: { ...known, status: found.status, until: found.period_end.toISOString() },
        };
      },
    },
    offer: {
      ask: ({ stars, contact, until }, language) => {
        const t = texts[language];
        const how = stars > 0 ? t.proOffer.both(stars) : t.getPro(contact === "" ? undefined : contact);
        return [t.pro, ...(until === "" ? [] : [t.proOffer.paid(until)]), how].join("\n\n");
      },
      noBack: true,
      passesOn: true,
      buttons: {
        once: {
          label: ({ stars }, language) => texts[language].proOffer.buyOnce(stars),
          when: ({ stars }) => stars > 0,
          to: "@stay",
          press: offerDescribedPro,
        },
        subscribe: {
          label: ({ stars }, language) => texts[language].proOffer.subscribe(stars),
          when: ({ stars }) => stars > 0,
          to: "linking",
        },
        menu: toMenu,
      },
    },
    linking: {
      ask: both((t) => t.moment),
      to: ["link", "offer"],
      failed,
      async work({ services, workspaceId, userId, language }: ProWork) {
        const made = await services.pro?.link({ workspaceId, userId, language });
        if (made?.ok) return { to: "link" as const, data: { link: made.url } };
        const why = made ? made.code : "not_sold";
        return { to: "offer" as const, notice: texts[language].proOffer.refused[why] };
      },
    },
    link: {
      ask: ({ stars }, language) => texts[language].proOffer.link(stars),
      noBack: true,
      passesOn: true,
      links: [
        {
          label: ({ stars }: ProData, language: "ru" | "en") => texts[language].proOffer.pay(stars),
          url: ({ link }: ProData) => link,
        },
      ],
      buttons: { mine: { label: both((t) => t.proOffer.check), to: "looking" }, menu: toMenu },
    },
    mine: {
      ask: ({ status, until, stars }, language) => texts[language].proOffer.mine(status, until, stars),
      noBack: true,
      passesOn: true,
      buttons: {
        cancel: {
          label: both((t) => t.proOffer.cancel),
          when: ({ status }) => status === "active" || status === "paused",
          to: "sure",
        },
        resume: {
          label: both((t) => t.proOffer.resume),
          when: ({ status }) => status === "cancelled",
          to: "resuming",
        },
        menu: toMenu,
      },
    },
    sure: {
      ask: ({ until }, language) => texts[language].proOffer.sure(until),
      buttons: {
        yes: { label: both((t) => t.proOffer.yes), to: "cancelling" },
        no: { label: both((t) => t.proOffer.no), to: "mine" },
      },
    },
    cancelling: switching(false),
    resuming: switching(true),
    trouble: {
      ask: both((t) => t.proOffer.trouble),
      noBack: true,
      passesOn: true,
      buttons: { again: { label: both((t) => t.again), to: "looking" }, menu: toMenu },
    },
  },
});

/** Telegram does it first. What has become of it is shown by the next look. */
function switching(on: boolean) {
  return {
    ask: both((t) => t.moment),
    to: ["looking", "trouble"] as const,
    failed,
    async work({ services, workspaceId, userId }: ProWork) {
      const done = await services.pro?.setRecurring({ workspaceId, userId }, on);
      return { to: done ? ("looking" as const) : ("trouble" as const) };
    },
  };
}
