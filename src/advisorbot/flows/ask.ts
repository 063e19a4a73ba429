/** The Ask flow: from a question to its answer and follow-ups. */

import { z } from "zod";
import { type Media, type MessageRef, reading, type StepContext, text } from "../../dialogs/index.ts";
import { emergencyIn } from "../../firstaid/index.ts";
import { cut } from "../../kernel/words/index.ts";
import { backendErrorSchema } from "../backend/backend-error.ts";
import { kinds, longest, topics } from "../subject.ts";
import { both, texts } from "../texts/index.ts";
import { accepting, asking, begin, uploading } from "./ask-work.ts";
import { errorText, mayPass, proButton, wantsPro } from "./error-screen.ts";
import { asked, noWish, questionInputs, refOf, wishShape } from "./question-input.ts";
import { type BotServices, flow } from "./services.ts";

export const askShape = wishShape.extend({
  /** Details about the pet; sent with every question of the dialog. */
  details: z.string(),
  /** The pet's details were already asked. */
  met: z.boolean(),
  plan: z.enum(["free", "pro"]),
  /** The service has a stored profile. */
  kept: z.boolean(),
  /** Questions left today; -1: no limit. */
  left: z.number(),
  offer: z.boolean(),
  mediaId: z.string(),
  research: z.boolean(),
  /** Research is possible for the last question. */
  deeper: z.boolean(),
  trouble: backendErrorSchema.nullable(),
  /** Other flows use other values. */
  again: z.enum(["begin", "accepting", "uploading", "asking"]).catch("begin"),
});
export type AskData = z.infer<typeof askShape>;

const empty: AskData = {
  ...noWish,
  ...{ details: "", met: false, plan: "free", kept: false, left: 0, offer: false, mediaId: "" },
  ...{ research: false, deeper: false, trouble: null, again: "begin" },
};

const toMenu = {
  label: both((t) => t.toMenu),
  to: "flow:Menu",
  // The menu starts with an empty question.
  press: () => ({ data: noWish }),
} as const;

const kindButtons = {
  label: { ru: "", en: "" },
  each: (_: AskData, language: "ru" | "en") =>
    kinds.map((arg) => ({ arg: arg as string, label: texts[language].kinds[arg] })),
};
const kindOf = (arg: string) => kinds.find((kind) => kind === arg) ?? null;

const sent = (kind: "photo" | "voice") => ({
  to: "begin" as const,
  begin: ({ fileId, caption = "" }: Media, message?: MessageRef) => ({
    question: caption.trim(),
    media: fileId === undefined ? null : { kind, fileId },
    ...refOf(message),
  }),
});

export const ask = flow({
  name: "Ask",
  title: both((t) => t.ask.title),
  data: askShape,
  empty,
  first: "begin",
  entries: {
    commands: { ask: { to: "begin" } },
    text: { to: "begin", begin: (typed, message) => ({ question: typed.trim(), ...refOf(message) }) },
    media: { photo: sent("photo"), voice: sent("voice") },
  },
  rivals: "yield",
  inactivity: { minutes: 60, text: both((t) => t.ask.expired) },
  states: {
    begin,
    consent: {
      ask: both((t) => t.ask.consent),
      noBack: true,
      // Text here is a question, not an answer to the terms; it waits for the button.
      text: {
        to: "@stay",
        take: (turn, typed) => ({
          data: asked(turn, typed),
          notice: texts[turn.language].ask.waitsForConsent,
        }),
      },
      buttons: {
        agree: { label: both((t) => t.ask.agree), to: "accepting" },
        disagree: {
          label: both((t) => t.ask.disagree),
          to: "flow:Menu",
          press: ({ language }) => ({ data: noWish, notice: texts[language].ask.disagreed }),
        },
      },
    },
    accepting,
    kind: {
      ask: both((t) => t.ask.kind),
      noBack: true,
      buttons: {
        kind: { ...kindButtons, to: "topic", press: (_, arg) => ({ data: { kind: kindOf(arg) } }) },
        menu: toMenu,
      },
      ...questionInputs("begin", "begin"),
    },
    topic: {
      ask: both((t) => t.ask.topic),
      buttons: {
        topic: {
          label: { ru: "", en: "" },
          each: (_, language) => topics.map((arg) => ({ arg, label: texts[language].topics[arg] })),
          to: ["details", "question"],
          press: ({ data }, arg) => ({
            data: { topic: topics.find((topic) => topic === arg) ?? null },
            to: data.kept ? "question" : "details",
          }),
        },
        menu: toMenu,
      },
      ...questionInputs("begin", "begin"),
    },
    details: {
      ask: both((t) => t.ask.details),
      text: reading(
        text({ min: 1, max: longest.details, refusal: both((t) => t.ask.detailsTooLong) }),
        ["question", "asking"],
        // In an emergency people do not follow the order of questions.
        (details, turn) =>
          emergencyIn(details)
            ? { to: "asking", data: { ...asked(turn, details), met: true } }
            : { to: "question", data: { details, met: true } },
      ),
      buttons: {
        skip: { label: both((t) => t.skip), to: "question", press: () => ({ data: { met: true } }) },
      },
    },
    question: {
      ask: ({ plan }, language) =>
        plan === "pro" ? texts[language].ask.questionPro : texts[language].ask.question,
      buttons: { menu: toMenu },
      ...questionInputs("asking", "uploading"),
    },
    parked: {
      ask: ({ question }, language) => texts[language].ask.parked(shortened(question)),
      noBack: true,
      text: reading(
        text({ min: 1, max: longest.details, refusal: both((t) => t.ask.detailsTooLong) }),
        "asking",
        (details) => ({ data: { details, met: true } }),
      ),
      buttons: {
        kind: {
          ...kindButtons,
          to: "asking",
          press: (_, arg) => ({ data: { kind: kindOf(arg), met: true } }),
        },
        as_is: { label: both((t) => t.ask.asIs), to: "asking", press: () => ({ data: { met: true } }) },
        menu: toMenu,
      },
    },
    uploading,
    asking,
    answered: {
      ask: ({ plan, left }, language) => {
        const { notes } = texts[language].ask;
        return plan === "pro" ? notes.pro : notes.left(left);
      },
      noBack: true,
      buttons: {
        research: {
          label: both((t) => t.ask.research),
          when: ({ plan, deeper }) => plan === "pro" && deeper,
          to: "asking",
          press: ({ services }) => ({ data: { research: true, requestId: services.newId() } }),
        },
        pro: { ...proButton, when: ({ offer }) => offer },
        another: { ...toMenu, label: both((t) => t.ask.another) },
      },
      ...questionInputs("asking", "uploading"),
    },
    trouble: {
      ask: errorText,
      noBack: true,
      buttons: {
        again: {
          label: both((t) => t.again),
          when: mayPass,
          to: ["begin", "accepting", "uploading", "asking"],
          press: ({ data, services }: StepContext<AskData, BotServices>) => ({
            to: data.again,
            data: {
              trouble: null,
              ...(data.trouble?.kind === "stale" && { requestId: services.newId() }),
            },
          }),
        },
        pro: { ...proButton, when: wantsPro },
        menu: toMenu,
      },
      ...questionInputs("begin", "begin"),
    },
  },
});

function shortened(question: string): string {
  return question.length > 200 ? `${cut(question, 200)}…` : question;
}
