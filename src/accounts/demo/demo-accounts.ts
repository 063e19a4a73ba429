/** Fixed demo accounts, which the Telegram twin knows. */
export const demoAccounts = {
  people: [
    {
      id: "00000000-0000-7000-8000-0000000000a1",
      phone: "+79990000001",
      name: "Анна Риелтор",
      username: "anna_flats",
      mode: "aggressive",
    },
    {
      id: "00000000-0000-7000-8000-0000000000a2",
      phone: "+79990000002",
      name: "Борис Аренда",
      username: "boris_rent",
      mode: "smart",
    },
  ],
  /** The login code the twin sends to both. */
  code: "24680",
  chats: [
    { id: -1_009_990_000_001, title: "Аренда квартир: Москва", username: "arenda_moskva_demo" },
    { id: -1_009_990_000_002, title: "Снять без посредников", username: "bez_posrednikov_demo" },
    { id: -1_009_990_000_003, title: "Квартиры: центр и Хамовники", username: "centr_kvartiry_demo" },
    { id: -1_009_990_000_004, title: "Аренда у метро", username: "u_metro_demo" },
  ],
  /** Chats for the demo's join list. */
  toJoin: [
    { id: -1_009_990_000_011, title: "Комнаты и студии", username: "komnaty_studii_demo" },
    { id: -1_009_990_000_012, title: "Новостройки: аренда", username: "novostroyki_demo" },
    { id: -1_009_990_000_013, title: "Загород и дачи", username: "zagorod_demo" },
  ],
} as const;
