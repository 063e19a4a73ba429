import { locale } from "../../preferences/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { CheckField, SelectField, TextField } from "../../ui/index.ts";
import { type Draft, gapIsWrong, weekdays } from "./channel-changes.ts";
import { dayWords } from "./day-words.ts";
import { addDays } from "./days.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const someMonday = "2024-01-01";

/** What decides when a channel posts: pace, hours, and whether it works. */
export function WhatIfFields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { ifs } = usePageTexts({ ru, en });
  const language = locale.use();
  return (
    <div className="what-if-fields">
      <TextField
        label={ifs.gap}
        hint={ifs.gapHint}
        fault={gapIsWrong(draft) ? ifs.gapWrong : undefined}
        inputMode="decimal"
        autoComplete="off"
        value={draft.gap}
        onChange={(event) => onChange({ ...draft, gap: event.target.value.trim() })}
      />
      <SelectField
        label={ifs.mode}
        value={draft.mode}
        onChange={(event) => onChange({ ...draft, mode: event.target.value })}
      >
        <option value="immediate">{ifs.modes.immediate}</option>
        <option value="windowed">{ifs.modes.windowed}</option>
      </SelectField>
      {draft.mode === "windowed" && (
        <>
          <TextField
            type="time"
            label={ifs.from}
            value={draft.from}
            required
            onChange={(event) => onChange({ ...draft, from: event.target.value })}
          />
          <TextField
            type="time"
            label={ifs.until}
            value={draft.until}
            required
            onChange={(event) => onChange({ ...draft, until: event.target.value })}
          />
          <fieldset className="what-if-days">
            <legend className="field-legend">{ifs.days}</legend>
            {weekdays.map((day, at) => (
              <label key={day}>
                <input
                  type="checkbox"
                  checked={draft.days.includes(day)}
                  onChange={(event) =>
                    onChange({
                      ...draft,
                      days: weekdays.filter((each) =>
                        each === day ? event.target.checked : draft.days.includes(each),
                      ),
                    })
                  }
                />
                {dayWords(addDays(someMonday, at), language, { weekday: "short" })}
              </label>
            ))}
          </fieldset>
        </>
      )}
      <CheckField
        label={ifs.enabled}
        checked={draft.enabled}
        onChange={(event) => onChange({ ...draft, enabled: event.target.checked })}
      />
    </div>
  );
}
