/** The formats in which a history is exported. */
export const FORMATS = ['scenario', 'har', 'curl'] as const;
