export const STYLE = `
:root { color-scheme: light dark; --ground: #f3f5f9; --sheet: #fff; --line: #d5dae4; --text: #1b2438; --soft: #4a5670; --edge: #7a869f; --action: #2f4fc4; --action-hover: #24409f; --on-action: #fff; --bad: #b3261e; --bad-ground: #fdf1f0; --good: #1a6b3c; }
@media (prefers-color-scheme: dark) {
:root { --ground: #11161f; --sheet: #1a212e; --line: #333d50; --text: #eef1f7; --soft: #b4bfd3; --edge: #77849d; --action: #9db4ff; --action-hover: #b9c9ff; --on-action: #101828; --bad: #ffb4ab; --bad-ground: #3a1f1e; --good: #86dba8; }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; padding: 1rem 1rem 2rem; color: var(--text); background: var(--ground); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.kyc-page { max-width: 34rem; margin: 0 auto; padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--sheet); overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h2 { margin: 0; font-size: 1rem; }
p { margin: 0; }
.kyc-lead { margin: 0.5rem 0 1.25rem; color: var(--soft); }
.kyc-fields { display: grid; gap: 1rem; }
.kyc-field { min-width: 0; }
label { display: block; margin-bottom: 0.25rem; font-size: 0.9375rem; font-weight: 550; }
.kyc-optional { color: var(--soft); font-weight: 400; }
input { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.5rem; color: inherit; background: var(--sheet); font: inherit; }
input[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
input:focus-visible, button:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
.kyc-hint, .kyc-error { margin-top: 0.25rem; font-size: 0.875rem; }
.kyc-hint { color: var(--soft); }
.kyc-error { color: var(--bad); font-weight: 550; }
.kyc-problem { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border: 1px solid var(--bad); border-radius: 0.5rem; color: var(--bad); background: var(--bad-ground); }
.kyc-problem ul { margin: 0.25rem 0 0; padding-left: 1.25rem; }
.kyc-problem a { color: inherit; }
.kyc-sandbox { margin-top: 2rem; padding: 1rem; border: 1px dashed var(--edge); border-radius: 0.5rem; }
.kyc-sandbox p { margin-top: 0.25rem; color: var(--soft); font-size: 0.9375rem; }
.kyc-reasons { margin-top: 1rem; }
.kyc-reasons summary { min-height: 1.5rem; color: var(--soft); cursor: pointer; }
.kyc-reasons label { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; margin: 0; font-weight: 400; }
.kyc-reasons input { width: 1.25rem; min-height: 1.25rem; margin: 0; flex: none; }
.kyc-actions { display: grid; gap: 0.75rem; margin-top: 1rem; }
button, .kyc-continue { display: inline-flex; align-items: center; justify-content: center; min-height: 3rem; padding: 0.5rem 1.25rem; border: 1px solid var(--action); border-radius: 0.5rem; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.kyc-approve, .kyc-continue { color: var(--on-action); background: var(--action); }
.kyc-approve:hover, .kyc-continue:hover { border-color: var(--action-hover); background: var(--action-hover); }
.kyc-reject { border-color: var(--edge); color: var(--text); background: transparent; }
.kyc-reject:hover { border-color: var(--bad); color: var(--bad); }
.kyc-mark { display: block; width: 3rem; height: 3rem; margin-bottom: 1rem; }
.kyc-mark-approved { color: var(--good); }
.kyc-mark-rejected, .kyc-mark-expired { color: var(--bad); }
.kyc-footer { max-width: 34rem; margin: 1rem auto 0; padding: 0 0.25rem; color: var(--soft); font-size: 0.8125rem; overflow-wrap: anywhere; }
@media (min-width: 30rem) {
body { padding-top: 3rem; }
.kyc-page { padding: 2rem; }
.kyc-fields { grid-template-columns: 1fr 1fr; }
.kyc-field:not(.kyc-half) { grid-column: 1 / -1; }
.kyc-actions { grid-template-columns: 2fr 1fr; }
}
`;
