import type { NewObject } from "../objects/object-schema.ts";

export function demoFlats(pictures: string): readonly (NewObject & { readonly external_ref: string })[] {
  const photo = (name: string) => [{ url: `${pictures}/${name}.jpg` }];
  return [
    {
      external_ref: "demo-khamovniki-2",
      title: "Двухкомнатная в Хамовниках",
      fields: {
        room_type: "2-комнатная",
        districts: ["Хамовники"],
        price: 120_000,
        area: 58,
        metro: "Фрунзенская",
      },
      texts: {
        default:
          "<b>2-комнатная в Хамовниках, 58 м²</b>\n\n📍 7 минут до метро «Фрунзенская»\n🛋 Мебель, посудомойка, окна во двор\n" +
          "💰 <b>120 000 ₽</b> в месяц, залог в два платежа\n\nСобственник, без комиссии.",
        compact: "<b>2к, Хамовники, 58 м², 120 000 ₽</b> — «Фрунзенская» 7 мин, собственник",
      },
      photos: photo("city"),
    },
    {
      external_ref: "demo-sokol-studio",
      title: "Студия на Соколе",
      fields: { room_type: "студия", districts: ["Сокол"], price: 62_000, area: 26, metro: "Сокол" },
      texts: {
        default:
          "<b>Светлая студия на Соколе, 26 м²</b>\n\n📍 Метро «Сокол», 4 минуты пешком\n🌿 Тихий двор, вид на парк\n" +
          "💰 <b>62 000 ₽</b>, счётчики отдельно\n\nМожно с кошкой.",
        compact: "<b>Студия, Сокол, 26 м², 62 000 ₽</b> — можно с кошкой",
      },
      photos: [],
    },
    {
      external_ref: "demo-tagansky-1",
      title: "Однокомнатная у Таганской",
      fields: {
        room_type: "1-комнатная",
        districts: ["Таганский"],
        price: 79_000,
        area: 38,
        metro: "Таганская",
      },
      texts: {
        default:
          "<b>1-комнатная у «Таганской», 38 м²</b>\n\n🏠 Сталинский дом, потолки 3,1 м\n☕ Большая кухня, новая техника\n" +
          "💰 <b>79 000 ₽</b> + свет и вода\n\nПоказы ежедневно с 10 до 20.",
        compact: "<b>1к, Таганская, 38 м², 79 000 ₽</b> — потолки 3,1 м, показы ежедневно",
      },
      photos: photo("city"),
    },
    {
      external_ref: "demo-butovo-3",
      title: "Трёхкомнатная в Бутове",
      fields: {
        room_type: "3-комнатная",
        districts: ["Южное Бутово"],
        price: 85_000,
        area: 74,
        metro: "Бунинская аллея",
      },
      texts: {
        default:
          "<b>3-комнатная в Южном Бутове, 74 м²</b>\n\n👨‍👩‍👧 Для семьи: две спальни, детская площадка под окном\n" +
          "📍 «Бунинская аллея», 10 минут\n💰 <b>85 000 ₽</b> в месяц",
        compact: "<b>3к, Южное Бутово, 74 м², 85 000 ₽</b> — для семьи",
      },
      photos: photo("lake"),
    },
  ];
}
