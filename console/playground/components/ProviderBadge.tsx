/** Which messenger a chat lives in. */
import { Send } from "lucide-react";

/** Names as the providers write them; another twin shows under its own name. */
const names: Readonly<Record<string, string>> = {
  telegram: "Telegram",
  "telegram-account": "Telegram MTProto",
  max: "MAX",
  openrouter: "OpenRouter",
  openai: "OpenAI",
};

export function providerName(provider: string): string {
  return names[provider] ?? provider;
}

export function ProviderBadge({ provider }: { provider: string }) {
  const name = providerName(provider);
  return (
    <span className="provider-badge" data-provider={provider} role="img" aria-label={name} title={name}>
      {provider === "telegram" ? <Send size={10} strokeWidth={2.6} aria-hidden /> : name.slice(0, 1)}
    </span>
  );
}
