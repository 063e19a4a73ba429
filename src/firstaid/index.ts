/** Signs of an emergency in what people write about a pet, and what to do about them at once. Knows no model and no messenger. */
export { type FirstAid, firstAidFor } from "./first-aid.ts";
export {
  alarmIn,
  type Emergency,
  emergencyIn,
  emergencyKinds,
  type SafetyLevel,
  safetyLevels,
} from "./signs.ts";
