export const style = `
:root { --accent: #0a5cff; color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f2f4f8; color: #14171f; font: 16px/1.45 system-ui, "Noto Sans", sans-serif; padding: 24px 16px; }
main { width: 100%; max-width: 460px; margin: 0 auto; background: #fff; border-radius: 24px; padding: 28px 32px 24px;
  box-shadow: 0 12px 40px rgb(20 20 40 / 10%); }
main.wide { max-width: 980px; overflow-x: auto; }
header { display: flex; align-items: baseline; justify-content: space-between; margin-bottom: 20px; }
.brand { font-size: 20px; color: var(--accent); }
small, .note, .shop { color: #646a78; }
small, .note { font-size: 13px; }
.shop { margin: 0; }
h1 { font-size: 32px; margin: 2px 0 6px; font-variant-numeric: tabular-nums; }
h2 { margin: 20px 0 6px; }
fieldset { border: 0; padding: 0; margin: 18px 0; display: grid; gap: 8px; }
legend { font-size: 13px; color: #646a78; padding: 0; margin-bottom: 8px; }
fieldset label { display: flex; gap: 10px; align-items: center; padding: 11px 14px; border: 1.5px solid #e1e4ea; border-radius: 14px; cursor: pointer; }
fieldset label:has(:checked) { border-color: var(--accent); }
.field { display: grid; gap: 6px; font-size: 13px; color: #646a78; }
.field input, .field select { font: inherit; font-size: 16px; color: #14171f; padding: 11px 14px; border: 1.5px solid #e1e4ea; border-radius: 14px; background: #fff; width: 100%; }
button, a.pay { font: inherit; font-weight: 600; border: 0; border-radius: 14px; padding: 13px 18px; background: #e8ebf1; color: inherit; cursor: pointer; }
.pay { display: block; width: 100%; margin: 16px 0; background: var(--accent) !important; color: #fff !important; text-align: center; text-decoration: none; }
.decline { display: grid; gap: 10px; padding: 16px 0; border-top: 1px solid #e8ebf1; }
.leave { display: block; text-align: center; color: #646a78; }
button:focus-visible, a:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, white); outline-offset: 2px; }
.refund { display: flex; gap: 8px; }
.refund input { font: inherit; width: 7em; padding: 6px 10px; border: 1.5px solid #e1e4ea; border-radius: 10px; }
.refund button { padding: 6px 12px; border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 8px 12px 8px 0; border-bottom: 1px solid #e8ebf1; vertical-align: top; }
th { font-size: 13px; color: #646a78; font-weight: 500; }
`;
