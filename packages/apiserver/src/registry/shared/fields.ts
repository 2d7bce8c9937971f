/** The answer to a field selector by kinds that have selectable fields of their own. */
export const unsupportedField = (field: string): string => `field label not supported: ${field}`
