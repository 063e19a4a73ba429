/** A demo of slow answers: they are streamed, formatted, may be long, and take photos. */
import { z } from "zod";
import { flowsOf } from "../flow/flow.ts";
import type { Text } from "../flow/text.ts";

export interface OracleServices {
  answer(question: string, draft: (soFar: Text) => void): Promise<string>;
}

const flow = flowsOf<OracleServices>();
const both = (ru: string, en: string) => ({ ru, en });
export const largestPhoto = 1_000;

export const oracle = flow({
  name: "Oracle",
  title: both("вопрос", "a question"),
  data: z.object({ question: z.string(), photo: z.string() }),
  empty: { question: "", photo: "" },
  first: "question",
  entries: {
    commands: { ask: { to: "question" } },
    media: { photo: { to: "looking", begin: ({ fileId = "" }) => ({ photo: fileId }) } },
  },
  inactivity: "never",
  states: {
    question: {
      ask: both("О чём спросите?", "What is the question?"),
      text: { to: "thinking", take: (_, question) => ({ data: { question } }) },
    },
    thinking: {
      ask: both("Думаю…", "Thinking…"),
      to: "answered",
      work: async ({ data, services, draft }) => ({
        notice: { markdown: await services.answer(data.question, draft) },
      }),
      failed: { to: "question", text: both("Не вышло.", "That failed.") },
    },
    looking: {
      ask: both("Смотрю…", "Looking…"),
      to: "answered",
      async work({ data, download }) {
        const file = await download(data.photo, { bytes: largestPhoto });
        return file.kind === "file" ? { notice: `Байт: ${file.bytes.byteLength}` } : { refuse: file.kind };
      },
      failed: { to: "question", text: both("Не вижу.", "I cannot see it.") },
    },
    answered: {
      ask: { ru: { markdown: "*Помогло?*" }, en: { markdown: "*Did it help?*" } },
      buttons: {
        yes: { label: both("Да", "Yes"), to: "@end" },
        again: { label: both("Ещё", "More"), to: "question" },
      },
    },
  },
});
