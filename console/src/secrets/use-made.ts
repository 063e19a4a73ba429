import { useRef, useState } from "react";

/** Two dialogs in turn: the first asks, the second shows what was made, once. */
export function useMade<Made>(onClose: () => void) {
  const [made, setMade] = useState<Made | null>(null);
  const isMade = useRef(false);
  return {
    made,
    keep(answer: Made) {
      isMade.current = true;
      setMade(answer);
    },
    /** The first dialog closes when it has done its work, too; then nothing has ended yet. */
    closeAsking() {
      if (!isMade.current) onClose();
    },
  };
}
