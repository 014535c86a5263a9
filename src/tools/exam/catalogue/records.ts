import {
  type BenignMisbehaviour,
  type Disturbance,
  type ExamHistory,
  MAX_PAGE_ROWS,
  type Misbehaviour,
} from '../misbehaviour.ts';

const READS_OF_PEOPLE = [
  'cardholders.create',
  'cardholders.get',
  'cardholders.list',
  'cards.issue',
  'cards.get',
  'cards.list',
];
const LISTS_OF_RECORDS = ['cardholders.list', 'cards.list', 'transactions.list', 'usage.list'];

const CROWD = MAX_PAGE_ROWS + 1;
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4);

/** A name as people have it, with everything that programs stumble over. */
const UNUSUAL = { firstName: "Zoë 美咲 O'Brien 🎉", lastName: `Достоевская, الزهراء-${LONG_NAME}` };

const NAMES = [
  UNUSUAL,
  { firstName: LONG_NAME, lastName: LONG_NAME },
  { firstName: 'Ольга', lastName: 'Достоевская' },
  { firstName: '美咲', lastName: '鈴木' },
  { firstName: 'فاطمة', lastName: 'الزهراء' },
  { firstName: "D'Arcy", lastName: "O'Brien-Ní Dhónaill" },
  { firstName: 'Zoë 🎉', lastName: 'Ærøskøbing' },
];

function around(lists: readonly string[], change: Disturbance): Misbehaviour['disturb'] {
  return ({ openLists }: ExamHistory) =>
    openLists.some(id => lists.includes(id))
      ? change
      : `none of ${lists.join(', ')} was called without a filter for one person or card`;
}

const neighbour = (name: string) => ({
  id: `ch_exam_${name}`,
  externalUserId: `exam_${name}`,
  email: `exam.${name}@example.com`,
  kycStatus: 'approved',
});

/** Records of other people, which the command did not create. */
export const otherRecords: readonly BenignMisbehaviour[] = [
  {
    id: 'lists-longer-than-a-page',
    why: 'In production there are more records than one test makes, and a list shows 100 at a time at most.',
    sound: 'Read all pages, or filter by the id that you are looking for.',
    disturb: around(LISTS_OF_RECORDS, {
      crowd: new Array(CROWD).fill({}),
      fixture: {
        cardholders: [
          neighbour('page'),
          {
            generate: CROWD,
            externalUserId: 'exam_crowd',
            kycStatus: 'approved',
            card: { status: 'active', transactions: [{ amount: 12 }] },
          },
        ],
        usage: [{ generate: CROWD, type: 'kyc_verification', amount: 1, referenceId: 'ch_exam_page' }],
      },
    }),
  },
  {
    id: 'names-unusual',
    why: 'People have names with apostrophes, in other scripts, with emoji, and longer than a column.',
    sound: 'Store, send and show names as Unicode of any length.',
    disturb(history) {
      const others = around(['cardholders.list', 'cards.list'], {
        crowd: NAMES,
        fixture: {
          cardholders: NAMES.map((name, index) => ({
            ...neighbour(`name_${index}`),
            ...name,
            card: { status: 'active', nameOnCard: `${name.firstName} ${name.lastName}` },
          })),
        },
      })(history);
      const seesNames = history.called.some(({ id }) => READS_OF_PEOPLE.includes(id));
      // Those of the tests have such names as well, unless the tests choose them.
      if (seesNames) return { ...(typeof others === 'string' ? {} : others), people: [UNUSUAL] };
      return `none of ${READS_OF_PEOPLE.join(', ')} was called`;
    },
  },
  {
    id: 'phone-number-null',
    why: 'A cardholder whose phone number is unknown has null in its place.',
    sound: 'Expect null where the interface allows it.',
    disturb: around(['cardholders.list'], {
      fixture: { cardholders: [{ ...neighbour('no_phone'), phoneNumber: null }] },
    }),
  },
  {
    id: 'status-unknown',
    why: 'A service adds a status, and the records of some people have it already.',
    sound:
      'Show a status that you do not know as it is, or leave its record out; do not fail for all records.',
    disturb: around(['cardholders.list', 'cards.list'], {
      faults: [
        { operations: ['cardholders.list'], unknownStatusOf: neighbour('status').id, ridesAlong: true },
        { operations: ['cards.list'], unknownStatusOf: 'card_exam_status', ridesAlong: true },
      ],
      fixture: {
        cardholders: [neighbour('status')],
        cards: [{ id: 'card_exam_status', cardholderId: neighbour('status').id, status: 'active' }],
      },
    }),
  },
  {
    id: 'amounts-with-cents',
    why: 'Amounts have cents, and sums of cents are not exact in binary.',
    sound: 'Calculate with integer cents or decimals.',
    disturb: around(['cards.list', 'transactions.list', 'usage.list'], {
      showsInAmounts: true,
      fixture: {
        cardholders: [
          {
            ...neighbour('cents'),
            card: {
              status: 'active',
              limit: 1234.56,
              transactions: [{ amount: 0.07 }, { amount: 1.15 }, { amount: 1003.99 }],
            },
          },
        ],
        usage: [
          { type: 'kyc_verification', amount: 0.07, referenceId: 'ch_exam_cents' },
          { type: 'kyc_verification', amount: 1.15, referenceId: 'ch_exam_cents' },
        ],
      },
    }),
  },
];
