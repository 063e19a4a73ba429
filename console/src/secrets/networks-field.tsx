import { usePageTexts } from "../texts/index.ts";
import { AreaField } from "../ui/index.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly networks?: readonly string[];
  readonly fault: (pointer: string) => string | undefined;
}

/** From where something may be used: networks on lines of their own. */
export function NetworksField({ networks = [], fault }: Props) {
  const texts = usePageTexts({ ru, en });
  // The server points at the line that is wrong, and a person has the whole field before them.
  const wrong = [fault("/networks"), ...Array.from({ length: 50 }, (_, at) => fault(`/networks/${at}`))];
  return (
    <AreaField
      label={texts.networks}
      hint={texts.networksHint}
      fault={wrong.find((words) => words !== undefined)}
      name="networks"
      rows={2}
      defaultValue={networks.join("\n")}
      spellCheck={false}
      autoComplete="off"
    />
  );
}
