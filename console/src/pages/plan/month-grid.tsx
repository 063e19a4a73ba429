import { locale } from "../../preferences/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { type CalendarProps, Cell } from "./cell.tsx";
import { dayWords, longDay } from "./day-words.ts";
import { addDays, weekdayOf } from "./days.ts";
import { dayOf, groupedBy } from "./entry-words.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const most = 3;
/** A Monday. */
const someMonday = "2024-01-01";

/** The days of a month by weeks. */
export function MonthGrid({ days, today, entries, onDrop, ...rest }: CalendarProps) {
  const texts = usePageTexts({ ru, en });
  const language = locale.use();
  const byDay = groupedBy(entries, dayOf);
  const first = days[0] ?? today;
  const last = days.at(-1) ?? first;
  const monday = addDays(first, -weekdayOf(first));
  const weeks = Math.ceil((weekdayOf(first) + days.length) / 7);
  return (
    <div className="calendar-frame card">
      <table className="calendar month">
        <caption className="unseen">{texts.calendar(texts.views.month)}</caption>
        <thead>
          <tr>
            {sevenFrom(someMonday).map((day) => (
              <th key={day} scope="col">
                {dayWords(day, language, { weekday: "short" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: weeks }, (_, week) => sevenFrom(addDays(monday, week * 7))).map((week) => (
            <tr key={week[0]}>
              {week.map((day) =>
                day < first || day > last ? (
                  <td key={day} className="cell outside" />
                ) : (
                  <Cell
                    {...rest}
                    key={day}
                    className={day === today ? "today" : day < today ? "past" : ""}
                    name={dayWords(day, language, longDay)}
                    most={most}
                    entries={byDay.get(day) ?? []}
                    onDrop={(id) => onDrop(id, { day })}
                  >
                    <span className="cell-day" aria-current={day === today ? "date" : undefined}>
                      {dayWords(day, language, { day: "numeric" })}
                    </span>
                  </Cell>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sevenFrom(day: string): readonly string[] {
  return Array.from({ length: 7 }, (_, at) => addDays(day, at));
}
