import type { Exchange } from '../../evidence.ts';
import { activeCard, changeCard, tryToIssue } from '../lab/cards.ts';
import type { Lab } from '../lab/lab.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { isInvalid, isOk, messageOf, textOf } from '../service/responses.ts';

const STYLESHEET = 'https://card-sandbox-calibration.example.com/card.css';
const CARD = 'an active card: --var cardholderId=…, for whom one is issued';
const GONE = 410;

/** Probes of the link that shows a card. They use the links up, and never keep what the pages show. */
export const revealProbes: readonly Probe[] = [
  {
    id: 'stylesheet-url',
    needs: 'write',
    takes: CARD,
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      const link = await newLink(lab, { copyPan: false });
      const seen = `a reveal link without stylesheetUrl gets a ${link.status}${messageOf(link) && `: ${messageOf(link)}`}`;
      if (isOk(link)) return measurement('optional', seen, link);
      if (isInvalid(link)) return measurement('required', seen, link);
      throw new Undecided(this.takes, link);
    },
  },
  {
    id: 'copy-pan-default',
    needs: 'write',
    takes: 'a card view that shows whether the number can be copied',
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      const [without, on, off] = [
        await openLink(lab, {}),
        await openLink(lab, { copyPan: true }),
        await openLink(lab, { copyPan: false }),
      ];
      if (on.copies === off.copies || ![on.copies, off.copies].includes(without.copies)) {
        throw new Undecided(this.takes, without.link);
      }
      const value = without.copies === on.copies;
      const seen = `the card view without copyPan is like the one with copyPan ${value}`;
      return measurement(value, seen, without.link, on.link, off.link);
    },
  },
  {
    id: 'reveal',
    needs: 'write',
    takes: CARD,
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      const { link, page } = await openLink(lab, {});
      const again = await lab.service.page(textOf(link.body, 'accessUrl'));
      const { cancelled, refused } = await ofCancelledCard(lab);
      const seen = `the link gets a ${page.status} once and then a ${again.exchange.status}; for a cancelled card there is a ${refused.status}`;
      const holds = page.status === 200 && again.exchange.status === GONE && isInvalid(refused);
      return finding(holds, seen, link, page, again.exchange, cancelled, refused);
    },
  },
];

async function newLink(
  lab: Lab,
  body: Readonly<Record<string, unknown>>,
  cardId?: string,
): Promise<Exchange> {
  return lab.service.post(`/partner/cards/${cardId ?? (await activeCard(lab))}/reveal-html`, body);
}

/** Opens a link. `copies` counts what on the page is about copying. */
async function openLink(lab: Lab, body: Readonly<Record<string, unknown>>) {
  const link = await newLink(lab, { stylesheetUrl: STYLESHEET, ...body });
  const url = textOf(link.body, 'accessUrl');
  if (!isOk(link) || !URL.canParse(url)) throw new Undecided('a reveal link', link);
  const { exchange, text } = await lab.service.page(url, { accept: 'text/html' });
  return { link, page: exchange, copies: text.match(/copy/gi)?.length ?? 0 };
}

async function ofCancelledCard(lab: Lab) {
  const issued = await tryToIssue(lab);
  if (!isOk(issued)) throw new Undecided('a second card', issued);
  const id = textOf(issued.body, 'id');
  const cancelled = await changeCard(lab, id, 'cancel');
  return { cancelled, refused: await newLink(lab, { stylesheetUrl: STYLESHEET }, id) };
}
