import { locale } from "../../preferences/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { type CalendarProps, Cell } from "./cell.tsx";
import { dayWords, longDay } from "./day-words.ts";
import { dayOf, groupedBy } from "./entry-words.ts";
import type { Entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const most = 3;

/** Seven days by hours. */
export function WeekGrid({ days, today, entries, onDrop, ...rest }: CalendarProps) {
  const texts = usePageTexts({ ru, en });
  const language = locale.use();
  const places = groupedBy(entries, placeOf);
  const counts = groupedBy(entries, dayOf);
  return (
    <div className="calendar-frame card">
      <table className="calendar week">
        <caption className="unseen">{texts.calendar(texts.views.week)}</caption>
        <thead>
          <tr>
            <td />
            {days.map((day) => (
              <th
                key={day}
                scope="col"
                className={day === today ? "today" : undefined}
                aria-current={day === today ? "date" : undefined}
              >
                <span>{dayWords(day, language, { weekday: "short" })}</span>{" "}
                <strong>{dayWords(day, language, { day: "numeric" })}</strong>
                <small>{texts.count(counts.get(day)?.length ?? 0)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour}>
              <th scope="row">{clock(hour)}</th>
              {days.map((day) => (
                <Cell
                  {...rest}
                  key={day}
                  className={day === today ? "today" : day < today ? "past" : ""}
                  name={`${dayWords(day, language, longDay)}, ${clock(hour)}`}
                  most={most}
                  entries={places.get(`${day} ${pad(hour)}`) ?? []}
                  onDrop={(id) => onDrop(id, { day, hour })}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const pad = (hour: number) => String(hour).padStart(2, "0");
const clock = (hour: number) => `${pad(hour)}:00`;
const placeOf = ({ local }: Entry) => local.slice(0, 13);
