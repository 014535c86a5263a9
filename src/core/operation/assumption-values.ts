/** The values of the settable assumptions, by their ids. The register adds them by module augmentation (`src/service/assumptions/settings.ts`). */
/* biome-ignore lint/suspicious/noEmptyInterface: the register fills it; the kernel does not import the register. */
export interface AssumptionValues {}
