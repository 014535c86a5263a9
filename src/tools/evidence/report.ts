import { coverageSections } from '../../client/coverage-sections.ts';
import type { EvidenceFile } from './evidence-file.ts';

type Condition = EvidenceFile['conditions'][number];
type Result = EvidenceFile['exam']['results'][number];

/** What makes a condition seen, by its id. */
export type Hints = (condition: string) => string | null;

/** The shares of a summary, in the order of the report. */
const KINDS = [
  ['documented conditions', ({ fidelity }: Condition) => fidelity === 'documented'],
  ['operations', ({ kind }: Condition) => kind === 'operation'],
  ['refusals', ({ kind }: Condition) => kind === 'refusal'],
  ['events', ({ kind }: Condition) => kind === 'event'],
  ['other conditions', ({ kind }: Condition) => kind === 'other'],
] as const;

/** How each verdict is marked. */
const TONES: Readonly<Record<Result['verdict'], string>> = {
  survived: 'good',
  broke: 'bad',
  'applied-twice': 'bad',
  accepted: 'bad',
  'not-exercised': 'open',
};

const STYLE = `
:root { color-scheme: light; --ink: #1d2530; --dim: #586474; --line: #d8dee6; --good: #14613b; --bad: #a3161f; --soft: #f5f7fa; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: #fff; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { margin: 0 0 .25rem; font-size: 1.7rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 2px solid var(--ink); font-size: 1.25rem; }
h3 { margin: 1.5rem 0 .4rem; font-size: 1rem; }
p { margin: .4rem 0; } .dim { color: var(--dim); }
code, pre { font: .86em/1.45 ui-monospace, SFMono-Regular, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: .4rem 0; padding: .6rem .75rem; background: var(--soft); border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 1rem 0; padding: 0; list-style: none; }
.tiles li { padding: .7rem .85rem; border: 1px solid var(--line); border-radius: 6px; }
.tiles strong { display: block; font-size: 1.35rem; line-height: 1.3; }
.bar { height: 5px; margin-top: .45rem; background: var(--line); border-radius: 3px; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--good); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 600; color: var(--dim); font-size: .85rem; }
th, td { padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; }
.mark { width: 7rem; white-space: nowrap; } .number { width: 5rem; text-align: right; white-space: nowrap; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; } .open { color: var(--dim); }
.id { display: block; } .note { display: block; color: var(--dim); font-size: .87em; overflow-wrap: anywhere; }
.finding { margin: 1rem 0; padding: .75rem 1rem; border-left: 4px solid var(--bad); background: var(--soft); }
.finding h3 { margin-top: 0; }
@media (max-width: 40rem) {
  body { padding: 1.25rem 1rem 3rem; font-size: 14px; }
  .mark { width: 5.2rem; white-space: normal; } .number { width: 2.6rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
  .tiles { grid-template-columns: 1fr 1fr; }
}
@media print {
  @page { margin: 16mm 14mm; }
  body { max-width: none; padding: 0; font-size: 10pt; print-color-adjust: exact; }
  h2, h3, tr, .tiles li, .finding { break-inside: avoid; } h2, h3 { break-after: avoid; }
  thead { display: table-header-group; }
}`;

/** Writes the report that a person reads: one HTML file without scripts, which loads nothing. */
export function writeReport(evidence: EvidenceFile, hints: Hints): string {
  const { cardSandbox, conditions, exam, environment, seed, profile } = evidence;
  const { command, startedAt, durationMs, node, platform, arch } = environment;
  const facts = {
    Command: `<code>${escapeText(command)}</code>`,
    'Tried on': `${escapeText(startedAt)}, in ${Math.round(durationMs / 1_000)} s`,
    Interface: `version ${escapeText(evidence.interface)}`,
    'card-sandbox': `${escapeText(cardSandbox)}, seed ${seed}, ${profile === null ? 'no profile' : 'with a profile'}`,
    Machine: escapeText(`Node.js ${node}, ${platform} ${arch}`),
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evidence of an integration</title>
<style>${STYLE}
</style>
</head>
<body>
<header>
<h1>Evidence of an integration</h1>
<p class="dim">What a command was seen to do with the card-issuing API, and what it survives.</p>
<dl>${Object.entries(facts)
    .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
    .join('\n')}</dl>
</header>
<main>
${summary(evidence)}
${findings(exam)}
<h2>Conditions of the interface</h2>
<p>Each operation with its successes and its refusals, each webhook, and what else the interface states. <em>Documented</em> is what the interface states, <em>assumed</em> is what the sandbox decides where the interface is silent.</p>
${coverageSections(conditions)
  .map(({ section, conditions: own }) => sectionTable(section, own, hints))
  .join('\n')}
<h2>Misbehaviours of network and service</h2>
${examTable(exam)}
<h2>How to check this folder</h2>
<p>The folder holds every request with its response. This command plays them again and compares the responses, the conditions and the verdicts:</p>
<pre>npx card-sandbox@${escapeText(cardSandbox)} evidence verify .</pre>
<p>The files are as they were written if this command finds no difference. It does not show who wrote them; a signature of <code>MANIFEST</code> does.</p>
<pre>sha256sum -c MANIFEST</pre>
</main>
</body>
</html>
`;
}

function summary({ conditions, exam: { baseline, summary: counts } }: EvidenceFile): string {
  const tiles = KINDS.map(([name, isMeant]) => {
    const meant = conditions.filter(isMeant);
    const seen = meant.filter(({ count }) => count > 0).length;
    const percent = meant.length === 0 ? 100 : Math.floor((100 * seen) / meant.length);
    return `<li><strong>${seen} of ${meant.length}</strong>${name}<div class="bar"><i style="width:${percent}%"></i></div></li>`;
  });
  const found = counts.broke + counts.appliedTwice + counts.accepted;
  const passed = baseline === 'passed';
  const verdict = passed
    ? `<p>The command passed. Of the misbehaviours it survived ${counts.survived}; <span class="${found === 0 ? 'good' : 'bad'}">${found === 0 ? 'nothing was found' : `${found} are findings`}</span>; ${counts.notExercised} were not exercised.</p>`
    : '<p class="bad">The command failed without any misbehaviour, so there was no exam.</p>';
  return `<ul class="tiles">${tiles.join('')}</ul>\n${verdict}`;
}

function findings({ causes, results }: EvidenceFile['exam']): string {
  if (causes.length === 0) return '';
  const blocks = causes.map(({ title, results: ids, lines }) => {
    const details = results.filter(({ id }) => ids.includes(id));
    return `<div class="finding"><h3>${escapeText(title)}</h3><p>${details.map(({ id, verdict }) => `<code>${escapeText(id)}</code> <span class="bad">${verdict}</span>`).join(', ')}</p>${lines.length === 0 ? '' : `<pre>${escapeText(lines.join('\n'))}</pre>`}</div>`;
  });
  return `<h2>Findings</h2>\n${blocks.join('\n')}`;
}

function sectionTable(section: string, conditions: readonly Condition[], hints: Hints): string {
  const seen = conditions.filter(({ count }) => count > 0).length;
  const rows = conditions.map(each => {
    const { id, fidelity, section: own, count, firstAt } = each;
    const hint = count > 0 ? null : hints(id);
    const mark = count > 0 ? '<span class="good">✓ seen</span>' : '<span class="open">– not seen</span>';
    const note = count > 0 ? `, first ${escapeText(firstAt ?? '')}` : '';
    return `<tr><td class="mark">${mark}</td><td><code class="id">${escapeText(id)}</code><span class="note">(${fidelity}, ${escapeText(own)})${note}</span>${hint === null ? '' : `<span class="note">${escapeText(hint)}</span>`}</td><td class="number">${count > 0 ? `${count}×` : ''}</td></tr>`;
  });
  return `<section><h3>Section ${escapeText(section)} <span class="dim">${seen} of ${conditions.length} seen</span></h3>
<table><tbody>${rows.join('\n')}</tbody></table></section>`;
}

function examTable({ results }: EvidenceFile['exam']): string {
  if (results.length === 0) return '<p>There was no exam.</p>';
  const rows = results.map(({ id, kind, verdict, detail, remarks }) => {
    const [reason = '', ...lines] = detail.split('\n');
    const more = lines.length === 0 ? '' : `<pre>${escapeText(lines.join('\n'))}</pre>`;
    const notes = [reason, ...remarks].map(each => `<span class="note">${escapeText(each)}</span>`);
    return `<tr><td class="mark"><span class="${TONES[verdict]}">${verdict}</span></td><td><code class="id">${escapeText(id)}</code>${notes.join('')}${more}</td><td class="number">${kind}</td></tr>`;
  });
  return `<table><thead><tr><th>Verdict</th><th>Misbehaviour</th><th class="number">Kind</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function escapeText(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, mark => marks[mark] ?? mark);
}
