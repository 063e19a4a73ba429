/** Begins a dialogue with a bot, as a customer does who has found it. */
import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import { readBots, type StartableBot } from "../api.ts";
import { useSettings } from "../settings.tsx";

export function NewDialogue() {
  const { texts } = useSettings();
  const [bots, setBots] = useState<readonly StartableBot[]>();

  const toggle = async () => setBots(bots ? undefined : await readBots().catch(() => []));
  return (
    <div className="new-dialogue">
      <button
        type="button"
        className="plain-button"
        aria-expanded={bots !== undefined}
        onClick={() => void toggle()}
      >
        <MessageSquarePlus size={16} aria-hidden /> {texts.newDialogue}
      </button>
      {bots && (
        <ul>
          {bots.length === 0 && <li>{texts.noBots}</li>}
          {bots.map(({ provider, name, title, about }) => (
            <li key={`${provider}/${name}`}>
              <a href={`#start/${provider}/${encodeURIComponent(name)}`} onClick={() => setBots(undefined)}>
                {title}
                {about !== undefined && <small>{about}</small>}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
