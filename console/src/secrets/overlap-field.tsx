import { usePageTexts } from "../texts/index.ts";
import { SelectField } from "../ui/index.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const overlaps = [
  { seconds: 0, name: "none" },
  { seconds: 3600, name: "hour" },
  { seconds: 86_400, name: "day" },
  { seconds: 604_800, name: "week" },
] as const;

/** How long the old secret works beside the new one, as `overlap_seconds`. */
export function OverlapField({ hint }: { hint: string }) {
  const texts = usePageTexts({ ru, en });
  return (
    <SelectField label={texts.overlap} hint={hint} name="overlap_seconds" defaultValue={86_400}>
      {overlaps.map(({ seconds, name }) => (
        <option key={name} value={seconds}>
          {texts.overlaps[name]}
        </option>
      ))}
    </SelectField>
  );
}
