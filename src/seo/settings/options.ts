/** What people choose from for texts and pictures. The first lists are the document's; tones, cameras and angles are ours. */

export const textStyles = [
  "Рекламный",
  "Мотивационный",
  "Дружелюбный",
  "Разговорный",
  "Профессиональный",
  "Креативный",
  "Информативный",
  "С юмором",
] as const;

export const htmlStyles = [
  "Новостной",
  "Блог",
  "Журнальный",
  "Корпоративный",
  "Минималистичный",
  "Креативный",
  "Академический",
  "E-commerce",
  "Лендинг",
  "Портфолио",
] as const;

export const imageFormats = ["2:3", "1:1", "4:5", "9:16", "3:4", "16:9"] as const;
export const imageStyles = ["Фотореализм", "Аниме", "Масло", "Акварель", "Мультяшный", "Минимализм"] as const;
export const imageQualities = ["HD", "Ultra HD", "8K"] as const;
export const imageTones = [
  "Нейтральный",
  "Тёплый",
  "Холодный",
  "Яркий",
  "Пастельный",
  "Тёмный",
  "Чёрно-белый",
] as const;
export const imageCameras = [
  "Зеркальная камера",
  "Смартфон",
  "Плёнка",
  "Макросъёмка",
  "Широкоугольный объектив",
  "Портретный объектив",
  "Дрон",
] as const;
export const imageAngles = [
  "На уровне глаз",
  "Сверху",
  "Снизу",
  "Сбоку",
  "Крупный план",
  "Общий план",
  "Деталь",
] as const;

export const imagesAtMost = 10;
export const words = { least: 50, most: 5_000 } as const;
