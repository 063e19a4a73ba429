import type { z } from "zod";
import type { FirstAid, SafetyLevel } from "../../firstaid/index.ts";

/** The topic of the advice; all knowledge about it is behind this interface. */
export interface Subject {
  readonly prompt: string;
  readonly scenarios: readonly string[];
  /** A scenario by any of its names; undefined if unknown. */
  scenarioOf(word: string): string | undefined;
  readonly defaultScenario: string;
  /** Safety level of the words alone; can only raise the model's. */
  alarmIn(text: string): SafetyLevel;
  /** First aid if the words describe an emergency. */
  firstAid(text: string, language: "ru" | "en"): FirstAid | undefined;
  /** The model says that it cannot see the photo. */
  deniesSight(answer: string): boolean;
  /** The text mentions photos, which need Pro. */
  mentionsPhoto(text: string): boolean;
  readonly profile: ProfileSchema;
  readonly texts: Readonly<Record<"ru" | "en", SubjectTexts>>;
}

export type Profile = Readonly<Record<string, unknown>>;

export interface ProfileSchema {
  /** Fields with their own columns. */
  readonly base: z.ZodType<BaseProfile>;
  /** Converts client input to the stored layout, so that merging replaces only what it names. */
  arrange(given: Profile): Profile;
  /** Drops unknown keys and meaningless values. */
  normalize(
    profile: Profile,
  ): { readonly ok: true; readonly profile: Profile } | { readonly ok: false; readonly error: string };
  /** Text for the model. */
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
  /** For a file without text. */
  readonly photoAlone: string;
  readonly audioAlone: string;
  /** Between first aid and the answer of a model that saw no danger. */
  readonly otherwise: string;
  readonly upsell: { readonly title: string; readonly text: string; readonly cta: string };
  readonly photosArePro: string;
}
