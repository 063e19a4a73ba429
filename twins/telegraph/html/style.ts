/** Telegraph's look: one narrow column, headings without serifs, text with them. */
export const style = `
:root { color-scheme: light; --sans: "Helvetica Neue", Helvetica, Arial, "Noto Sans", sans-serif; --serif: Georgia, Cambria, "Noto Serif", "Times New Roman", serif; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: rgba(0, 0, 0, 0.8); font: 18px/1.58 var(--serif); -webkit-font-smoothing: antialiased; overflow-wrap: break-word; }
main { max-width: 732px; margin: 0 auto; padding: 21px 21px 80px; }
h1, h2, h3, h4, address { font-family: var(--sans); color: #000; }
h1 { margin: 21px 0 12px; font-size: 36px; font-weight: 700; line-height: 1.13; letter-spacing: -0.01em; }
address { margin-bottom: 18px; color: #79828b; font-size: 15px; font-style: normal; line-height: 18px; }
address a { color: #79828b; text-decoration: none; }
address a:hover { text-decoration: underline; }
.dot { padding: 0 7px; }
article > * { margin: 0 0 16px; }
article a { color: inherit; text-decoration: none; box-shadow: inset 0 -1px rgba(0, 0, 0, 0.6); }
article h3 { margin: 34px 0 10px; font-size: 24px; font-weight: 700; line-height: 1.22; }
article h4 { margin: 28px 0 8px; font-size: 19px; font-weight: 700; line-height: 1.3; }
article figure { margin: 0 -21px 22px; text-align: center; }
article img, article video { display: block; max-width: 100%; max-height: 600px; margin: 0 auto; }
figcaption { max-width: 580px; margin: 0 auto; padding: 8px 21px 0; color: #79828b; font: 15px/1.4 var(--sans); }
article blockquote { padding: 2px 0 2px 15px; border-left: 3px solid #000; font-style: italic; }
article blockquote > :last-child { margin-bottom: 0; }
article aside { padding: 6px 18px; font-size: 24px; font-style: italic; line-height: 1.4; text-align: center; }
article ul, article ol { padding-left: 30px; }
article li { padding-left: 4px; margin-bottom: 5px; }
article li > ul, article li > ol { margin-top: 5px; }
article hr { width: 50%; margin: 28px auto; border: 0; border-top: 1px solid #dcdcdc; }
code { padding: 2px 4px; border-radius: 3px; background: rgba(0, 0, 0, 0.05); font: 15px/1.5 Menlo, Consolas, "Noto Sans Mono", monospace; }
article pre { overflow-x: auto; padding: 10px 14px; border-radius: 4px; background: rgba(0, 0, 0, 0.05); font: 15px/1.5 Menlo, Consolas, "Noto Sans Mono", monospace; white-space: pre; overflow-wrap: normal; }
pre code { padding: 0; background: none; }
.embed { padding: 40px 21px; background: #f4f5f6; font: 15px/1.4 var(--sans); text-align: center; }
.pages { margin: 12px 0 0; padding: 0; list-style: none; }
.pages a { display: block; overflow: hidden; padding: 18px 0; border-top: 1px solid #ececec; color: inherit; text-decoration: none; }
.pages img { float: right; width: 132px; height: 88px; margin: 4px 0 4px 18px; border-radius: 4px; object-fit: cover; }
.pages h2 { margin: 0 0 4px; font-size: 20px; line-height: 1.25; }
.pages a:hover h2 { text-decoration: underline; }
.pages p { display: -webkit-box; overflow: hidden; margin: 0 0 8px; font-size: 16px; line-height: 1.45; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.pages address { margin: 0; font-size: 14px; }
@media (max-width: 640px) { h1 { font-size: 30px; } .pages img { width: 96px; height: 72px; } }
`;
