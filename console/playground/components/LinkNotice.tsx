/** Says that the page no longer hears the twins. Silent while all is well. */
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
