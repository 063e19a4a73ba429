/** Which messenger a chat lives in. */
import { Send } from "lucide-react";
import { useSettings } from "../settings.tsx";
import type { Texts } from "../texts/index.ts";

/** Names as the providers write them; another twin shows under its own name. */
const names: Readonly<Record<string, string>> = {
  telegram: "Telegram",
  max: "MAX",
  openrouter: "OpenRouter",
  openai: "OpenAI",
  telegraph: "Telegraph",
  wordpress: "WordPress",
  vk: "VK",
  pinterest: "Pinterest",
  yookassa: "YooKassa",
};

export function providerName(provider: string, texts: Texts): string {
  return provider === "telegram-account" ? texts.accounts : (names[provider] ?? provider);
}

export function ProviderBadge({ provider }: { provider: string }) {
  const name = providerName(provider, useSettings().texts);
  return (
    <span className="provider-badge" data-provider={provider} role="img" aria-label={name} title={name}>
      {provider === "telegram" || provider === "telegram-account" ? (
        <Send size={10} strokeWidth={2.6} aria-hidden />
      ) : (
        name.slice(0, 1)
      )}
    </span>
  );
}
