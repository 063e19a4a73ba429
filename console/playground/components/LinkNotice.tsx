/** Says that the page has lost its connection to the twins. Hidden otherwise. */
import { WifiOff } from "lucide-react";
import type { State } from "../model/state.ts";
import { useSettings } from "../settings.tsx";

export function LinkNotice({ link }: { link: State["link"] }) {
  const { texts } = useSettings();
  return (
    <div className="link-notice" role="status">
      {link === "lost" && (
        <p>
          <WifiOff size={16} aria-hidden /> {texts.disconnected}
        </p>
      )}
    </div>
  );
}
