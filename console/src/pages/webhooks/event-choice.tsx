import { useState } from "react";
import { usePageTexts } from "../../texts/index.ts";
import { CheckField } from "../../ui/index.ts";
import { eventTypes } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  /** Null: all of them. */
  readonly types: readonly string[] | null;
  readonly fault?: string | undefined;
}

/** Which events a receiver is told of. */
export function EventChoice({ types, fault }: Props) {
  const texts = usePageTexts({ ru, en });
  const [isAll, setAll] = useState(types === null);
  return (
    <fieldset className="choices">
      <legend>{texts.events}</legend>
      <CheckField
        label={texts.allEvents}
        hint={texts.allEventsHint}
        name="all_types"
        checked={isAll}
        onChange={(event) => setAll(event.target.checked)}
      />
      {!isAll &&
        eventTypes.map((type) => (
          <CheckField
            key={type}
            label={texts.types[type]}
            hint={type}
            name="types"
            value={type}
            defaultChecked={types?.includes(type) ?? false}
          />
        ))}
      {fault && (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

export function typesIn(form: FormData): string[] | null {
  return form.has("all_types") ? null : form.getAll("types").map(String);
}
