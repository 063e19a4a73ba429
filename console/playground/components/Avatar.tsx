import { faceOf } from "../model/avatar.ts";
import { ProviderBadge } from "./ProviderBadge.tsx";

interface Props {
  readonly title: string;
  readonly provider?: string;
  readonly size: "s" | "m" | "l";
}

export function Avatar({ title, provider, size }: Props) {
  const { initials, palette } = faceOf(title);
  return (
    <span className="avatar" data-size={size} data-palette={palette}>
      <span aria-hidden>{initials}</span>
      {provider !== undefined && <ProviderBadge provider={provider} />}
    </span>
  );
}
