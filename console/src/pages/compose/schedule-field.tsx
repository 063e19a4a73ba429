import { useState } from "react";
import { usePageTexts } from "../../texts/index.ts";
import { TextField } from "../../ui/index.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { localIn, momentIn } from "./zone.ts";

interface Props {
  readonly zone: string;
  readonly value: string | null;
  readonly fault: string | undefined;
  readonly onChange: (value: string | null, fault: string | undefined) => void;
}

/** When the post goes out, by the clock of a zone that is named. */
export function ScheduleField({ zone, value, fault, onChange }: Props) {
  const { when: texts } = usePageTexts({ ru, en });
  const [isLater, setIsLater] = useState(value !== null);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const shown = value ? localIn(zone, new Date(value)) : (typed ?? "");
  const isPast = value !== null && new Date(value) <= new Date();
  const type = (local: string) => {
    setTyped(local);
    if (local === "") return onChange(null, texts.missing);
    const moment = momentIn(zone, local);
    if (!moment) return onChange(null, texts.leapt);
    onChange(moment.toISOString(), undefined);
  };
  return (
    <div className="schedule">
      <div role="radiogroup" aria-label={texts.title} className="choices">
        <label>
          <input
            type="radio"
            name="when"
            checked={!isLater}
            onChange={() => {
              setIsLater(false);
              setTyped(undefined);
              onChange(null, undefined);
            }}
          />
          {texts.now}
        </label>
        <label>
          <input
            type="radio"
            name="when"
            checked={isLater}
            onChange={() => {
              setIsLater(true);
              onChange(null, texts.missing);
            }}
          />
          {texts.later}
        </label>
      </div>
      {isLater && (
        <TextField
          type="datetime-local"
          label={texts.at(zone)}
          fault={isPast ? texts.past : typed === undefined ? undefined : fault}
          value={shown}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </div>
  );
}
