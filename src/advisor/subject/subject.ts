import type { z } from "zod";
import type { FirstAid, SafetyLevel } from "../../firstaid/index.ts";

/** What advice is about. Everything that knows the subject stands behind this. */
export interface Subject {
  /** The prompt that every question is asked by. */
  readonly prompt: string;
  readonly scenarios: readonly string[];
  /** A scenario by any of its names; undefined for a word that means none. */
  scenarioOf(word: string): string | undefined;
  readonly defaultScenario: string;
  /** How alarming the words are by themselves; it can only raise what the model says. */
  alarmIn(text: string): SafetyLevel;
  /** What to do at once when the words tell of an emergency. */
  firstAid(text: string, language: "ru" | "en"): FirstAid | undefined;
  /** The model says that it did not see what was sent. */
  deniesSight(answer: string): boolean;
  /** Somebody without Pro speaks of photos and should know what they are part of. */
  mentionsPhoto(text: string): boolean;
  readonly profile: ProfileSchema;
  readonly texts: Readonly<Record<"ru" | "en", SubjectTexts>>;
}

export type Profile = Readonly<Record<string, unknown>>;

export interface ProfileSchema {
  /** Base fields, which have columns. */
  readonly base: z.ZodType<BaseProfile>;
  /** What a client sent, laid out as it is stored, so that laying it over the stored one replaces only what it names. */
  arrange(given: Profile): Profile;
  /** What is stored of a profile: service keys out, blocks in order, values that mean nothing left out. */
  normalize(
    profile: Profile,
  ): { readonly ok: true; readonly profile: Profile } | { readonly ok: false; readonly fault: string };
  /** For the model, readable first. */
  describe(profile: Profile): string;
}

export interface BaseProfile {
  readonly type: string;
  readonly name: string | null;
  readonly sex: string;
  readonly birth_date: string | null;
  readonly age_text: string | null;
  readonly breed: string | null;
}

export interface SubjectTexts {
  /** A question that came without words. */
  readonly photoAlone: string;
  readonly audioAlone: string;
  /** Stands between first aid and the words of a model that saw no danger. */
  readonly otherwise: string;
  readonly upsell: { readonly title: string; readonly text: string; readonly cta: string };
  readonly photosArePro: string;
}
