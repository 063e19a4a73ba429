/** Detects emergencies in what people write about a pet, and gives first aid. Independent of models and messengers. */

export {
  alarmIn,
  type Emergency,
  emergencyIn,
  emergencyKinds,
  type SafetyLevel,
  safetyLevels,
} from "./emergency-signs.ts";
export { type FirstAid, firstAidFor } from "./first-aid.ts";
