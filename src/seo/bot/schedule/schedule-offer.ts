import type { Language, ScreenKey } from "../../../dialogs/index.ts";
import type { SchedulePlace } from "../../schedules/schedules.ts";
import { texts } from "../texts/index.ts";

/** Buttons that offer a schedule after a publication; they lead to `schedule:{category}:{connection}:{@preset}`. */
export function scheduleOffer(
  { categoryId, connectionId }: SchedulePlace,
  language: Language,
): ScreenKey[][] {
  const say = texts[language].schedule.offer;
  const at = (preset: string) => `schedule:${categoryId}:${connectionId}:${preset}`;
  return [
    [{ label: say.workdays, to: at("workdays") }],
    [{ label: say.thrice, to: at("thrice") }],
    [{ label: say.manual, to: at("manual") }],
    [{ label: say.later, to: at("later") }],
  ];
}
