/** The server says them in English already. */
export const lossesEn: Readonly<Record<string, string>> = {};
