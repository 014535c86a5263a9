import type { PersonName } from '../../core/world/world-state.ts';
import { BuiltFixture } from '../fixtures/define/built-fixture.ts';
import type { CoreOptions } from '../options.ts';
import type { DisturbancePlan } from './plan.ts';

export interface ServerDisturbance {
  readonly plan: DisturbancePlan;
  /** The additional records. Worlds share them, since reading fixtures takes most of the time. */
  readonly fixtures: readonly BuiltFixture[];
  readonly people: readonly PersonName[] | undefined;
}

export function serverDisturbance(plan: DisturbancePlan): ServerDisturbance {
  const people = plan.flatMap(each => each.people ?? []);
  return {
    plan,
    fixtures: plan.flatMap(({ id, fixture }) =>
      fixture === undefined ? [] : [new BuiltFixture(`the records of ${id}`, fixture)],
    ),
    people: people.length === 0 ? undefined : people,
  };
}

/** Returns options, with the options of a plan where they are not set. */
export function withPlannedOptions(options: CoreOptions, plan: DisturbancePlan): CoreOptions {
  const planned: CoreOptions = Object.assign(
    {},
    ...plan.map(({ options: own, kycDelay }) => ({ ...own, ...(kycDelay !== undefined && { kycDelay }) })),
  );
  const open = Object.entries(planned).filter(([name]) => options[name as keyof CoreOptions] === undefined);
  return { ...options, ...Object.fromEntries(open) };
}
