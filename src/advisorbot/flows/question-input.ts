/** A question, from the menu or within a dialog. */
import { z } from "zod";
import type { Media, MessageRef, StepContext, StepResult, Targets } from "../../dialogs/index.ts";
import { photoLimits } from "../media/shrink-photo.ts";
import { kinds, topics } from "../subject.ts";
import { texts } from "../texts/index.ts";
import type { BotServices } from "./services.ts";

export const wishShape = z.object({
  kind: z.enum(kinds).nullable(),
  topic: z.enum(topics).nullable(),
  question: z.string(),
  media: z.object({ kind: z.enum(["photo", "voice"]), fileId: z.string() }).nullable(),
  /** The same for every attempt, so that the question is answered and charged once. */
  requestId: z.string(),
  /** Telegram's ids of the message and of the one it replies to; empty in older dialogs. */
  messageId: z.string().default(""),
  replyTo: z.string().default(""),
});
export type Wish = z.infer<typeof wishShape>;

export const noWish: Wish = {
  ...{ kind: null, topic: null, question: "", media: null },
  ...{ requestId: "", messageId: "", replyTo: "" },
};

export const voiceBytes = 10_000_000;
const largest = { photo: photoLimits.bytes, voice: voiceBytes } as const;

type WishContext = StepContext<Wish, BotServices>;

/** Accepts text, photos and voice; refuses other media. */
export function questionInputs<Name extends string>(said: Targets<Name>, sent: Targets<Name>) {
  const take = (kind: "photo" | "voice") => ({
    to: sent,
    take({ services, language, message }: WishContext, media: Media): StepResult<Wish, Name> {
      const t = texts[language];
      if (media.fileId === undefined) return { refuse: t.errors.file_gone(null) };
      if ((media.size ?? 0) > largest[kind]) return { refuse: t.errors.file_too_large(null) };
      const question = (media.caption ?? "").trim();
      const file = { kind, fileId: media.fileId };
      return { data: { question, media: file, requestId: services.newId(), ...refOf(message) } };
    },
  });
  return {
    text: {
      to: said,
      take: (turn: WishContext, typed: string): StepResult<Wish, Name> => ({ data: asked(turn, typed) }),
    },
    media: { ...refusedMedia, photo: take("photo"), voice: take("voice") },
  };
}

export function asked({ services, message }: Pick<WishContext, "services" | "message">, typed: string) {
  return { question: typed.trim(), media: null, requestId: services.newId(), ...refOf(message) };
}

export function refOf(message: MessageRef | undefined) {
  return { messageId: message?.id ?? "", replyTo: message?.replyTo ?? "" };
}

const refusal = {
  to: "@stay" as const,
  take: ({ language }: { language: "ru" | "en" }) => ({ refuse: texts[language].ask.unsupported }),
};

export const refusedMedia = {
  audio: refusal,
  video: refusal,
  document: refusal,
  sticker: refusal,
  other: refusal,
};
