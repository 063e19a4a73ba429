import { alarmIn, emergencyIn, firstAidFor } from "../../firstaid/index.ts";
import { petProfile } from "./pet-profile.ts";
import { petTexts } from "./pet-texts.ts";
import { deniesSight, mentionsPhoto } from "./photos.ts";
import type { Subject } from "./subject.ts";

const scenarios = ["emergency", "care", "prevention", "other"] as const;

/** Names that older clients use. */
const otherNames: Readonly<Record<string, string>> = { vaccines: "prevention", health: "prevention" };

export const pets: Subject = {
  prompt: "advisor-pets",
  scenarios,
  scenarioOf: (word) => scenarios.find((each) => each === word) ?? otherNames[word],
  defaultScenario: "other",
  alarmIn,
  firstAid(text, language) {
    const emergency = emergencyIn(text);
    return emergency && firstAidFor(emergency, language);
  },
  deniesSight,
  mentionsPhoto,
  profile: petProfile,
  texts: petTexts,
};
