import type { Misbehaviour } from '../../../tools/exam/misbehaviour.ts';
import { colour, lineWidth } from '../../output/print.ts';
import { wrapText } from '../../output/show.ts';

const MARGIN = '    ';

/** Formats misbehaviours for people, or as JSON. */
export function catalogueText(misbehaviours: readonly Misbehaviour[], asJson: boolean): string {
  if (asJson) {
    return JSON.stringify(misbehaviours.map(({ id, kind, why, sound }) => ({ id, kind, why, sound })));
  }
  const lines = (text: string) => wrapText(text, lineWidth() - MARGIN.length).map(line => MARGIN + line);
  return misbehaviours
    .flatMap(({ id, kind, why, sound }) => [
      `${colour.bold(id)} (${kind})`,
      ...lines(why),
      ...lines(sound).map(line => colour.dim(line)),
    ])
    .join('\n');
}
