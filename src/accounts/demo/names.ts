/** The fixed names of the demo's accounts, known to the twin of Telegram. */
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
  /** What the twin sends to both of them as the code of every sign-in. */
  code: "24680",
  chats: [
    { id: -1_009_990_000_001, title: "Аренда квартир: Москва", username: "arenda_moskva_demo" },
    { id: -1_009_990_000_002, title: "Снять без посредников", username: "bez_posrednikov_demo" },
    { id: -1_009_990_000_003, title: "Квартиры: центр и Хамовники", username: "centr_kvartiry_demo" },
    { id: -1_009_990_000_004, title: "Аренда у метро", username: "u_metro_demo" },
  ],
  /** Chats to join by list, for whoever wants to see that. */
  toJoin: [
    { id: -1_009_990_000_011, title: "Комнаты и студии", username: "komnaty_studii_demo" },
    { id: -1_009_990_000_012, title: "Новостройки: аренда", username: "novostroyki_demo" },
    { id: -1_009_990_000_013, title: "Загород и дачи", username: "zagorod_demo" },
  ],
} as const;
