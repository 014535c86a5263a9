/**
 * The style of the card view. Each rule has one class, so that a rule with one class in a partner's style sheet wins.
 * There is no colour scheme, because a frame with another scheme than its parent page is not transparent.
 */
export const STYLE = `
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; line-height: 1.4; }
.reveal-page { display: grid; place-content: center; grid-template-columns: minmax(0, 24rem); min-height: 100vh; min-height: 100dvh; padding: 0.75rem; }
.reveal-title { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.reveal-card { display: flex; flex-direction: column; justify-content: space-between; gap: 1rem; min-height: 13.5rem; padding: 1.25rem 1.375rem; border-radius: 1rem; color: #f8fafc; background-color: #1b2438; background-image: radial-gradient(120% 140% at 100% 0%, #3b4a78 0%, rgb(59 74 120 / 0) 60%); box-shadow: 0 1px 2px rgb(15 23 42 / 0.25), 0 8px 20px -8px rgb(15 23 42 / 0.45); }
.reveal-head { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
.reveal-brand { font-size: 1.0625rem; font-weight: 700; letter-spacing: 0.01em; }
.reveal-badge { padding: 0.125rem 0.5rem; border: 1px solid #7f8db0; border-radius: 1rem; color: #e2e8f0; font-size: 0.75rem; }
.reveal-fields { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 0.875rem 1.25rem; margin: 0; }
.reveal-field { min-width: 0; }
.reveal-field-number { grid-column: 1 / -1; }
.reveal-label { color: #c3cce0; font-size: 0.75rem; }
.reveal-value { margin: 0.125rem 0 0; font-size: 1rem; font-weight: 500; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.reveal-number { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: clamp(1rem, 6vw, 1.375rem); letter-spacing: 0.02em; white-space: nowrap; }
.reveal-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; }
.reveal-copy { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; padding: 0.5rem 0.875rem; border: 1px solid #7f8db0; border-radius: 0.5rem; color: #f8fafc; background: #2c3858; font: inherit; font-size: 0.9375rem; font-weight: 500; cursor: pointer; }
.reveal-copy:hover { background: #3a486e; }
.reveal-copy:focus-visible { outline: 3px solid #fff; outline-offset: 2px; }
.reveal-copy-status { font-size: 0.875rem; }
.reveal-message { padding: 1.25rem 1.375rem; border-radius: 1rem; color: #f8fafc; background: #1b2438; overflow-wrap: anywhere; }
.reveal-message-title { margin: 0; font-size: 1.0625rem; font-weight: 650; }
.reveal-message-text { margin: 0.375rem 0 0; color: #c3cce0; font-size: 0.9375rem; }
`;
