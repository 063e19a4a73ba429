/** A token of a Telegram bot: its number, a colon, 35 characters. */
const botToken = /(?<!\d)\d{6,16}:[\w-]{35}(?![\w-])/;
/** A key of VK, alone or in the address that VK shows. */
const vkToken = /vk1\.a\.[\w-]{20}/;
/** An application password of WordPress as it is shown: six groups of four. */
const appPassword = /^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/;
/** Six short words of a sentence have neither. */
const mixed = /\d|[a-z][A-Z]/;

/** A secret that comes when nobody asks for it any more must not stay in the chat. */
export function looksSecret(text: string): boolean {
  const words = text.trim();
  return botToken.test(words) || vkToken.test(words) || (appPassword.test(words) && mixed.test(words));
}
