import * as z from 'zod';

/** The maximum of any amount. Far below the limit at which hundredths stop being exact integers. */
export const MAX_AMOUNT = 1e12;
/** Marks the problem of an amount, to distinguish it from the other problems of a body. */
export const AMOUNT_PROBLEM = { amount: true } as const;
const TWO_DECIMALS = /^\d+(?:\.(\d{1,2}))?$/;

/** An amount in whole hundredths of its currency unit. All sums use hundredths, so that they are exact. */
export type Hundredths = number;

/** Converts an amount to hundredths. Returns null when it has more than two decimals, is negative or too large. */
export function toHundredths(amount: number): Hundredths | null {
  const match = amount <= MAX_AMOUNT ? TWO_DECIMALS.exec(String(amount)) : null;
  return match === null ? null : Math.round(amount * 100);
}

/** Whether a number has at most two decimals. It may be negative. */
export function hasTwoDecimals(amount: number): boolean {
  return TWO_DECIMALS.test(String(Math.abs(amount)));
}

export function toAmount(hundredths: Hundredths): number {
  return hundredths / 100;
}

const minorForms = new WeakMap<z.core.$ZodType, z.ZodType>();

/** Marks and returns the schema of an amount, with the schema of the same amount in hundredths. */
export function amountSchema<S extends z.ZodType>(schema: S, minor: z.ZodType): S {
  minorForms.set(schema, minor);
  return schema;
}

/** Returns the schema of the same amount in hundredths; undefined for a schema of anything else. */
export function minorForm(schema: z.ZodType): z.ZodType | undefined {
  // A description makes a copy of a schema.
  let each: z.core.$ZodType | undefined = schema;
  while (each !== undefined && !minorForms.has(each)) each = each._zod.parent;
  return each && minorForms.get(each);
}

const amountFrom = (min: Hundredths, rule: string) => {
  const parseWith = (message: string, read: (amount: number) => Hundredths | null) =>
    z.number().transform((amount, context): Hundredths => {
      const hundredths = read(amount);
      if (hundredths !== null && hundredths >= min) return hundredths;
      context.addIssue({ code: 'custom', message, params: AMOUNT_PROBLEM });
      return z.NEVER;
    });
  const wholeRule = `must be a whole number of hundredths from ${min} to ${MAX_AMOUNT * 100}`;
  const minor = parseWith(wholeRule, amount =>
    Number.isInteger(amount) && amount <= MAX_AMOUNT * 100 ? amount : null,
  );
  return amountSchema(
    parseWith(rule, toHundredths).meta({
      minimum: toAmount(min),
      maximum: MAX_AMOUNT,
      multipleOf: toAmount(1),
    }),
    minor.meta({ type: 'integer', minimum: min, maximum: MAX_AMOUNT * 100 }),
  );
};

/** An amount in a body or a fixture: zero or more, at most two decimals. Parsed into hundredths. */
export const Amount = amountFrom(0, 'must be an amount from 0 to 1000000000000 with at most two decimals');

export const PositiveAmount = amountFrom(
  1,
  'must be an amount above 0, up to 1000000000000, with at most two decimals',
);

/** Returns the problems of the amounts in a value, and no others. */
export function amountProblems(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  const issues = schema.safeParse(value, { jitless: true }).error?.issues ?? [];
  return issues.filter(issue => issue.code === 'custom' && issue.params === AMOUNT_PROBLEM);
}
